//! One stream for each session on which the hub tells by itself: the newest.
//!
//! A client whose stream broke off may be back before that is noticed. rmcp tells on the older stream then, for as long
//! as it is there, and the client hears nothing; so the older one ends when a newer one is asked for.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use http_body::{Frame, SizeHint};

/// The streams there are, by session.
#[derive(Clone, Default)]
pub(super) struct Newest(Arc<Mutex<HashMap<Arc<str>, Weak<Open>>>>);

/// What is left of a stream.
#[derive(Default)]
struct Open(Mutex<(Option<Body>, Option<Waker>)>);

impl Newest {
    /// Ends the stream of a session, if it has one: whoever filled it knows at once.
    pub(super) fn end(&self, session: &str) {
        let Some(open) = lock(&self.0).remove(session).and_then(|open| open.upgrade()) else { return };
        let (body, reader) = std::mem::take(&mut *lock(&open.0));
        drop(body);
        if let Some(reader) = reader {
            reader.wake();
        }
    }

    /// Takes note of the stream in `response`.
    pub(super) fn begin(&self, session: Arc<str>, response: Response) -> Response {
        response.map(|body| {
            let open = Arc::new(Open(Mutex::new((Some(body), None))));
            lock(&self.0).insert(session.clone(), Arc::downgrade(&open));
            Body::new(Stream { open, session, all: self.clone() })
        })
    }
}

struct Stream {
    open: Arc<Open>,
    session: Arc<str>,
    all: Newest,
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut open = lock(&self.open.0);
        let (Some(body), reader) = &mut *open else { return Poll::Ready(None) };
        *reader = Some(context.waker().clone());
        Pin::new(body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        lock(&self.open.0).0.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.open.0).0.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut all = lock(&self.all.0);
        if all.get(&self.session).is_some_and(|newest| newest.as_ptr() == Arc::as_ptr(&self.open)) {
            all.remove(&self.session);
        }
    }
}

/// The locks are held for a few moves of values, and while a body is asked, which is asked by one only.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use futures::{StreamExt, stream};

    use super::*;

    fn endless() -> Response {
        Body::from_stream(stream::iter([Ok::<_, std::io::Error>("a")]).chain(stream::pending()))
            .into_response()
    }

    #[tokio::test]
    async fn a_newer_stream_ends_the_older_one_and_no_other() {
        let streams = Newest::default();
        let begin = |session: &str| streams.begin(session.into(), endless()).into_body().into_data_stream();
        let (mut older, mut other) = (begin("a"), begin("b"));
        assert!(older.next().await.is_some() && other.next().await.is_some());
        let ended = tokio::spawn(async move { older.next().await.is_none() });
        tokio::task::yield_now().await;
        streams.end("a");
        let mut newer = begin("a");
        assert!(ended.await.unwrap());
        assert!(newer.next().await.is_some());
        assert!(futures::FutureExt::now_or_never(other.next()).is_none(), "it goes on");
        drop((newer, other));
        assert!(lock(&streams.0).is_empty(), "nothing is kept of streams that have ended");
    }
}
