//! One entry of a task's log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::effect::Entry;
use super::flow::Role;
use super::refusal::Refusal;
use crate::room::{Handle, is_blank};

/// The role of people.
const PERSON: &str = "human";

/// One entry of a task's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// From 1, without gaps.
    pub version: u64,
    /// The part that its writer plays, as it was given.
    pub role: String,
    /// What it is, as it was given.
    pub content_type: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The model behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it says.
    pub payload: Payload,
    /// Whether it counts.
    #[serde(default, skip_serializing_if = "Standing::is_plain")]
    pub standing: Standing,
    /// The writer's own id of it, and a mark of all that it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
}

/// How much a record counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// As every record.
    #[default]
    Plain,
    /// A person vouches for it.
    Verified(Handle),
    /// A decision that nobody vouches for, where somebody must: it moves nothing.
    Proposed,
}

impl Standing {
    fn is_plain(&self) -> bool {
        *self == Self::Plain
    }
}

/// What a record says: an open object with a summary and a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Payload(Map<String, Value>);

/// Commits that a record names.
pub type Commits<'p> = Vec<&'p str>;

impl Payload {
    /// Takes an object if it has a summary and a body.
    ///
    /// # Errors
    /// A field that is missing, blank, or no text.
    pub fn new(fields: Map<String, Value>) -> Result<Self, Refusal> {
        for field in ["summary", "body"] {
            match fields.get(field) {
                Some(Value::String(text)) if !is_blank(text) => {}
                Some(Value::String(_)) => {
                    return Err(Refusal::invalid(format!("payload.{field}"), "it is blank; say something"));
                }
                Some(_) => return Err(Refusal::invalid(format!("payload.{field}"), "it must be text")),
                None => return Err(Refusal::invalid(format!("payload.{field}"), "it is missing")),
            }
        }
        Ok(Self(fields))
    }

    /// All of it.
    #[must_use]
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// A field that is text.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// What it says in a line.
    #[must_use]
    pub fn summary(&self) -> &str {
        self.text("summary").unwrap_or_default()
    }

    /// The commits that it names.
    #[must_use]
    pub fn commits(&self) -> Commits<'_> {
        let commits = self.0.get("commits").and_then(Value::as_array).into_iter().flatten();
        commits.filter_map(Value::as_str).collect()
    }

    /// Whether it acknowledges the warnings before it.
    #[must_use]
    pub fn acknowledges(&self) -> bool {
        self.0.get("ack") == Some(&Value::Bool(true))
    }
}

/// The types that the table knows. Anything else is kept, and never fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A design.
    Design,
    /// Code that was changed.
    CodeChanges,
    /// A review.
    Review,
    /// What a review had found is mended.
    Revision,
    /// A note.
    Note,
    /// A decision of a person.
    Decision,
}

impl Content {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Design, Self::CodeChanges, Self::Review, Self::Revision, Self::Note, Self::Decision];

    /// As it is written in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::CodeChanges => "code_changes",
            Self::Review => "review",
            Self::Revision => "revision",
            Self::Note => "note",
            Self::Decision => "decision",
        }
    }

    /// The type of this exact name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|content| content.as_str() == name)
    }
}

/// What a review comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Good.
    Pass,
    /// The code has to be mended.
    FailCode,
    /// The design has to be mended.
    FailDesign,
    /// Good, but for something that nobody here can do.
    BlockedExternal,
    /// None, or one that the table does not know.
    Other,
}

impl Verdict {
    fn of(name: Option<&str>) -> Self {
        match name {
            Some("pass") => Self::Pass,
            Some("fail_code") => Self::FailCode,
            Some("fail_design") => Self::FailDesign,
            Some("blocked_external") => Self::BlockedExternal,
            _ => Self::Other,
        }
    }
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The work is good.
    Approve,
    /// It has to be mended.
    Reject,
    /// The task is over.
    Close,
    /// None, or one that the table does not know.
    Other,
}

impl Decision {
    /// The decisions that a person can take.
    pub const ALL: [Self; 3] = [Self::Approve, Self::Reject, Self::Close];

    /// As it is written in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Close => "close",
            Self::Other => "other",
        }
    }

    /// The decision of this exact name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.as_str() == name)
    }
}

impl Record {
    /// The record as the table sees it.
    #[must_use]
    pub fn entry(&self) -> Entry {
        match Content::of(&self.content_type) {
            Some(Content::Design) => Entry::Design,
            Some(Content::CodeChanges) => Entry::CodeChanges,
            Some(Content::Review) => Entry::Review(Verdict::of(self.payload.text("verdict"))),
            Some(Content::Revision) => Entry::Revision,
            Some(Content::Note) => {
                let is_executors = self.role == Role::Executor.as_str();
                Entry::Note { recalls: is_executors && !self.payload.acknowledges() }
            }
            Some(Content::Decision) if self.standing == Standing::Proposed => {
                Entry::Proposal(self.decision())
            }
            Some(Content::Decision) => Entry::Decision(self.decision()),
            None => Entry::Other,
        }
    }

    /// What it decides.
    pub(super) fn decision(&self) -> Decision {
        self.payload.text("decision").and_then(Decision::of).unwrap_or(Decision::Other)
    }

    /// Whether it is a note that acknowledges the warnings before it.
    pub(super) fn acknowledges(&self) -> bool {
        matches!(self.entry(), Entry::Note { .. }) && self.payload.acknowledges()
    }

    /// Whether a person wrote it. A role is believed, as a handle is in a room.
    pub(super) fn is_of_person(&self) -> bool {
        match self.standing {
            Standing::Verified(_) => true,
            Standing::Plain => self.role == PERSON,
            Standing::Proposed => false,
        }
    }

    /// Whether it is in the name of a person, by its role or its writer, and no person vouches for it.
    #[must_use]
    pub fn is_said_for_person(&self) -> bool {
        let is_user = |name: &str| Handle::parse(name).is_ok_and(|handle| handle == Handle::user());
        let names_person = self.role == PERSON || self.agent.as_deref().is_some_and(is_user);
        names_person && !matches!(self.standing, Standing::Verified(_))
    }

    /// Whether somebody did work with it, which he may not approve himself.
    pub(super) fn is_work(&self) -> bool {
        matches!(self.entry(), Entry::Design | Entry::CodeChanges | Entry::Revision)
    }
}
