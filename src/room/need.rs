//! What a room needs of a person, as far as its log tells. It decides nothing and changes nothing.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::event::PauseReason;
use super::participant::{Participant, Status};
use super::state::Phase;
use super::{Handle, Room};

/// Something that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// For whom it waits.
    pub to: Handle,
    /// Since when.
    pub since: DateTime<Utc>,
    /// What is needed.
    pub what: Needed,
}

/// What is needed of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    /// An answer to a message.
    Answer {
        /// Its number.
        seq: u64,
        /// Who asks.
        asker: Handle,
    },
    /// A word whether the room shall open without those missing.
    Start {
        /// Who has not joined.
        missing: Vec<Handle>,
    },
    /// The end of a pause that no person made.
    Resume {
        /// Number of its notice.
        seq: u64,
        /// Why the room is paused.
        reason: PauseReason,
    },
    /// A look at somebody who is called, is not here, and has not answered for long.
    Delivery {
        /// Who is called.
        handle: Handle,
    },
    /// A look at a puzzle in which nobody can act who has to.
    Puzzle(Stranded),
}

/// A puzzle that waits for agents which are not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stranded {
    /// Which puzzle.
    pub puzzle: String,
    /// Who has to act.
    pub handles: Vec<Handle>,
    /// Whether all of them have left; others may still come.
    pub have_left: bool,
}

impl Room {
    /// What the room needs of people, in the order of its log for questions, then what concerns the whole room.
    #[must_use]
    pub fn needs(&self) -> Vec<Need> {
        let state = &self.state;
        if state.phase == Phase::Closed {
            return Vec::new();
        }
        let mut needs: Vec<Need> = state
            .questions
            .iter()
            .map(|question| Need {
                to: question.human.clone(),
                since: question.at,
                what: Needed::Answer { seq: question.seq, asker: question.asker.clone() },
            })
            .collect();
        let for_the_room = |since, what| Need { to: self.keeper(), since, what };
        if let Some(since) = state.overdue.filter(|_| state.phase == Phase::Gathering) {
            needs.push(for_the_room(since, Needed::Start { missing: self.missing() }));
        }
        if let Some(pause) = &state.pause
            && !matches!(pause.reason, PauseReason::Person(_))
        {
            let what = Needed::Resume { seq: pause.seq, reason: pause.reason.clone() };
            needs.push(for_the_room(pause.at, what));
        }
        let is_agent = |handle: &Handle| !state.member(handle).is_some_and(Participant::is_human);
        let unanswered = self.timers.unanswered().filter(|(handle, _)| is_agent(handle));
        needs.extend(
            unanswered.map(|(handle, at)| for_the_room(at, Needed::Delivery { handle: handle.clone() })),
        );
        needs.extend(
            self.stranded()
                .filter(|(_, stranded)| stranded.have_left)
                .map(|(since, stranded)| for_the_room(since, Needed::Puzzle(stranded))),
        );
        needs
    }

    /// Puzzles of an open room that wait for agents which are not here, and since when they have to act.
    pub fn stranded(&self) -> impl Iterator<Item = (DateTime<Utc>, Stranded)> {
        let state = &self.state;
        let has_left =
            |handle: &Handle| state.member(handle).is_some_and(|member| member.status == Status::Left);
        state.stranded().filter(|_| state.phase == Phase::Open).map(move |(puzzle, calls)| {
            let handles: Vec<Handle> = calls.iter().map(|call| call.to.clone()).collect();
            let since = calls.iter().map(|call| call.at).min().unwrap_or(state.last_activity);
            let have_left = handles.iter().all(has_left);
            (since, Stranded { puzzle: puzzle.to_owned(), handles, have_left })
        })
    }

    /// The person who looks after the room as a whole.
    #[must_use]
    pub fn keeper(&self) -> Handle {
        self.state.a_human().cloned().unwrap_or_else(Handle::user)
    }
}
