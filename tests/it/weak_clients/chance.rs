//! Seeded chance: the same seed plays the same debate.

use std::time::Duration;

use super::pace::Pace;

/// A splitmix generator.
#[derive(Clone, Debug)]
pub(super) struct Chance {
    state: u64,
    /// All times are divided by it.
    hurry: u32,
}

impl Chance {
    pub(super) fn new(seed: u64, pace: Pace) -> Self {
        Self { state: seed, hurry: pace.hurry }
    }

    /// A generator of its own for somebody, so that one player's luck does not depend on another's.
    pub(super) fn split(&mut self) -> Self {
        Self { state: self.next(), hurry: self.hurry }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, cases: u64) -> bool {
        self.below(100) < cases
    }

    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(choices.len() as u64)).expect("a small number");
        &choices[at]
    }

    /// A time between two numbers of seconds, to the millisecond, at the pace of the debate.
    pub(super) fn seconds(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_millis(least * 1_000 + self.below((most - least) * 1_000 + 1)) / self.hurry
    }
}
