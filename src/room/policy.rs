//! The rules of one room. All have a default; they are fixed when the room is made.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Handle;

/// The rules of one room.
///
/// A rule that a stored room does not name has its default, so that a new rule does not make old rooms unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policy {
    /// How many agents must have joined before it opens.
    pub barrier: Barrier,
    /// When people are asked whether to start without those missing.
    pub barrier_timeout: Duration,
    /// Who may speak.
    pub floor: FloorRule,
    /// What ends a wait.
    pub wake: Wake,
    /// How long a holder may be silent.
    pub turn_lease: Duration,
    /// How long a person may hold the floor while others are queued.
    pub human_hold: Duration,
    /// Whether a person's mentions go to the head of the queue.
    pub human_first: bool,
    /// Turns of agents without a human word until the room pauses; 0 switches the loop guard off.
    pub max_agent_turns: u32,
    /// Who speaks first when the room opens with an empty queue.
    pub first_speaker: Option<Handle>,
    /// Other names of participants.
    pub aliases: Vec<(Handle, Vec<String>)>,
    /// Language of the transcript's labels.
    pub language: Language,
    /// Whether only declared participants may join.
    pub invite_only: bool,
    /// Who is believed to be whom.
    pub identity: Identity,
    /// Whether words and acts of people count only if the hub's human token vouches for them.
    pub humans_verified_only: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            barrier: Barrier::Count(2),
            barrier_timeout: Duration::from_mins(5),
            floor: FloorRule::Strict,
            wake: Wake::All,
            turn_lease: Duration::from_mins(15),
            human_hold: Duration::from_mins(1),
            human_first: false,
            max_agent_turns: 40,
            first_speaker: None,
            aliases: Vec::new(),
            language: Language::En,
            invite_only: false,
            identity: Identity::Open,
            humans_verified_only: false,
        }
    }
}

/// How many agents must have joined before a room opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// Every declared agent.
    All,
    /// So many, or every declared agent if there are fewer.
    Count(u32),
}

/// Who may speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorRule {
    /// Only the holder of the floor, and people.
    Strict,
    /// Everyone.
    Open,
}

/// What ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wake {
    /// Any visible message.
    All,
    /// A turn, a mention or a private message; other messages come with the next answer.
    Batched,
}

/// Who is believed to be whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// A call's handle is believed.
    Open,
    /// A handle belongs to the session that joined it.
    Session,
    /// Every call shows a key.
    Keyed,
}

/// Language of the transcript's labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    En,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Chinese.
    Zh,
}
