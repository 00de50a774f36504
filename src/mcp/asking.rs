//! Asks the client of a call what only it can be asked: whoever sits there, by a form, and its model.
//!
//! In the older revisions that is a request within the call. In the newer ones the call ends with the question, and
//! the client makes it again with the answer, and with a [sealed](Seals) note of what it was about.

mod form;
mod model;
mod seals;

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, InputRequest, InputRequests, InputRequiredResult, InputResponses, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use serde_json::{Map, Value};

use super::Server;
use super::origin::is_modern;
use crate::hub::{AtClient, Caller};
use crate::tools::{self, Asked, Outcome, Question};

pub use seals::Seals;

/// So long a question waits for its answer.
const PATIENCE: Duration = Duration::from_mins(10);
/// So long it may take to tell a client that a question is not asked any more.
const LAST_WORD: Duration = Duration::from_secs(1);
/// What the question is called among those that a client has to answer before it makes its call again.
const KEY: &str = "guard";
/// Characters of a reason that people and models give.
const REASON_CHARS: u32 = 1_000;
/// Characters of what a client tells about a failure.
const FAILURE_CHARS: usize = 200;

/// What a call came to.
pub(super) enum Came {
    /// It has its answer.
    Answered(Outcome),
    /// The client has to answer first, and to call again.
    Asks(InputRequiredResult),
}

/// What somebody has said who was asked.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    pass: bool,
    reason: Option<String>,
}

/// What can be asked at the client of a request.
pub(super) fn at_client(context: &RequestContext<RoleServer>) -> AtClient {
    let Some(can) = context.client_capabilities() else { return AtClient::default() };
    // Who names no mode shows forms: others did not exist at first.
    let form = can.elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none());
    AtClient { form, sampling: can.sampling.is_some(), said: Vec::new() }
}

impl Server {
    /// Runs a call, and asks its client what the call needs to know.
    pub(super) async fn call_and_ask(
        &self,
        mut caller: Caller,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Came {
        let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
        let arguments = arguments.unwrap_or_default();
        if !tools::find(&name).is_some_and(tools::may_ask) {
            return Came::Answered(tools::call(&self.hub, &caller, &name, arguments).await);
        }
        if input_responses.is_some() || request_state.is_some() {
            let back = self.come_back(&mut caller, request_state, input_responses, &arguments).await;
            if let Err(refused) = back {
                return Came::Answered(*refused);
            }
        }
        loop {
            let mut outcome = tools::call(&self.hub, &caller, &name, arguments.clone()).await;
            let Some(question) = outcome.asks.take() else { return Came::Answered(outcome) };
            if is_modern(context) {
                return Came::Asks(self.seals.ask(&question, &caller));
            }
            if let Err(outcome) = self.ask(&mut caller, *question, context).await {
                return Came::Answered(*outcome);
            }
        }
    }

    /// Takes the answer with which a client makes its call again.
    async fn come_back(
        &self,
        caller: &mut Caller,
        state: Option<String>,
        responses: Option<InputResponses>,
        given: &Map<String, Value>,
    ) -> Result<(), Box<Outcome>> {
        let sealed = match self.seals.open(state.as_deref(), caller, given) {
            Ok(sealed) => sealed,
            Err(why) => return Err(Box::new(tools::not_taken(&self.hub, given, why).await)),
        };
        let Some(response) = responses.and_then(|mut responses| responses.remove(KEY)) else {
            let why = format!("the call has come back without `inputResponses.{KEY}`");
            return Err(Box::new(sealed.question.unanswered(&self.hub, why).await));
        };
        let question = match self.seals.take(sealed) {
            Ok(question) => question,
            Err(why) => return Err(Box::new(tools::not_taken(&self.hub, given, why).await)),
        };
        let said = said(question.asked, response);
        self.note(caller, question, said).await
    }

    /// Asks within a call.
    async fn ask(
        &self,
        caller: &mut Caller,
        question: Question,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), Box<Outcome>> {
        let request = match request(&question) {
            InputRequest::CreateMessage(request) => ServerRequest::CreateMessageRequest(request),
            InputRequest::Elicitation(request) => ServerRequest::ElicitRequest(request),
            other => unreachable!("nothing else is asked: {other:?}"),
        };
        let options = PeerRequestOptions::no_options();
        let mut handle = match context.peer.send_cancellable_request(request, options).await {
            Ok(handle) => handle,
            Err(error) => return self.note(caller, question, Err(failure(&error))).await,
        };
        let (why, outcome) = tokio::select! {
            biased;
            answer = &mut handle.rx => {
                let said = match answer.unwrap_or(Err(ServiceError::TransportClosed)) {
                    Ok(result) => said(question.asked, serde_json::to_value(result).unwrap_or_default()),
                    Err(error) => Err(failure(&error)),
                };
                return self.note(caller, question, said).await;
            }
            outcome = question.lapses(&self.hub, caller) => ("there is no sense in an answer any more", outcome),
            () = tokio::time::sleep(PATIENCE) => {
                let why = format!("nobody has answered in {} minutes", PATIENCE.as_secs() / 60);
                ("nobody has answered in time", Some(question.unanswered(&self.hub, why).await))
            }
        };
        // A client that reads nothing holds up nobody.
        let told = tokio::time::timeout(LAST_WORD, handle.cancel(Some(why.to_owned()))).await;
        if !matches!(told, Ok(Ok(()))) {
            tracing::debug!("a client was not told that a question is not asked any more");
        }
        match outcome {
            Some(outcome) => Err(Box::new(outcome)),
            None => self.note(caller, question, Ok(Said { pass: false, reason: None })).await,
        }
    }

    /// Notes what was said; or gives the answer to the call, if that is neither yes nor no.
    async fn note(
        &self,
        caller: &mut Caller,
        question: Question,
        said: Result<Said, String>,
    ) -> Result<(), Box<Outcome>> {
        match said {
            Ok(Said { pass, reason }) => {
                question.answered(&mut caller.at_client, pass, reason);
                Ok(())
            }
            Err(why) => Err(Box::new(question.unanswered(&self.hub, why).await)),
        }
    }
}

/// What a client is asked.
fn request(question: &Question) -> InputRequest {
    match question.asked {
        Asked::Person => InputRequest::Elicitation(form::request(&question.text)),
        Asked::Model => InputRequest::CreateMessage(model::request(&question.text)),
    }
}

/// The question as a client of the newer revisions gets it.
fn requests(question: &Question) -> InputRequests {
    InputRequests::from([(KEY.to_owned(), request(question))])
}

/// Reads what a client has answered. The error says why it is neither yes nor no.
fn said(asked: Asked, answer: Value) -> Result<Said, String> {
    match asked {
        Asked::Person => form::read(answer),
        Asked::Model => model::read(answer),
    }
}

fn failure(error: &ServiceError) -> String {
    let told: String = match error {
        ServiceError::McpError(error) => error.message.to_string(),
        other => other.to_string(),
    };
    let told: String =
        told.chars().take(FAILURE_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("the client could not ask: {told}")
}

#[cfg(test)]
mod tests;
