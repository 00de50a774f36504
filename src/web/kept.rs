//! A response body that knows whether it was sent to its end. rmcp and axum do not tell when a client goes away; the
//! drop of the body does.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http_body::{Frame, SizeHint};

/// What is to happen when a response ends. Exactly one of the two is called.
pub(super) trait Ending: Send + Unpin + 'static {
    /// The whole response was handed to the connection.
    fn whole(self);

    /// The client went away before the end of the response.
    fn cut(self);
}

/// Runs [`Ending::cut`] unless it was told that the response is whole: also when the request is dropped before there
/// is a response.
#[derive(Debug)]
pub(super) struct Watch<E: Ending>(Option<E>);

impl<E: Ending> Watch<E> {
    /// Watches from now on.
    pub(super) fn over(ending: E) -> Self {
        Self(Some(ending))
    }

    /// Goes on watching until the body of `response` has ended.
    pub(super) fn attach(self, response: Response) -> Response {
        response.map(|body| Body::new(Kept { body, watch: self }))
    }

    fn whole(&mut self) {
        if let Some(ending) = self.0.take() {
            ending.whole();
        }
    }
}

impl<E: Ending> Drop for Watch<E> {
    fn drop(&mut self) {
        if let Some(ending) = self.0.take() {
            ending.cut();
        }
    }
}

struct Kept<E: Ending> {
    body: Body,
    watch: Watch<E>,
}

impl<E: Ending> HttpBody for Kept<E> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(None) => self.watch.whole(),
            // The connection does not ask again when a body of known length has given its last byte.
            Poll::Ready(Some(Ok(_))) if self.body.is_end_stream() => self.watch.whole(),
            Poll::Ready(Some(_)) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<E: Ending> Drop for Kept<E> {
    fn drop(&mut self) {
        // An empty body is never polled.
        if self.body.is_end_stream() {
            self.watch.whole();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::response::IntoResponse;
    use futures::{StreamExt, stream};

    use super::*;

    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<&'static str>>>);

    impl Told {
        fn all(&self) -> Vec<&'static str> {
            self.0.lock().unwrap().clone()
        }
    }

    impl Ending for Told {
        fn whole(self) {
            self.0.lock().unwrap().push("whole");
        }

        fn cut(self) {
            self.0.lock().unwrap().push("cut");
        }
    }

    fn watched(body: Body) -> (Told, Body) {
        let told = Told::default();
        let response = Watch::over(told.clone()).attach(body.into_response());
        (told, response.into_body())
    }

    fn endless() -> Body {
        let chunks = stream::iter([Ok::<_, std::io::Error>("a")]).chain(stream::pending());
        Body::from_stream(chunks)
    }

    #[tokio::test]
    async fn a_body_that_is_read_to_its_end_is_whole() {
        for body in
            [Body::from("answer"), Body::from_stream(stream::iter([Ok::<_, std::io::Error>("a"), Ok("b")]))]
        {
            let (told, body) = watched(body);
            axum::body::to_bytes(body, usize::MAX).await.unwrap();
            assert_eq!(told.all(), ["whole"]);
        }
    }

    #[test]
    fn an_empty_body_is_whole_although_nobody_reads_it() {
        let (told, body) = watched(Body::empty());
        drop(body);
        assert_eq!(told.all(), ["whole"]);
    }

    #[tokio::test]
    async fn a_body_that_is_dropped_before_its_end_is_cut() {
        for body in [Body::from("answer"), endless()] {
            let (told, body) = watched(body);
            drop(body);
            assert_eq!(told.all(), ["cut"]);
        }
        let (told, body) = watched(endless());
        let mut chunks = body.into_data_stream();
        assert!(chunks.next().await.is_some());
        drop(chunks);
        assert_eq!(told.all(), ["cut"]);
    }

    #[test]
    fn a_request_that_is_dropped_before_there_is_a_response_is_cut() {
        let told = Told::default();
        drop(Watch::over(told.clone()));
        assert_eq!(told.all(), ["cut"]);
    }
}
