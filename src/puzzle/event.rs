//! What happened to a puzzle. As in a room, events are stored as JSON exactly as they are defined here.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::facts::Doer;
use super::pending::{Finding, Pending};
use crate::room::Handle;
use crate::room::event::kinds;

/// So many states between are told one by one.
const BETWEEN: usize = 20;

/// What happened to a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// It was made.
    PuzzleAdded(Box<Added>),
    /// Participants are asked before an action.
    GuardAsked {
        /// What they are asked.
        pending: Box<Pending>,
    },
    /// Its actor acts again meanwhile, with another id of a request: what comes of it counts for that, too.
    RequestJoined(Box<Joined>),
    /// One of them has answered.
    VerdictGiven(Box<Given>),
    /// After an answer programs have let an action pass, and the rest waits for its actor.
    GuardsPassed {
        /// What had been asked.
        guard: String,
        /// What they have said.
        findings: Vec<Finding>,
        /// When.
        at: DateTime<Utc>,
    },
    /// Something that had been asked about came to nothing.
    ActionRefused(Box<Refused>),
    /// It went to another state, or to the same one anew.
    PuzzleMoved(Box<Moved>),
    /// It is gone.
    PuzzleRemoved {
        /// Who removed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Handle>,
        /// Whether a person vouches for it.
        #[serde(default)]
        verified: bool,
        /// When.
        at: DateTime<Utc>,
    },
}

kinds!(pub Event {
    Self::PuzzleAdded(_) => "puzzle_added",
    Self::GuardAsked { .. } => "guard_asked",
    Self::RequestJoined(_) => "request_joined",
    Self::VerdictGiven(_) => "verdict_given",
    Self::GuardsPassed { .. } => "guards_passed",
    Self::ActionRefused(_) => "action_refused",
    Self::PuzzleMoved(_) => "puzzle_moved",
    Self::PuzzleRemoved { .. } => "puzzle_removed",
});

impl Event {
    /// When.
    #[must_use]
    pub fn at(&self) -> DateTime<Utc> {
        match self {
            Self::PuzzleAdded(added) => added.about.at,
            Self::GuardAsked { pending } => pending.since,
            Self::RequestJoined(joined) => joined.at,
            Self::VerdictGiven(given) => given.at,
            Self::ActionRefused(refused) => refused.at,
            Self::PuzzleMoved(moved) => moved.at,
            Self::GuardsPassed { at, .. } | Self::PuzzleRemoved { at, .. } => *at,
        }
    }
}

/// A puzzle was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Added {
    /// What was told of it.
    #[serde(flatten)]
    pub about: About,
    /// Its machine as it was given.
    pub config: Value,
    /// The steps to where it begins.
    pub through: Vec<Microstep>,
    /// What they put into the context.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
}

/// What was told of a puzzle when it was made, but for its machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its id.
    pub puzzle: String,
    /// What it is called.
    pub name: String,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Handle>,
    /// Whether a person vouches for it.
    #[serde(default)]
    pub verified: bool,
    /// The room in which its turns are taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The stream of that room, since its name may be another's one day. Older logs have the name only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_stream: Option<String>,
    /// Whether that room is only for it.
    #[serde(default)]
    pub has_own_room: bool,
    /// Who is a person there, beside `@user`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Handle>,
    /// Whether what is done in the name of a person counts only if one vouches for it, as that room wants it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub people_verified_only: bool,
    /// When.
    pub at: DateTime<Utc>,
    /// The maker's own id of it, and a mark of all that it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}

impl About {
    /// Whether somebody was a person when it was added.
    #[must_use]
    pub fn is_person(&self, handle: &Handle) -> bool {
        *handle == Handle::user() || self.people.contains(handle)
    }

    /// Who made it.
    #[must_use]
    pub fn maker(&self) -> Doer<'_> {
        Doer { handle: self.by.as_ref(), is_person_verified: self.verified }
    }

    /// Under what the request that made it is kept, if it had an id.
    #[must_use]
    pub fn request_key(&self) -> Option<String> {
        self.request.as_ref().map(|(id, _)| self.maker().request_key(id))
    }
}

/// One step of a transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Microstep {
    /// The innermost state that it led to.
    pub to: String,
    /// The innermost state that was not left; nothing if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// The states between the first and the last, through which `always` has led; if they are very many, the first of them and
/// how many more.
#[must_use]
pub fn between(through: &[Microstep]) -> Vec<String> {
    let between = &through[..through.len().saturating_sub(1)];
    let more = between.len().saturating_sub(BETWEEN);
    let more = (more > 0).then(|| format!("and {more} more"));
    between.iter().take(BETWEEN).map(|step| step.to.clone()).chain(more).collect()
}

/// What makes a puzzle move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Somebody does this.
    Action(String),
    /// Time has passed.
    Timer {
        /// In this state.
        state: String,
        /// So many milliseconds.
        ms: u64,
    },
}

/// An action is sent again while a question waits, with another id of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// What waits.
    pub guard: String,
    /// The actor's own id of it, and a mark of all that it says.
    pub request: (String, String),
    /// When.
    pub at: DateTime<Utc>,
}

/// One of those who were asked has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// What was asked.
    pub guard: String,
    /// Who answers.
    pub by: Handle,
    /// Whether a person vouches for it.
    #[serde(default)]
    pub verified: bool,
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
    /// The giver's own id of it, and a mark of all that it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}

impl Given {
    /// Who has answered.
    #[must_use]
    pub fn doer(&self) -> Doer<'_> {
        Doer { handle: Some(&self.by), is_person_verified: self.verified }
    }
}

/// Something that had been asked about came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// What would have moved it.
    pub cause: Cause,
    /// Who acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Handle>,
    /// Whether a person vouches for the actor.
    #[serde(default)]
    pub verified: bool,
    /// Which guard refused, in words.
    pub guard: String,
    /// What had been asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
    /// Who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Handle>,
    /// Why.
    pub why: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The actor's own id of it, and a mark of all that it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}

impl Refused {
    /// Who acted.
    #[must_use]
    pub fn doer(&self) -> Doer<'_> {
        Doer { handle: self.actor.as_ref(), is_person_verified: self.verified }
    }
}

/// A puzzle went to another state, or to the same one anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// What moved it.
    pub cause: Cause,
    /// Who acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Handle>,
    /// Whether a person vouches for the actor.
    #[serde(default)]
    pub verified: bool,
    /// The innermost state before.
    pub from: String,
    /// The innermost state after.
    pub to: String,
    /// The steps between.
    pub through: Vec<Microstep>,
    /// What those have said who were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Finding>,
    /// The guards that nobody could be asked about, and that the policy lets pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unguarded: Vec<String>,
    /// What was put into the context.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
    /// When.
    pub at: DateTime<Utc>,
    /// The actor's own id of it, and a mark of all that it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}

impl Moved {
    /// Who acted.
    #[must_use]
    pub fn doer(&self) -> Doer<'_> {
        Doer { handle: self.actor.as_ref(), is_person_verified: self.verified }
    }
}
