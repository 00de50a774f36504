//! Who has to act in what lives in the room, in a task or a puzzle: that is a call which stands until it has moved on.
//!
//! Speaking does not answer it, as it answers a mention. Passing the turn on does, until somebody calls again.

use chrono::{DateTime, Utc};

use super::Handle;

/// Those who have to act in one task, or in one puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Calls(Vec<Call>);

/// Somebody has to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub to: Handle,
    /// Number of the notice with which it began.
    pub since: u64,
    /// When that was.
    pub at: DateTime<Utc>,
    /// Whether whoever is called has passed its turn on, and was not called again.
    pub is_declined: bool,
    /// How many of its mentions that nobody has answered are this call.
    pub mentions: u32,
    /// Whether whoever is called has the floor since before.
    pub had_floor: bool,
}

impl Calls {
    pub(super) fn all(&self) -> impl Iterator<Item = &Call> {
        self.0.iter()
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        self.0.iter_mut()
    }

    pub(super) fn has(&self, handle: &Handle) -> bool {
        self.0.iter().any(|call| call.to == *handle)
    }

    /// From now on these have to act. Gives the calls that are over.
    pub(super) fn replace(
        &mut self,
        to: &[Handle],
        (since, at): (u64, DateTime<Utc>),
        holder: Option<&Handle>,
    ) -> Vec<Call> {
        let mut before = std::mem::take(&mut self.0);
        for handle in to {
            let known = before.iter().position(|call| call.to == *handle);
            self.0.push(match known {
                Some(known) => before.remove(known),
                None => Call {
                    to: handle.clone(),
                    since,
                    at,
                    is_declined: false,
                    mentions: 0,
                    had_floor: holder == Some(handle),
                },
            });
        }
        before
    }

    /// So many mentions of somebody are its call; they are no more, since it waits for others.
    pub(super) fn take_mentions(&mut self, handle: &Handle) -> u32 {
        let calls = self.0.iter_mut().filter(|call| call.to == *handle);
        calls.map(|call| std::mem::take(&mut call.mentions)).sum()
    }

    /// So many more mentions of somebody who has to act are its call.
    pub(super) fn add_mentions(&mut self, handle: &Handle, mentions: u32) {
        for call in self.0.iter_mut().filter(|call| call.to == *handle) {
            call.mentions += mentions;
        }
    }
}
