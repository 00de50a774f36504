//! Numbers of what the hub asks of its clients, unlike those of any other connection.
//!
//! rmcp counts its requests from 0 on each connection. A client that goes on after the hub was started anew may still
//! answer a question of before; such an answer must not count for another one. A session over SSE ends with its stream, and
//! needs no marks.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{JsonRpcMessage, RequestId, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport on which the hub's own requests carry a mark. Answers without it are dropped.
#[derive(Debug)]
pub struct Marked<T> {
    inner: T,
    mark: Arc<str>,
}

impl<T> Marked<T> {
    /// `mark` is of this connection only.
    pub fn new(inner: T, mark: impl Into<Arc<str>>) -> Self {
        Self { inner, mark: mark.into() }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Marked<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(marked(message, &self.mark))
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = unmarked(self.inner.receive().await?, &self.mark) {
                return Some(message);
            }
            tracing::debug!("a client has answered something that this connection has not asked");
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), T::Error>> + Send {
        self.inner.close()
    }
}

fn marked(mut message: TxJsonRpcMessage<RoleServer>, mark: &str) -> TxJsonRpcMessage<RoleServer> {
    let with_mark = |id: &RequestId| RequestId::String(format!("{mark}-{id}").into());
    match &mut message {
        JsonRpcMessage::Request(request) => request.id = with_mark(&request.id),
        JsonRpcMessage::Notification(notification) => {
            if let ServerNotification::CancelledNotification(cancelled) = &mut notification.notification {
                cancelled.params.request_id = cancelled.params.request_id.as_ref().map(with_mark);
            }
        }
        JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
    }
    message
}

/// Nothing, if it answers something else.
fn unmarked(mut message: RxJsonRpcMessage<RoleServer>, mark: &str) -> Option<RxJsonRpcMessage<RoleServer>> {
    match &mut message {
        JsonRpcMessage::Response(response) => response.id = own(&response.id, mark)?,
        // Without an id, a client says that it has not understood something.
        JsonRpcMessage::Error(error) => {
            if let Some(id) = &mut error.id {
                *id = own(id, mark)?;
            }
        }
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
    }
    Some(message)
}

fn own(id: &RequestId, mark: &str) -> Option<RequestId> {
    let RequestId::String(id) = id else { return None };
    let number = id.strip_prefix(mark)?.strip_prefix('-')?;
    number.parse().ok().map(RequestId::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn sent(message: Value) -> Value {
        let message = serde_json::from_value(message).unwrap();
        serde_json::to_value(marked(message, "m")).unwrap()
    }

    fn received(message: Value) -> Option<Value> {
        let message = serde_json::from_value(message).unwrap();
        unmarked(message, "m").map(|message| serde_json::to_value(message).unwrap())
    }

    #[test]
    fn what_the_hub_asks_and_takes_back_carries_the_mark() {
        let asked = sent(json!({ "jsonrpc": "2.0", "id": 3, "method": "ping" }));
        assert_eq!(asked["id"], "m-3");
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } });
        assert_eq!(sent(cancel)["params"]["requestId"], "m-3");
    }

    #[test]
    fn what_the_hub_answers_and_tells_is_left_as_it_is() {
        for message in [
            json!({ "jsonrpc": "2.0", "id": 3, "result": { "content": [], "isError": false } }),
            json!({ "jsonrpc": "2.0", "id": "a", "error": { "code": -1, "message": "no" } }),
            json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
        ] {
            assert_eq!(sent(message.clone()), message);
        }
    }

    #[test]
    fn an_answer_counts_only_with_the_mark_of_the_connection() {
        let answer = |id: Value| json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } });
        let error =
            |id: Value| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -1, "message": "no" } });
        assert_eq!(received(answer(json!("m-3"))), Some(answer(json!(3))));
        assert_eq!(received(error(json!("m-3"))), Some(error(json!(3))));
        for id in [json!(3), json!("3"), json!("n-3"), json!("m-"), json!("m-x"), json!("m3")] {
            assert_eq!((received(answer(id.clone())), received(error(id))), (None, None));
        }
        let told = json!({ "jsonrpc": "2.0", "error": { "code": -1, "message": "no" } });
        assert_eq!(received(told.clone()), Some(told));
    }

    #[test]
    fn what_the_client_asks_and_takes_back_is_left_as_it_is() {
        for message in [
            json!({ "jsonrpc": "2.0", "id": "m-3", "method": "ping" }),
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "m-3" } }),
        ] {
            assert_eq!(received(message.clone()), Some(message));
        }
    }
}
