//! One `tools/call`, from its arguments to its answer, and back if the answer does not arrive.

use std::convert::Infallible;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, RequestId};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use tokio_util::sync::CancellationToken;

use super::asking::Came;
use super::heartbeat::heartbeat;
use super::origin::call_token;
use super::receipts::lock;
use super::{CallToken, Server};
use crate::hub::Receipt;
use crate::tools::{self, Outcome, Refused};

/// Answers of more bytes go once: an official client drops a stream with an event of more than 1 MiB.
const MAX_TWICE: usize = 256 << 10;

/// The answer as text, which every client shows, and as structured content beside it.
fn result(outcome: Outcome) -> CallToolResult {
    let text = outcome.json.to_string();
    let is_small = text.len() <= MAX_TWICE;
    let content = vec![ContentBlock::text(text)];
    let mut result =
        if outcome.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = is_small.then_some(outcome.json);
    result
}

/// There is no tool of this name.
pub(super) fn unknown(name: &str) -> ErrorData {
    let refused = Refused::unknown_tool(name);
    ErrorData::invalid_params(refused.to_string(), Some(refused.to_json()["error"].take()))
}

impl Server {
    pub(super) async fn answer_call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let token = call_token(&context.extensions);
        let outcome = match self.run(request, &context, token.as_ref()).await {
            Came::Answered(outcome) => outcome,
            Came::Asks(question) => return question.into(),
        };
        if let Some(receipt) = outcome.receipt {
            self.remember(&context, token.as_ref(), receipt);
        }
        self.log_warning(&context, &outcome.json).await;
        result(outcome).into()
    }

    async fn run(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        token: Option<&CallToken>,
    ) -> Came {
        let cancelled = CancellationToken::new();
        let caller = self.caller(context, cancelled.clone());
        let waits = tools::find(&request.name).is_some_and(|tool| tool.waits);
        tokio::select! {
            biased;
            came = self.call_and_ask(caller, request, context) => came,
            never = pass_on_cancellation(context, token, &cancelled) => match never {},
            never = heartbeat(context), if waits => match never {},
        }
    }

    /// Keeps the receipt of an answer, so that it can be taken back later; or takes it back now, if nobody will
    /// get it.
    fn remember(&self, context: &RequestContext<RoleServer>, token: Option<&CallToken>, receipt: Receipt) {
        lock(&self.answers).put(context.id.clone(), receipt);
        if let (Some(receipts), Some(token)) = (&self.receipts, token) {
            receipts.hold(token, receipt);
        }
        // A cancellation that came before the receipt was kept has found nothing to take back.
        if context.ct.is_cancelled() {
            self.take_back(&context.id);
        }
    }

    /// The client has cancelled this request: while it ran, or late.
    pub(super) fn take_back(&self, request: &RequestId) {
        let held = lock(&self.answers).take(request);
        if let Some(receipt) = held {
            self.hub.take_back(receipt);
        }
    }
}

/// Cancels the call when the client cancels it, or goes away. The call ends itself then, and leaves nothing
/// behind.
async fn pass_on_cancellation(
    context: &RequestContext<RoleServer>,
    token: Option<&CallToken>,
    cancelled: &CancellationToken,
) -> Infallible {
    let gone = async {
        match token {
            Some(token) => token.gone.cancelled().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = context.ct.cancelled() => {}
        () = gone => {}
    }
    cancelled.cancel();
    std::future::pending().await
}
