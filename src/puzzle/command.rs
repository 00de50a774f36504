//! What is asked of a puzzle, and what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::Event;
use super::facts::Doer;
use super::pending::Pending;
use super::refusal::Refusal;
use crate::room::Handle;

/// Make a puzzle.
#[derive(Clone, Debug, Default)]
pub struct Add {
    /// Its id, which nobody else has.
    pub puzzle: String,
    /// What it is called, if not as its machine says.
    pub name: Option<String>,
    /// Its machine: the seed's JSON, or named JSON of XState.
    pub config: Value,
    /// Who makes it.
    pub by: Option<Handle>,
    /// Whether a person vouches for that.
    pub is_person_verified: bool,
    /// The room in which its turns are taken.
    pub room: Option<String>,
    /// The stream of that room.
    pub room_stream: Option<String>,
    /// Whether that room is only for it.
    pub has_own_room: bool,
    /// Who is a person there, beside `@user`.
    pub people: Vec<Handle>,
    /// Whether what is done in the name of a person counts only if one vouches for it, as that room wants it.
    pub people_verified_only: bool,
    /// The maker's own id of it.
    pub request_id: Option<String>,
}

impl Add {
    /// Under what the request is kept, if its maker gave it an id.
    #[must_use]
    pub fn request_key(&self) -> Option<String> {
        let by = Doer { handle: self.by.as_ref(), is_person_verified: self.is_person_verified };
        self.request_id.as_ref().map(|id| by.request_key(id))
    }
}

/// Do something.
#[derive(Clone, Debug, Default)]
pub struct Act {
    /// What.
    pub action: String,
    /// Who does it.
    pub actor: Option<Handle>,
    /// Whether a person vouches for the actor.
    pub is_person_verified: bool,
    /// The version that the actor knows.
    pub expected_version: Option<u64>,
    /// The actor's own id of it.
    pub request_id: Option<String>,
    /// What those have said whom the edge has asked for this action.
    pub verdicts: Vec<Verdict>,
    /// Whom the edge can ask.
    pub may: May,
}

/// Whom the edge can ask for the acting client.
#[derive(Clone, Debug, Default)]
pub struct May {
    /// Whether the client shows forms.
    pub form: bool,
    /// Whether the client has a model that can be asked.
    pub sampling: bool,
    /// The programs that are named in the hub's configuration.
    pub commands: Vec<String>,
}

/// What somebody has said whom the edge has asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The id of the demand.
    pub demand: String,
    /// The version that the demand named.
    pub entered_version: u64,
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    pub reason: Option<String>,
    /// Whether the hub has asked a program. What comes from outside says nothing for one.
    #[serde(skip)]
    pub is_of_program: bool,
}

/// What came of an action that was not refused outright.
#[derive(Clone, Debug)]
pub enum Step {
    /// It is done with these events.
    Done(Vec<Event>),
    /// It was done, or came to nothing, before: the request id is known.
    Same(Past),
    /// It waits for participants.
    Pending {
        /// What is new; nothing if it waited already.
        events: Vec<Event>,
        /// What it waits for.
        pending: Box<Pending>,
    },
    /// The edge has to ask, and to call again with all verdicts so far.
    Ask(Box<Demand>),
    /// Whoever was asked has refused it: the events tell so.
    Refused {
        /// What is new.
        events: Vec<Event>,
        /// Why.
        refusal: Refusal,
    },
}

/// The programs that the hub can ask, and what they have said so far.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// Their names.
    pub names: Vec<String>,
    /// What they have said.
    pub verdicts: Vec<Verdict>,
}

/// What comes next in a puzzle by itself.
#[derive(Clone, Debug)]
pub enum Next {
    /// This happens.
    Happens(Box<Event>),
    /// This program has to be asked.
    Ask(Box<Demand>),
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The event that settled it.
    pub version: u64,
    /// What it came to.
    pub outcome: Outcome,
}

impl Past {
    /// The refusal that it was, if it was one.
    #[must_use]
    pub fn refusal(&self, action: &str) -> Option<Refusal> {
        let Outcome::Refused { guard, by, why } = self.outcome.clone() else { return None };
        Some(Refusal::GuardRefused { action: action.to_owned(), guard, by, why })
    }
}

/// What a request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The puzzle went to this state.
    Moved(String),
    /// This guard refused it, for this reason.
    Refused {
        /// Which one, in words.
        guard: String,
        /// Who refused.
        by: Option<Handle>,
        /// Why.
        why: String,
    },
    /// The verdict was taken.
    Answered,
}

/// A guard that only the edge can put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Its id: the same for the same guard, actor, action and whom to ask until the puzzle moves.
    pub id: String,
    /// Whom to ask.
    pub whom: Whom,
    /// What to ask.
    pub question: String,
    /// Which guard it is, in words.
    pub guard: String,
    /// The present state.
    pub state: String,
    /// The action.
    pub action: String,
    /// The state to which it leads.
    pub target: String,
    /// Who acts.
    pub actor: Option<Handle>,
    /// The version of the last move.
    pub entered_version: u64,
}

/// Whom the edge has to ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Whom {
    /// Whoever sits at the acting client.
    Form,
    /// The model of the acting client.
    Sampling,
    /// This program.
    Command(String),
}

/// Answer a guard.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which one.
    pub guard: String,
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    pub reason: Option<String>,
    /// Who answers.
    pub by: Handle,
    /// Whether a person vouches for it.
    pub is_person_verified: bool,
    /// The giver's own id of it.
    pub request_id: Option<String>,
}
