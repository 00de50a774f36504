//! What follows from the events of a task.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use unicode_normalization::UnicodeNormalization;

use super::effect::{Effect, Entry, effect};
use super::event::{Created, Event};
use super::flow::{Flow, Status, WaitingFor};
use super::record::{Decision, Record, Standing};
use super::report::{Activity, Reported};
use crate::room::{Handle, Requests, fold, is_unseen};

/// So many proposals are known: the newest, one of each who proposes.
const PROPOSALS: usize = 20;
/// So many characters of the reason of one.
const REASON: usize = 500;

/// What follows from the events of a task.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub made: Created,
    status: Status,
    pub version: u64,
    pub warnings: Vec<Warning>,
    /// The newest of everybody who has proposed something that nobody has answered, the newest last.
    pub proposals: Vec<Proposal>,
    pub since: DateTime<Utc>,
    pub last_activity: DateTime<Utc>,
    /// The record with which the present turn began: since then the same one has to do the same. 0 is its making.
    pub turn: u64,
    /// When that was.
    pub turn_since: DateTime<Utc>,
    /// What the agent whose turn it is has told last, until a record answers it.
    pub report: Option<Reported>,
    /// The newest record of the role whose turn it is, if it has published something in it.
    pub published: Option<u64>,
    /// The newest record of a person; 0 is its making.
    pub heard_person: u64,
    /// Who has done work in it: by the names under which they published, those who play the parts, and the people who
    /// vouched for it.
    workers: BTreeSet<String>,
    /// The people who vouched for work. What others say of a person takes nothing from him.
    people: BTreeSet<String>,
    /// Records by the ids of their writers: their marks and versions.
    requests: Requests<u64>,
}

/// Something that did not fit, and nobody has acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Of which record.
    pub version: u64,
    /// What is wrong with it.
    pub code: WarningCode,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningCode {
    /// It does not fit where the task stood.
    OutOfTable,
    /// A review without a verdict that is known.
    InvalidVerdict,
    /// It came after the end.
    ClosedAbsorb,
    /// Records before it are missing.
    VersionGap,
    /// There is one of this version before it.
    VersionDuplicate,
}

impl WarningCode {
    /// As it is written in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OutOfTable => "OUT_OF_TABLE",
            Self::InvalidVerdict => "INVALID_VERDICT",
            Self::ClosedAbsorb => "CLOSED_ABSORB",
            Self::VersionGap => "VERSION_GAP",
            Self::VersionDuplicate => "VERSION_DUPLICATE",
        }
    }

    /// For people and models.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::OutOfTable => "this record does not fit where the task stood; the state did not change",
            Self::InvalidVerdict => {
                "the verdict is none of pass, fail_code, fail_design, blocked_external; the state did not change"
            }
            Self::ClosedAbsorb => "the task was closed before this record; it stays closed",
            Self::VersionGap => "records before this one are missing: the log was damaged",
            Self::VersionDuplicate => "another record has the same version: the log was damaged",
        }
    }
}

/// A decision that nobody vouches for: a person has to take it, or another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Of which record.
    pub version: u64,
    /// What is proposed.
    pub decision: Decision,
    /// By whom, as it was given.
    pub by: String,
    /// Why, if that was said.
    pub reason: Option<String>,
    /// Since when it waits.
    pub at: DateTime<Utc>,
}

impl State {
    /// Where it stands; the project stands nowhere.
    pub(super) fn status(&self) -> Option<Status> {
        self.made.flow.map(|_| self.status)
    }

    /// Who has to act.
    pub(super) fn waiting_for(&self) -> Option<WaitingFor> {
        let status = self.status()?;
        let needs_attention = !self.warnings.is_empty() && status != Status::Closed;
        Some(if needs_attention { WaitingFor::Human } else { status.waiting_for() })
    }

    /// Whether somebody of this name has done work in it, as far as is known.
    pub(super) fn has_worked(&self, name: &str) -> bool {
        self.workers.contains(&folded(name))
    }

    /// Whether a person has done work in it: what an agent publishes in the name of a person is not that.
    pub(super) fn has_vouched_for_work(&self, person: &Handle) -> bool {
        self.people.contains(&folded(person.as_str()))
    }

    /// The mark and the version of the record that its writer gave this id.
    pub(super) fn request(&self, id: &str) -> Option<&(String, u64)> {
        self.requests.get(id)
    }

    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::TaskCreated(created) => {
                self.made = Created::clone(created);
                self.status = created.flow.map(Status::first).unwrap_or_default();
                (self.since, self.turn_since, self.last_activity) = (created.at, created.at, created.at);
            }
            Event::RecordPublished(record) => self.take(record),
            Event::AgentReported(reported) => self.hear(reported),
        }
    }

    fn hear(&mut self, reported: &Reported) {
        let is_its_turn = self.waiting_for() == Some(WaitingFor::Agent(reported.role));
        if is_its_turn && reported.turn == self.turn {
            self.report = Some(reported.clone());
        }
    }

    fn take(&mut self, record: &Record) {
        self.last_activity = record.at;
        self.remember(record);
        if record.version <= self.version {
            self.warn(record, WarningCode::VersionDuplicate);
            return;
        }
        if record.version > self.version + 1 {
            self.warn(record, WarningCode::VersionGap);
        }
        self.version = record.version;
        if record.is_of_person() {
            self.heard_person = record.version;
        }
        let Some(flow) = self.made.flow else { return };
        let before = (self.status, self.waiting_for());
        self.follow(flow, record);
        if (self.status, self.waiting_for()) == before {
            self.go_on(record);
        } else {
            (self.turn, self.turn_since) = (record.version, record.at);
            (self.report, self.published) = (None, None);
        }
    }

    /// Something was published, and it is the same turn. Whoever was blocked or had stopped has an answer.
    fn go_on(&mut self, record: &Record) {
        self.report.take_if(|report| report.activity != Activity::Working);
        let is_its_own = |role: super::Role| record.role == role.as_str();
        if matches!(self.waiting_for(), Some(WaitingFor::Agent(role)) if is_its_own(role)) {
            self.published = Some(record.version);
        }
    }

    fn follow(&mut self, flow: Flow, record: &Record) {
        if record.acknowledges() {
            self.warnings.clear();
            self.answer_proposals(record);
        }
        if matches!(record.entry(), Entry::Decision(_)) {
            self.proposals.clear();
        }
        match effect(flow, self.status, record.entry()) {
            Effect::To(status) => self.move_to(status, record),
            Effect::Warn(code) => self.warn(record, code),
            Effect::Stay if record.standing == Standing::Proposed => self.propose(record),
            Effect::Stay => {}
        }
    }

    fn move_to(&mut self, status: Status, record: &Record) {
        if self.status != status {
            self.since = record.at;
        }
        self.status = status;
    }

    /// A person has seen what is proposed, and does not take it up; anybody else takes back what he has proposed himself.
    fn answer_proposals(&mut self, record: &Record) {
        match record.standing {
            Standing::Verified(_) => self.proposals.clear(),
            Standing::Plain | Standing::Proposed => self.take_back(writer(record)),
        }
    }

    fn take_back(&mut self, by: &str) {
        self.proposals.retain(|proposal| folded(&proposal.by) != folded(by));
    }

    fn propose(&mut self, record: &Record) {
        if self.status != Status::Closed {
            let (by, decision) = (writer(record).to_owned(), record.decision());
            self.take_back(&by);
            if self.proposals.len() >= PROPOSALS {
                self.proposals.remove(0);
            }
            let body = record.payload.text("body").unwrap_or_default().trim();
            let says_no_more = body == format!("{by}: {}", decision.as_str());
            let reason = (!says_no_more).then(|| body.chars().take(REASON).collect());
            self.proposals.push(Proposal { version: record.version, decision, by, reason, at: record.at });
        }
    }

    fn warn(&mut self, record: &Record, code: WarningCode) {
        if self.made.flow.is_some() {
            self.warnings.push(Warning { version: record.version, code });
        }
    }

    fn remember(&mut self, record: &Record) {
        if record.is_work() {
            let cast = super::Role::of(&record.role).and_then(|role| self.made.cast.get(&role));
            let person = match &record.standing {
                Standing::Verified(person) => Some(person),
                Standing::Plain | Standing::Proposed => None,
            };
            let handles = [cast, person].into_iter().flatten().map(Handle::as_str);
            self.workers.extend(record.agent.as_deref().into_iter().chain(handles).map(folded));
            self.people.extend(person.map(|person| folded(person.as_str())));
        }
        if let Some((id, mark)) = &record.request {
            self.requests.keep(id, mark, record.version);
        }
    }
}

/// Who wrote a record, as far as it says.
fn writer(record: &Record) -> &str {
    record.agent.as_deref().unwrap_or(&record.role)
}

/// What all spellings of a name have in common, whether or not it is a handle.
fn folded(name: &str) -> String {
    // Also those of other widths, and with letters that show nothing.
    let name: String = name.nfkc().filter(|c| !is_unseen(*c)).collect();
    fold(name.trim().trim_start_matches('@'))
}
