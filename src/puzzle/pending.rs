//! A question to participants that an action waits for, and what has been found so far.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::event::{Cause, Given};
use super::facts::Doer;
use super::limits::JOINED;
use crate::room::Handle;

/// A question to participants that an action waits for.
///
/// **Invariant (a verdict counts once):** it is bound to its puzzle, the version of the last move, the action, its way
/// through the machine, and the actor; a move drops it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Its id.
    pub id: String,
    /// The version of the last move before.
    pub entered_version: u64,
    /// What waits for it.
    pub cause: Cause,
    /// Who acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Handle>,
    /// Whether a person vouches for the actor.
    #[serde(default)]
    pub verified: bool,
    /// Which guard it is, in words.
    pub guard: String,
    /// Its place among the guards of the transition.
    pub check: String,
    /// Who is asked.
    pub asks: Vec<Handle>,
    /// How many must agree; without it the first answer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quorum: Option<usize>,
    /// What they are asked.
    pub question: String,
    /// The state in which it is asked.
    pub state: String,
    /// The state to which the action leads.
    pub target: String,
    /// What was found before, and what they have said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Since when.
    pub since: DateTime<Utc>,
    /// When it is refused if it is not settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<DateTime<Utc>>,
    /// The actor's own id of the action, and a mark of all that it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<(String, String)>,
    /// The ids and marks of the same action that was sent again meanwhile, or before with another question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<(String, String)>,
}

/// What somebody or something has said to a guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its place among the guards of the transition.
    pub check: String,
    /// Which guard it is, in words.
    pub guard: String,
    /// Who or what was asked.
    pub asked: Asked,
    /// Who has said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Handle>,
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
}

/// Who or what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// A participant.
    Participant,
    /// Whoever sits at the acting client.
    Form,
    /// The model of the acting client.
    Sampling,
    /// A program.
    Command,
    /// Nobody: the policy lets it pass.
    Nobody,
}

impl Pending {
    /// Takes an answer.
    pub(super) fn hear(&mut self, given: &Given) {
        self.findings.push(Finding {
            check: self.check.clone(),
            guard: self.guard.clone(),
            asked: Asked::Participant,
            by: Some(given.by.clone()),
            verified: given.verified,
            pass: given.pass,
            reason: given.reason.clone(),
            at: given.at,
        });
    }

    /// Whether it waits for this action of this actor. One that nobody vouches for is not the one that a person vouches for.
    #[must_use]
    pub fn is_of(&self, cause: &Cause, doer: Doer<'_>) -> bool {
        (&self.cause, self.doer()) == (cause, doer)
    }

    /// Who acts.
    #[must_use]
    pub fn doer(&self) -> Doer<'_> {
        Doer { handle: self.actor.as_ref(), is_person_verified: self.verified }
    }

    /// All requests that wait for it, with their marks.
    pub(super) fn requests(&self) -> impl Iterator<Item = &(String, String)> {
        self.request.iter().chain(&self.joined)
    }

    /// One more request waits for it; the oldest is forgotten if there are too many.
    pub(super) fn join(&mut self, request: &(String, String)) {
        if self.requests().all(|known| known != request) {
            self.joined.push(request.clone());
            let too_many = self.joined.len().saturating_sub(JOINED);
            self.joined.drain(..too_many);
        }
    }

    /// Who is still asked.
    #[must_use]
    pub fn open_to(&self) -> Vec<Handle> {
        let has_answered = |who: &&Handle| self.answers().any(|given| given.by.as_ref() == Some(who));
        self.asks.iter().filter(|who| !has_answered(who)).cloned().collect()
    }

    /// Who has to answer so that it goes on; nobody, if enough have agreed.
    #[must_use]
    pub fn still_asked(&self) -> Vec<Handle> {
        if self.has_passed() { Vec::new() } else { self.open_to() }
    }

    /// How many of those who are still asked have to agree.
    #[must_use]
    pub fn still_needed(&self) -> usize {
        needed(self.quorum).saturating_sub(self.agreed())
    }

    /// Whether enough have agreed: it waits for its actor to go on.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.still_needed() == 0
    }

    /// Whether too few can agree any more.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let has_refused = self.answers().any(|given| !given.pass);
        let can_agree = self.quorum.is_some() && self.agreed() + self.open_to().len() >= needed(self.quorum);
        has_refused && !can_agree
    }

    /// Those who have answered this question.
    fn answers(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.check == self.check)
    }

    fn agreed(&self) -> usize {
        self.answers().filter(|finding| finding.pass).count()
    }
}

/// How many must agree.
pub(super) fn needed(quorum: Option<usize>) -> usize {
    quorum.unwrap_or(1)
}
