//! Starting a room: the form, and how agents come into it.

use askama::Template;

use super::Frame;

/// The form that starts a room.
#[derive(Clone, Debug, Template)]
#[template(path = "new.html")]
pub(in crate::web) struct NewRoomPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// The folder in which a transcript lies whose name says no folder.
    pub(in crate::web) folder: String,
    /// What was filled in, when it was refused.
    pub(in crate::web) form: NewRoom,
}

/// What is filled in, under the names of the arguments of `init_conversation`. Numbers are as they were typed.
#[derive(Clone, Debug)]
pub(in crate::web) struct NewRoom {
    /// Name of the transcript.
    pub(in crate::web) filepath: String,
    /// What it is about.
    pub(in crate::web) topic: String,
    /// Handles of agents, with spaces or commas between.
    pub(in crate::web) participants: String,
    /// Handles of people beside `@user`.
    pub(in crate::web) humans: String,
    /// Agents that must have joined: a number or `all`.
    pub(in crate::web) barrier: String,
    /// Who speaks first; empty is whoever joins first.
    pub(in crate::web) first_speaker: String,
    /// `en`, `fr`, `es`, `zh`.
    pub(in crate::web) language: String,
    /// `strict` or `open`.
    pub(in crate::web) floor: String,
    /// `all` or `batched`.
    pub(in crate::web) wake: String,
    /// `open`, `session` or `keyed`.
    pub(in crate::web) identity: String,
    /// Turns of agents until the room pauses.
    pub(in crate::web) max_agent_turns: String,
    /// Seconds a holder may be silent.
    pub(in crate::web) turn_lease_seconds: String,
    /// Whether only declared participants may join.
    pub(in crate::web) invite_only: bool,
    /// Whether a person's words need the token of a person.
    pub(in crate::web) humans_verified_only: bool,
}

impl Default for NewRoom {
    fn default() -> Self {
        Self {
            filepath: String::new(),
            topic: String::new(),
            participants: "@Alice @Bob".to_owned(),
            humans: String::new(),
            barrier: "all".to_owned(),
            first_speaker: String::new(),
            language: "en".to_owned(),
            floor: "strict".to_owned(),
            wake: "all".to_owned(),
            identity: "open".to_owned(),
            max_agent_turns: "40".to_owned(),
            turn_lease_seconds: "900".to_owned(),
            invite_only: false,
            humans_verified_only: false,
        }
    }
}

/// How agents come into a room that was started.
#[derive(Clone, Debug, Template)]
#[template(path = "started.html")]
pub(in crate::web) struct StartedPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// The room.
    pub(in crate::web) room: String,
    /// What it is about.
    pub(in crate::web) topic: String,
    /// Where its transcript lies.
    pub(in crate::web) file: String,
    /// What each agent is told.
    pub(in crate::web) prompts: Vec<Prompt>,
    /// What each client needs once.
    pub(in crate::web) snippets: Vec<Snippet>,
}

/// What an agent is told, so that it joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Prompt {
    /// Who it will be.
    pub(in crate::web) handle: String,
    /// The words to paste.
    pub(in crate::web) text: String,
}

/// What a client needs, so that its agents can call turnroom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Snippet {
    /// The client.
    pub(in crate::web) client: &'static str,
    /// Where it goes.
    pub(in crate::web) place: &'static str,
    /// What to paste.
    pub(in crate::web) text: String,
}
