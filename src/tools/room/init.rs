//! `init_conversation`: starts a room.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::hub::request::{BarrierRequest, Init, PolicyRequest};
use crate::hub::{Caller, Hub};
use crate::tools::catalogue::{Effect, Tool};
use crate::tools::{Outcome, Refused, answer, arguments, schema};

pub(super) static TOOL: Tool = Tool {
    name: "init_conversation",
    description: "Start a room: a conversation with turns, written live into a Markdown file. Call it once, if \
                  you bring the agents together; then each agent calls join_conversation. `participants` are \
                  the agents' handles, such as @Alice. The person @user is in every room.",
    effect: Effect::Acts,
    waits: false,
    schema: LazyLock::new(schema::of::<Args>),
    run: |hub, caller, given| Box::pin(run(hub, caller, given)),
};

/// Arguments of `init_conversation`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Args {
    /// Transcript, a path ending in .md
    filepath: String,
    /// Handles
    participants: Vec<String>,
    topic: Option<String>,
    /// Id; default from filepath
    room: Option<String>,
    /// Handles that are people
    humans: Option<Vec<String>>,
    /// Agents that must join before it opens; a number or "all"; default 2
    #[schemars(extend("anyOf" = [{ "type": "integer" }, { "type": "string" }]), with = "Option<Value>")]
    barrier: Option<Value>,
    /// Then people are asked whether to start without the missing; default 300
    barrier_timeout_seconds: Option<i64>,
    /// strict (default): only the turn's holder speaks
    #[schemars(extend("enum" = ["strict", "open"]))]
    floor: Option<String>,
    /// all (default): any message ends a wait; batched: own turn, mention or private message; best for 3 or more agents
    #[schemars(extend("enum" = ["all", "batched"]))]
    wake: Option<String>,
    /// Silence after which a turn passes on; default 900
    turn_lease_seconds: Option<i64>,
    /// Then a person's turn moves on if others wait; default 60
    human_hold_seconds: Option<i64>,
    /// People's mentions go first
    human_first: Option<bool>,
    /// Agent turns without a human word until a pause; default 40; 0 = never
    max_agent_turns: Option<i64>,
    /// Handle
    first_speaker: Option<String>,
    /// Handle to other names
    aliases: Option<BTreeMap<String, Vec<String>>>,
    /// Of the transcript
    #[schemars(extend("enum" = ["en", "fr", "es", "zh"]))]
    language: Option<String>,
    /// Only participants may join
    invite_only: Option<bool>,
    /// Who may use a handle: open (default) anyone; session who joined; keyed who has the key
    #[schemars(extend("enum" = ["open", "session", "keyed"]))]
    identity: Option<String>,
    /// People's words count only from the page or a terminal
    humans_verified_only: Option<bool>,
    /// Start anew over a room with this path
    force: Option<bool>,
}

impl Args {
    pub(super) fn request(self) -> Result<Init, Refused> {
        Ok(Init {
            filepath: self.filepath,
            participants: arguments::handles(Some(self.participants)),
            topic: self.topic,
            room: self.room,
            humans: arguments::handles(self.humans),
            policy: PolicyRequest {
                barrier: self.barrier.as_ref().map(barrier).transpose()?,
                barrier_timeout_seconds: self.barrier_timeout_seconds,
                floor: self.floor,
                wake: self.wake,
                turn_lease_seconds: self.turn_lease_seconds,
                human_hold_seconds: self.human_hold_seconds,
                human_first: self.human_first,
                max_agent_turns: self.max_agent_turns,
                first_speaker: self.first_speaker.as_deref().map(arguments::handle),
                aliases: self.aliases.unwrap_or_default(),
                language: self.language,
                invite_only: self.invite_only,
                identity: self.identity,
                humans_verified_only: self.humans_verified_only,
            },
            force: self.force.unwrap_or_default(),
            takes_nothing_over: false,
        })
    }
}

fn barrier(given: &Value) -> Result<BarrierRequest, Refused> {
    match given {
        Value::String(text) if text.trim().eq_ignore_ascii_case("all") => Ok(BarrierRequest::All),
        Value::String(text) => Err(arguments::refuse(&TOOL, "barrier", text, "a whole number or `all`")),
        number => Ok(BarrierRequest::Count(number.as_i64().expect("the schema lets whole numbers through"))),
    }
}

async fn run(hub: &Hub, caller: &Caller, given: Map<String, Value>) -> Result<Outcome, Refused> {
    let args: Args = arguments::read(&TOOL, given)?;
    let started = hub.init(caller, args.request()?).await?;
    Ok(Outcome::answer(answer::initialized(&started)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(given: &Value) -> Result<Init, Refused> {
        arguments::read::<Args>(&TOOL, given.as_object().unwrap().clone())?.request()
    }

    #[test]
    fn a_barrier_is_a_number_or_all() {
        for (given, expected) in [
            (json!(0), BarrierRequest::Count(0)),
            (json!("3"), BarrierRequest::Count(3)),
            (json!("ALL"), BarrierRequest::All),
        ] {
            let init = read(&json!({ "filepath": "a.md", "participants": "@Alice", "barrier": given }));
            assert_eq!(init.unwrap().policy.barrier, Some(expected), "{given}");
        }
        let error = read(&json!({ "filepath": "a.md", "participants": [], "barrier": "most" })).unwrap_err();
        assert_eq!(error.to_string(), "`barrier` is `most`; it must be a whole number or `all`");
    }

    #[test]
    fn what_is_not_given_is_left_to_the_hub() {
        let init = read(&json!({ "filepath": "a.md", "participants": ["@Alice"] })).unwrap();
        assert!(init.policy.barrier.is_none() && init.policy.floor.is_none() && !init.force);
        assert_eq!(init.participants, ["@Alice"]);
    }
}
