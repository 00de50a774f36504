//! The rules of a new room, as options. What is not given is the hub's default.

use clap::Args;
use serde_json::{Map, Value};

use super::super::call::Call;

/// The rules of a new room.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Rules of the room")]
pub(super) struct PolicyOptions {
    /// Open when so many agents have joined, or `all` [default: 2]
    #[arg(long, value_name = "N", value_parser = barrier)]
    barrier: Option<Value>,
    /// Ask people about those missing after so long [default: 300]
    #[arg(long, value_name = "SECONDS")]
    barrier_timeout_seconds: Option<u32>,
    /// Who may speak: only whose turn it is, or everyone [default: strict]
    #[arg(long, value_parser = ["strict", "open"])]
    floor: Option<String>,
    /// What ends a wait: every message, or only turns, mentions and private words [default: all]
    #[arg(long, value_parser = ["all", "batched"])]
    wake: Option<String>,
    /// Whoever has the turn may be silent so long [default: 900]
    #[arg(long, value_name = "SECONDS")]
    turn_lease_seconds: Option<u32>,
    /// A person may hold the turn so long while others are queued [default: 60]
    #[arg(long, value_name = "SECONDS")]
    human_hold_seconds: Option<u32>,
    /// Those whom a person mentions come first
    #[arg(long)]
    human_first: bool,
    /// Pause after so many turns without a human word; 0: never [default: 40]
    #[arg(long, value_name = "N")]
    max_agent_turns: Option<u32>,
    /// Who speaks first
    #[arg(long, value_name = "@HANDLE")]
    first_speaker: Option<String>,
    /// Another name of a participant, such as `@Bob=Robert`; may be repeated
    #[arg(long = "alias", value_name = "@HANDLE=NAME", value_parser = alias)]
    aliases: Vec<(String, String)>,
    /// Language of the transcript's labels [default: en]
    #[arg(long, value_parser = ["en", "fr", "es", "zh"])]
    language: Option<String>,
    /// Only those named here may join
    #[arg(long)]
    invite_only: bool,
    /// How a caller proves who it is [default: open]
    #[arg(long, value_parser = ["open", "session", "keyed"])]
    identity: Option<String>,
    /// People's words and acts count only from the page or a terminal
    #[arg(long)]
    humans_verified_only: bool,
}

impl PolicyOptions {
    /// Adds what was given to the call.
    pub(super) fn add_to(&self, call: Call) -> Call {
        call.set_some("barrier", self.barrier.clone())
            .set_some("barrier_timeout_seconds", self.barrier_timeout_seconds)
            .set_some("floor", self.floor.as_deref())
            .set_some("wake", self.wake.as_deref())
            .set_some("turn_lease_seconds", self.turn_lease_seconds)
            .set_some("human_hold_seconds", self.human_hold_seconds)
            .set_switch("human_first", self.human_first)
            .set_some("max_agent_turns", self.max_agent_turns)
            .set_some("first_speaker", self.first_speaker.as_deref())
            .set_some("aliases", self.aliases())
            .set_some("language", self.language.as_deref())
            .set_switch("invite_only", self.invite_only)
            .set_some("identity", self.identity.as_deref())
            .set_switch("humans_verified_only", self.humans_verified_only)
    }

    /// The names by handle.
    fn aliases(&self) -> Option<Value> {
        let mut names: Map<String, Value> = Map::new();
        for (handle, name) in &self.aliases {
            let list = names.entry(handle.as_str()).or_insert_with(|| Value::Array(Vec::new()));
            list.as_array_mut().expect("only lists are put in").push(name.as_str().into());
        }
        (!names.is_empty()).then_some(Value::Object(names))
    }
}

fn barrier(text: &str) -> Result<Value, String> {
    match text.parse::<u32>() {
        Ok(count) => Ok(count.into()),
        Err(_) if text == "all" => Ok("all".into()),
        Err(_) => Err("give a number of agents, or `all`".to_owned()),
    }
}

fn alias(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((handle, name)) if !handle.is_empty() && !name.is_empty() => {
            Ok((handle.to_owned(), name.to_owned()))
        }
        _ => Err("give a handle and a name, such as `@Bob=Robert`".to_owned()),
    }
}
