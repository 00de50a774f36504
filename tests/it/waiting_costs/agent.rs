//! One agent: it speaks when it is its turn, and waits in its way.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use turnroom::hub::{Caller, Hub, Reminded};
use turnroom::tools;

use super::Way;
use super::ledger::Ledger;

/// Who talks, one after the other.
pub(super) const HANDLES: [&str; 3] = ["@Alice", "@Bob", "@Carol"];
/// So many turns has the debate; the last one asks the person.
pub(super) const TURNS: u32 = 30;
/// How long an agent thinks about its turn.
const THOUGHT: Duration = Duration::from_secs(20);
/// One round of `turnroom wait`, in seconds.
const ROUND: u32 = 3_600;

pub(super) struct Agent {
    hub: Arc<Hub>,
    caller: Caller,
    way: Way,
    handle: &'static str,
    ledger: Arc<Ledger>,
}

impl Agent {
    pub(super) fn new(hub: &Arc<Hub>, way: Way, handle: &'static str, ledger: &Arc<Ledger>) -> Self {
        let (hub, ledger) = (Arc::clone(hub), Arc::clone(ledger));
        Self { hub, caller: way.caller(handle), way, handle, ledger }
    }

    /// Takes part until it is stopped.
    pub(super) async fn run(self) {
        let mut answer = self.told("join_conversation", &json!({ "handle": self.handle })).await;
        loop {
            answer = if answer["status"] == "your_turn" { self.speak().await } else { self.wait().await };
        }
    }

    async fn speak(&self) -> Value {
        tokio::time::sleep(THOUGHT).await;
        let turn = self.ledger.next_turn();
        let next = HANDLES[(turn as usize) % HANDLES.len()];
        let to = if turn < TURNS { next } else { "@user" };
        let words = "We should keep the old syntax, because what is written stays readable. ".repeat(6);
        let mut post = json!({ "sender": self.handle, "content": format!("{to} {words}") });
        if matches!(self.way, Way::Command | Way::Hook) {
            post["block"] = false.into();
        }
        self.told("send_message", &post).await
    }

    async fn wait(&self) -> Value {
        let handle = self.handle;
        match self.way {
            Way::Unknown | Way::Known => self.told("wait_for_turn", &json!({ "handle": handle })).await,
            Way::Command => self.wait_in_the_background().await,
            Way::Hook => {
                let limit = Duration::from_hours(8);
                let reminded = self.hub.remind_later(&self.caller, handle, None, limit).await;
                let Ok(Reminded::News(reminders)) = reminded else { panic!("{reminded:?}") };
                self.ledger.told(&format!("{reminders:?}"));
                self.told("wait_for_turn", &json!({ "handle": handle, "timeout_seconds": 0 })).await
            }
        }
    }

    /// `turnroom wait` ends only when there is something; until then its agent hears nothing.
    async fn wait_in_the_background(&self) -> Value {
        loop {
            let wait = json!({ "handle": self.handle, "timeout_seconds": ROUND });
            let answer = self.call("wait_for_turn", &wait).await;
            let has_words = answer["new_messages"].as_array().is_some_and(|messages| !messages.is_empty());
            if has_words || !["timeout", "waiting"].contains(&answer["status"].as_str().unwrap_or_default()) {
                self.ledger.told(&answer.to_string());
                return answer;
            }
        }
    }

    async fn told(&self, tool: &str, arguments: &Value) -> Value {
        let answer = self.call(tool, arguments).await;
        self.ledger.told(&answer.to_string());
        answer
    }

    async fn call(&self, tool: &str, arguments: &Value) -> Value {
        let arguments = arguments.as_object().expect("arguments are an object").clone();
        let outcome = tools::call(&self.hub, &self.caller, tool, arguments).await;
        assert!(!outcome.is_error, "{}", outcome.json);
        outcome.json
    }
}
