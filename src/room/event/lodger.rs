//! What lives in a room and has rules of its own, a task or a puzzle, tells the room what happened to it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::room::Handle;

/// A task that lives in the room has moved on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskMoved {
    /// Number of the notice.
    pub seq: u64,
    /// Which task.
    pub task: String,
    /// Its newest record; 0 when it was made.
    pub version: u64,
    /// What that record is: one word.
    pub content: String,
    /// What it says in a line.
    pub summary: String,
    /// Whether it is a decision that nobody vouches for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_proposed: bool,
    /// Where the task stands now: one word.
    pub status: String,
    /// Who has to act.
    pub to: Option<Handle>,
    /// When.
    pub at: DateTime<Utc>,
}

/// Something happened to a puzzle that lives in the room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleTold {
    /// Number of the notice.
    pub seq: u64,
    /// Which puzzle.
    pub puzzle: String,
    /// How much had happened to it by then.
    pub version: u64,
    /// What happened.
    pub what: PuzzleStep,
    /// Who has to act from now on.
    pub to: Vec<Handle>,
    /// Who had to, and has not any more.
    pub relieved: Vec<Handle>,
    /// What waits for answers from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<PuzzleQuestion>,
    /// Whether only time moves it: a timer runs, and there is nothing to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_timed: bool,
    /// When.
    pub at: DateTime<Utc>,
}

/// An action on a puzzle waits for answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleQuestion {
    /// Who acts; nobody where time does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Handle>,
    /// Who is asked, and has not answered.
    pub asks: Vec<Handle>,
    /// How many of them must agree.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub needed: usize,
    /// What is to be done then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub action: String,
}

/// Logs that do not say how many must agree are of a time before it was told; of most guards it is one.
const fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_one(needed: &usize) -> bool {
    *needed == 1
}

impl PuzzleQuestion {
    pub(in crate::room) fn handles(&mut self) -> impl Iterator<Item = &mut Handle> {
        self.by.iter_mut().chain(&mut self.asks)
    }
}

/// Where a puzzle stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleState {
    /// The name of the state.
    pub state: String,
    /// The name of the same in the drawing.
    pub node: String,
    /// Whether it is the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_final: bool,
}

/// What happened to a puzzle, as far as a room cares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum PuzzleStep {
    /// It was added.
    Added {
        /// Where it stands.
        place: PuzzleState,
        /// The machine in Mermaid's words, without a mark of where it stands; nothing for one that is too large to see.
        drawing: Option<String>,
    },
    /// It went from one state to another, or to the same again.
    Moved {
        /// Where it stood.
        from: String,
        /// Where it stands.
        place: PuzzleState,
        /// What did it: an action or a time that was over.
        action: String,
        /// Who acted; nobody where time did.
        by: Option<Handle>,
    },
    /// A guard asks somebody before an action goes on.
    Asked {
        /// The guard.
        guard: String,
        /// What it asks.
        question: String,
        /// The action that waits.
        action: String,
        /// Who acted.
        by: Option<Handle>,
        /// Who may answer.
        asked: Vec<Handle>,
    },
    /// Somebody has answered a guard. Others are asked still, or the action goes on.
    Answered {
        /// The guard.
        guard: String,
        /// The action that waits.
        action: String,
        /// Who has answered; nobody where programs have.
        by: Option<Handle>,
        /// Whether it may go on.
        pass: bool,
        /// Who has to do the action once more, since what is left to ask is asked at the client that acts.
        again: Option<Handle>,
    },
    /// A guard has refused an action.
    Refused {
        /// Where the puzzle stands still.
        state: String,
        /// The action that was refused.
        action: String,
        /// Who has refused it; nobody where no person or agent did.
        by: Option<Handle>,
        /// Who acted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        actor: Option<Handle>,
        /// Why.
        reason: String,
    },
    /// It was removed.
    Removed,
}

impl PuzzleStep {
    /// Whether the puzzle comes to a state by it, which may be the one it was in.
    pub(in crate::room) fn enters_a_state(&self) -> bool {
        matches!(self, Self::Added { .. } | Self::Moved { .. })
    }

    /// Who of those who had to act still has to, while more follows, after which these have to.
    pub(in crate::room) fn still_called(&self, before: &[Handle], last: &[Handle]) -> Vec<Handle> {
        let is_over = |handle: &&Handle| match self {
            Self::Answered { by, .. } => by.as_ref() == Some(*handle) && !last.contains(handle),
            _ => self.enters_a_state(),
        };
        before.iter().filter(|handle| !is_over(handle)).cloned().collect()
    }

    /// Who has acted.
    pub(in crate::room) fn actor(&self) -> Option<&Handle> {
        match self {
            Self::Moved { by, .. } | Self::Asked { by, .. } => by.as_ref(),
            Self::Refused { actor, .. } => actor.as_ref(),
            Self::Added { .. } | Self::Answered { .. } | Self::Removed => None,
        }
    }

    /// Who is asked by it, or has to act once more.
    pub(in crate::room) fn wants(&self) -> &[Handle] {
        match self {
            Self::Asked { asked, .. } => asked,
            Self::Answered { again, .. } => again.as_slice(),
            _ => &[],
        }
    }
}
