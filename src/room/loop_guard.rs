//! Notices when agents only talk to each other: too long, or in a ping-pong of short messages.

use super::event::PauseReason;
use super::{Handle, Policy};

const SHORT_CHARS: usize = 80;
const SHORT_MESSAGES: u32 = 6;

/// What agents have said since the last human word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LoopGuard {
    pub turns: u32,
    /// How many short messages in a row went between the same two.
    short_run: u32,
    pair: Option<(Handle, Handle)>,
}

impl LoopGuard {
    /// A person spoke, or ended a pause, or passed a turn on.
    pub(super) fn human_word(&mut self) {
        *self = Self::default();
    }

    /// An agent spoke.
    pub(super) fn agent_word(&mut self, sender: &Handle, recipients: &[Handle], content: &str) {
        self.turns += 1;
        let pair = match recipients {
            [one] if is_short(content) => Some(ordered(sender.clone(), one.clone())),
            _ => None,
        };
        self.short_run = match (&pair, &self.pair) {
            (None, _) => 0,
            (Some(now), Some(before)) if now == before => self.short_run + 1,
            (Some(_), _) => 1,
        };
        self.pair = pair;
    }

    /// An agent passed its turn on without a word.
    pub(super) fn agent_pass(&mut self) {
        self.turns += 1;
    }

    /// Why the room should pause now, if it should.
    pub(super) fn verdict(&self, policy: &Policy) -> Option<PauseReason> {
        if policy.max_agent_turns == 0 {
            None
        } else if self.turns >= policy.max_agent_turns {
            Some(PauseReason::ManyTurns(self.turns))
        } else if self.short_run >= SHORT_MESSAGES {
            Some(PauseReason::ShortMessages)
        } else {
            None
        }
    }

    /// Turns left until the room pauses.
    pub(super) fn turns_left(&self, policy: &Policy) -> Option<u32> {
        (policy.max_agent_turns > 0).then(|| policy.max_agent_turns.saturating_sub(self.turns))
    }
}

fn is_short(content: &str) -> bool {
    content.chars().take(SHORT_CHARS).count() < SHORT_CHARS
}

fn ordered(one: Handle, other: Handle) -> (Handle, Handle) {
    if one <= other { (one, other) } else { (other, one) }
}
