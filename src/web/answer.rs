//! Ends the stream of a call together with its answer.
//!
//! rmcp ends such a stream a moment after the answer. Some clients close as soon as they have read it; in that moment
//! this looks as if they had given up, and an answer that arrived would be taken back.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The response to one request of MCP; ends with the answer if it is a stream.
pub(super) fn end_with_answer(response: Response) -> Response {
    let is_stream = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !is_stream {
        return response;
    }
    response.map(|body| Body::new(UntilAnswer { body, is_answered: false }))
}

struct UntilAnswer {
    body: Body,
    is_answered: bool,
}

impl HttpBody for UntilAnswer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.is_answered {
            return Poll::Ready(None);
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.is_answered = frame.data_ref().is_some_and(|event| is_answer(event));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.is_answered || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A JSON-RPC message that is an answer; a notification has no `id`.
#[derive(Deserialize)]
struct Message {
    id: Option<IgnoredAny>,
    method: Option<IgnoredAny>,
}

/// Whether an event of the stream carries the answer. rmcp writes one event per frame, its data on one line.
fn is_answer(event: &[u8]) -> bool {
    let data = event.split(|byte| *byte == b'\n').find_map(|line| line.strip_prefix(b"data:"));
    let message = data.and_then(|data| serde_json::from_slice(data).ok());
    matches!(message, Some(Message { id: Some(_), method: None }))
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use futures::{StreamExt, stream};

    use super::*;

    const PROGRESS: &str =
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"id\":1}}\n\n";
    const ANSWER: &str = "id: 0/0\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"method\":\"x\"}}\n\n";

    async fn events(kind: &'static str, events: Vec<&'static str>) -> Vec<Bytes> {
        let body = Body::from_stream(stream::iter(events).map(Ok::<_, std::io::Error>));
        let response = end_with_answer(([(CONTENT_TYPE, kind)], body).into_response());
        response.into_body().into_data_stream().map(Result::unwrap).collect().await
    }

    #[tokio::test]
    async fn a_stream_ends_with_its_answer_and_not_before() {
        let said = vec!["data:\nretry: 3000\n\n", PROGRESS, ":\n\n", ANSWER, PROGRESS];
        assert_eq!(events("text/event-stream", said).await.len(), 4);
        let refused = "data: {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":1,\"message\":\"\"}}\n\n";
        assert_eq!(events("text/event-stream", vec![refused, PROGRESS]).await.len(), 1);
        let request = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n";
        assert_eq!(events("text/event-stream", vec![request, PROGRESS]).await.len(), 2);
    }

    #[tokio::test]
    async fn a_response_that_is_no_stream_is_left_alone() {
        assert_eq!(events("application/json", vec![ANSWER, ANSWER]).await.len(), 2);
    }
}
