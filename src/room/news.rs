//! What ends a wait.

use super::floor::Floor;
use super::participant::Participant;
use super::policy::Wake;
use super::state::Phase;
use super::{Handle, Room};

/// What ends a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The room is closed.
    Closed,
    /// The room was paused, and the waiter has not been told.
    Paused,
    /// The floor is the waiter's: the number of the turn.
    YourTurn(u64),
    /// There is a message for the waiter, or a notice that everyone must hear.
    Message,
    /// Nobody has the floor: the number of times that this has been so.
    FloorFree(u64),
}

impl Room {
    /// What ends a wait of `handle`, which has been given everything up to `cursor` and was told `freed` times
    /// that nobody has the floor. While a room gathers or is paused, waits go on.
    #[must_use]
    pub fn news(&self, handle: &Handle, cursor: u64, freed: u64) -> Option<News> {
        let state = &self.state;
        match state.phase {
            Phase::Closed => Some(News::Closed),
            Phase::Gathering => None,
            Phase::Paused => (state.notice_for_all > cursor).then_some(News::Paused),
            Phase::Open => self.news_while_open(state.member(handle)?, cursor, freed),
        }
    }

    fn news_while_open(&self, member: &Participant, cursor: u64, freed: u64) -> Option<News> {
        match &self.state.floor {
            Floor::Held(turn) if turn.handle == member.handle => Some(News::YourTurn(turn.number)),
            _ if self.has_message(member, cursor) => Some(News::Message),
            Floor::Free if self.state.freed > freed && !member.is_human() => {
                Some(News::FloorFree(self.state.freed))
            }
            _ => None,
        }
    }

    /// Whether there is something after `cursor` that ends a wait: a message, or a notice of the opening, of a
    /// pause, of a lapse of its own, or of a puzzle that asks it: that needs no floor.
    fn has_message(&self, member: &Participant, cursor: u64) -> bool {
        let heard = &member.heard;
        let called = heard.addressed.max(heard.lapse).max(heard.wanted);
        let any = match self.state.policy().wake {
            Wake::All => self.state.spoken.by_others(&member.handle),
            Wake::Batched => 0,
        };
        called.max(any).max(self.state.notice_for_all) > cursor
    }

    /// Whether there is a message after `cursor` that would end a wait of `handle`, whoever has the floor.
    #[must_use]
    pub fn has_words(&self, handle: &Handle, cursor: u64) -> bool {
        self.state.member(handle).is_some_and(|member| self.has_message(member, cursor))
    }

    /// Whether a puzzle has called this one anew after `cursor`: that is news also for whoever knows of its turn.
    #[must_use]
    pub fn is_called_anew(&self, handle: &Handle, cursor: u64) -> bool {
        self.state.member(handle).is_some_and(|member| member.heard.called > cursor)
    }

    /// The newest message under this handle itself.
    #[must_use]
    pub fn last_own(&self, handle: &Handle) -> u64 {
        self.state.member(handle).map_or(0, |member| member.heard.own)
    }

    /// How often the floor has become free.
    #[must_use]
    pub fn freed(&self) -> u64 {
        self.state.freed
    }
}
