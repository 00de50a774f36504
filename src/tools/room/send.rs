//! `send_message`: speaks, and waits for what comes next.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::Send;
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "send_message",
    description: "Speak when it is your turn; then it waits for what comes next. Mention only those who must \
                  answer, as @Name: each mention queues a turn. No thanks, no bare \"ok\": end a thread with \
                  expects_reply=false. An empty answer is normal: go on with wait_for_turn, do not send again.",
    effect: Effect::Acts,
    waits: true,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `send_message`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Your handle
    sender: String,
    /// Markdown
    content: String,
    /// Only recipients read it
    is_private: Option<bool>,
    /// Handles, instead of mentions
    recipients: Option<Vec<String>>,
    /// Number of a message
    reply_to: Option<i64>,
    /// Offered to a person
    choices: Option<Vec<String>>,
    /// false: nobody has to answer
    expects_reply: Option<bool>,
    room: Option<String>,
    key: Option<String>,
    /// Same id = same message, for retries
    request_id: Option<String>,
    /// You have seen all up to this
    after_seq_id: Option<i64>,
    /// 0 = do not wait
    #[schemars(range(min = 0, max = 86400))]
    timeout_seconds: Option<f64>,
    /// false = do not wait
    block: Option<bool>,
}

impl Args {
    pub(super) fn request(self) -> Send {
        Send {
            sender: arguments::handle(&self.sender),
            content: self.content,
            is_private: self.is_private.unwrap_or_default(),
            recipients: arguments::handles(self.recipients),
            is_answer: false,
            reply_to: self.reply_to,
            choices: self.choices.unwrap_or_default(),
            expects_reply: self.expects_reply,
            room: self.room,
            key: self.key,
            request_id: self.request_id,
            after_seq_id: self.after_seq_id,
            timeout: arguments::timeout(self.timeout_seconds),
            block: self.block,
        }
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let answer = hub.send(caller, args.request()).await?;
    Ok(answer::post(&answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_words_are_kept_byte_for_byte() {
        let content = " @Bob\r\n\u{feff}\t\u{0}e\u{301} ";
        let given = json!({ "sender": " Alice ", "content": content });
        let args: Args = arguments::read(&TOOL, given.as_object().unwrap().clone()).unwrap();
        let send = args.request();
        assert_eq!(send.content, content);
        assert_eq!(send.sender, "Alice");
    }
}
