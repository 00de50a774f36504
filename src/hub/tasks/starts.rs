//! What was started for a task: a stream of its own beside the log of the task, written before a program runs.
//!
//! So a hub that dies in between starts nothing twice. What ran when it died is known by its place.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use tokio_util::sync::DropGuard;

use crate::hub::aggregate::{Aggregate, check};
use crate::hub::bells::AtWork;
use crate::hub::codec::{self, Stored};
use crate::hub::pages;
use crate::hub::silence::Silence;
use crate::hub::tasks::{TaskSettings, TaskState};
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};
use crate::room::Now;
use crate::room::event::kinds;
use crate::task::turns::{End, Ended, Last};
use crate::task::{Role, Task};

/// Streams of what was started for a task end so.
pub(super) const STARTS: &str = "-starts";
/// So many starts are counted at most.
const KNOWN: usize = 10_000;

/// What was started for a task, by role.
#[derive(Debug, Default)]
pub(super) struct Starts {
    version: Version,
    is_loaded: bool,
    by_role: BTreeMap<Role, Started>,
    /// The record after which the silence was told.
    stall_told: Option<u64>,
    /// After which records a turn was begun with that no person has started, since a person has last started somebody: the newest
    /// [`KNOWN`].
    by_hub: VecDeque<u64>,
}

/// The newest start of a role.
#[derive(Debug)]
struct Started {
    begun: Begun,
    since: Silence,
    end: Option<Over>,
    /// Whether this hub has started it.
    is_ours: bool,
    /// As long as it runs.
    at_work: Option<AtWork>,
    /// Ends it when it is not needed any more.
    ending: Option<DropGuard>,
}

/// A program is about to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begun {
    /// For which part.
    pub role: Role,
    /// The record with which the turn began.
    pub turn: u64,
    /// How many records there were.
    pub version: u64,
    /// Which start it is in its turn.
    pub attempt: u32,
    /// Whether a person has started it, not the hub by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_by_person: bool,
}

/// A program has ended.
#[derive(Clone, Debug)]
struct Over {
    version: u64,
    was_stopped: bool,
    words: String,
    since: Silence,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Event {
    /// A program is about to run.
    StartBegun {
        begun: Begun,
        #[serde(default)]
        at: DateTime<Utc>,
    },
    /// It has ended, when the task had so many records.
    StartEnded {
        role: Role,
        version: u64,
        has_published: bool,
        was_stopped: bool,
        words: String,
        at: DateTime<Utc>,
    },
    /// It was told that nothing has come after this record.
    StallTold { version: u64 },
}

kinds!(Event {
    Self::StartBegun { .. } => "start_begun",
    Self::StartEnded { .. } => "start_ended",
    Self::StallTold { .. } => "stall_told",
});

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind)
    }
}

/// Reads the whole stream of a task's starts; nothing for any other stream.
pub(in crate::hub) async fn check_starts(
    journal: &dyn Journal,
    stream: &StreamId,
) -> Option<Result<(), JournalError>> {
    let is_beside = stream.as_str().starts_with(Task::PREFIX) && stream.as_str().ends_with(STARTS);
    if is_beside { Some(check::<Event>(journal, stream).await) } else { None }
}

/// The stream of a task's starts.
fn beside(stream: &StreamId) -> StreamId {
    StreamId::parse(&format!("{stream}{STARTS}")).expect("the name is plain")
}

/// Where the program of a role runs: the name of what it leaves there.
pub(super) fn place(stream: &StreamId, role: Role) -> String {
    format!("{stream}-{role}")
}

impl Begun {
    /// The hub itself starts this role in a task that stands like this.
    pub(super) fn by_hub(role: Role, state: &TaskState, attempt: u32) -> Self {
        Self { role, turn: state.turn, version: state.version, attempt, is_by_person: false }
    }
}

impl Starts {
    /// Reads what was stored, once. A damage is one of the task.
    pub(super) async fn load(
        &mut self,
        journal: &dyn Journal,
        task: &StreamId,
        now: Now,
    ) -> Result<(), JournalError> {
        if self.is_loaded {
            return Ok(());
        }
        let stream = beside(task);
        let read = pages::read_on(journal, &stream, self.version, |page| {
            for (event, version) in codec::decode::<Event>(&stream, page)? {
                self.apply(event, version, now);
            }
            Ok::<_, JournalError>(ControlFlow::Continue(()))
        });
        read.await?;
        self.is_loaded = true;
        Ok(())
    }

    /// What became of the program that was started last for the turn of a role, in a task that stands like this.
    pub(super) fn last(&self, role: Role, state: &TaskState, now: Now) -> Option<Last> {
        let started = self.by_role.get(&role)?;
        let since = started.since.length(now.mono);
        let is_of_earlier = started.begun.turn != state.turn;
        let Some(over) = &started.end else { return Some(Last::Runs { since, is_of_earlier }) };
        if is_of_earlier {
            return None;
        }
        let published = state.published.filter(|record| *record > started.begun.version);
        let end = match published {
            _ if over.was_stopped => End::Stopped,
            Some(record) if state.version > over.version.max(record) => End::Answered,
            // What it has left running may publish later.
            Some(_) => End::HalfDone,
            None => End::InVain,
        };
        let (ago, attempt) = (over.since.length(now.mono), started.begun.attempt);
        let ran = since.saturating_sub(ago);
        Some(Last::Ended(Ended { ago, ran, attempt, end, words: over.words.clone() }))
    }

    /// The programs that an earlier hub has started, and whose end nobody has seen.
    pub(super) fn left_over(&self) -> Vec<Begun> {
        let left = self.by_role.values().filter(|started| started.end.is_none() && !started.is_ours);
        left.map(|started| started.begun).collect()
    }

    /// Lets the agent of a role count as at work, until it ends.
    pub(super) fn count_as_at_work(&mut self, role: Role, at_work: impl FnOnce() -> Option<AtWork>) {
        if let Some(started) = self.by_role.get_mut(&role).filter(|started| started.end.is_none())
            && started.at_work.is_none()
        {
            started.at_work = at_work();
        }
    }

    /// The newest start of a role.
    pub(super) fn begun(&self, role: Role) -> Option<Begun> {
        self.by_role.get(&role).map(|started| started.begun)
    }

    /// How often somebody was started without a person since the newest record of one, if that is too often.
    pub(super) fn went_round(&self, state: &TaskState, settings: &TaskSettings) -> Option<u32> {
        let since = self.by_hub.iter().filter(|version| **version >= state.heard_person).count();
        let (times, most) = (u32::try_from(since).unwrap_or(u32::MAX), settings.max_auto_turns);
        (most > 0 && times >= most).then_some(times)
    }

    /// Whether the silence after this record was told.
    pub(super) fn is_stall_told(&self, version: u64) -> bool {
        self.stall_told == Some(version)
    }

    /// A program is about to run. One of this hub that still plays the same part is ended.
    pub(super) async fn begin(
        &mut self,
        (journal, task): (&dyn Journal, &StreamId),
        begun: Begun,
        ending: DropGuard,
        now: Now,
    ) -> Result<(), AppendError> {
        self.store(journal, task, Event::StartBegun { begun, at: now.wall }, now).await?;
        if let Some(started) = self.by_role.get_mut(&begun.role) {
            (started.is_ours, started.ending) = (true, Some(ending));
        }
        Ok(())
    }

    /// The program of a role has ended; `words` is nothing when the hub stops it.
    pub(super) async fn end(
        &mut self,
        (journal, task): (&dyn Journal, &StreamId),
        (role, version, has_published): (Role, u64, bool),
        words: Option<String>,
        now: Now,
    ) -> Result<(), AppendError> {
        let (was_stopped, words) = (words.is_none(), words.unwrap_or_default());
        let ended = Event::StartEnded { role, version, has_published, was_stopped, words, at: now.wall };
        self.store(journal, task, ended, now).await
    }

    /// Ends all that this hub has started and that runs.
    pub(super) fn end_all(&mut self) {
        for started in self.by_role.values_mut() {
            drop(started.ending.take());
        }
    }

    /// It is told that nothing has come after this record.
    pub(super) async fn tell_stall(
        &mut self,
        (journal, task): (&dyn Journal, &StreamId),
        version: u64,
        now: Now,
    ) -> Result<(), AppendError> {
        self.store(journal, task, Event::StallTold { version }, now).await
    }

    async fn store(
        &mut self,
        journal: &dyn Journal,
        task: &StreamId,
        event: Event,
        now: Now,
    ) -> Result<(), AppendError> {
        let encoded = vec![codec::encode(&event)];
        // If this is broken off, the next one reads what was stored.
        self.is_loaded = false;
        let version = journal.append(&beside(task), self.version, encoded, now.wall).await?;
        self.apply(event, version, now);
        self.is_loaded = true;
        Ok(())
    }

    fn apply(&mut self, event: Event, version: Version, now: Now) {
        self.version = version;
        match event {
            Event::StartBegun { begun, at } => {
                self.count(begun);
                let since = Silence::loaded(at, now);
                let started =
                    Started { begun, since, end: None, is_ours: false, at_work: None, ending: None };
                self.by_role.insert(begun.role, started);
            }
            Event::StartEnded { role, version, was_stopped, words, at, .. } => {
                if let Some(started) = self.by_role.get_mut(&role) {
                    let since = Silence::loaded(at, now);
                    started.end = Some(Over { version, was_stopped, words, since });
                    started.at_work = None;
                    drop(started.ending.take());
                }
            }
            Event::StallTold { version } => self.stall_told = Some(version),
        }
    }

    fn count(&mut self, begun: Begun) {
        if begun.is_by_person {
            return self.by_hub.clear();
        }
        let before = self.by_role.get(&begun.role).filter(|before| before.begun.turn == begun.turn);
        let was_stopped = before.and_then(|before| before.end.as_ref()).is_some_and(|end| end.was_stopped);
        if begun.attempt == 1 && !was_stopped {
            self.by_hub.push_back(begun.version);
            if self.by_hub.len() > KNOWN {
                self.by_hub.pop_front();
            }
        }
    }
}
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Its stored form never changes again.
    #[test]
    fn the_stored_form_of_each_event_is_fixed() {
        let by_hub = Begun { role: Role::Executor, turn: 2, version: 3, attempt: 1, is_by_person: false };
        let by_person = Begun { is_by_person: true, ..by_hub };
        let ended = |was_stopped| Event::StartEnded {
            role: Role::Executor,
            version: 3,
            has_published: true,
            was_stopped,
            words: "done".to_owned(),
            at: DateTime::UNIX_EPOCH,
        };
        let events = [
            Event::StartBegun { begun: by_hub, at: DateTime::UNIX_EPOCH },
            Event::StartBegun { begun: by_person, at: DateTime::UNIX_EPOCH },
            ended(false),
            ended(true),
            Event::StallTold { version: 3 },
        ];
        let kinds: BTreeSet<_> = events.iter().map(Event::kind).collect();
        assert_eq!(kinds, Event::KINDS.iter().copied().collect(), "each kind is there");
        let lines = events.map(|event| {
            let line = serde_json::to_string(&event).unwrap();
            assert!(line.contains(&format!(r#"{{"kind":"{}""#, event.kind())), "{line}");
            let read: Event = serde_json::from_str(&line).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), line);
            line
        });
        insta::assert_snapshot!(lines.join("\n"));
    }
}
