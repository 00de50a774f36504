//! What the calls of one client teach. Pure: it is told how long they took.

use std::time::Duration;

/// No client gets less, whatever was learned.
const LEAST: Duration = Duration::from_secs(20);
/// Two calls that a client itself gives up end at the same age, but for this share. A person who interrupts does so
/// at any age.
const SAME_AGE: f64 = 0.05;
/// Ages that are remembered until another one is like them.
const REMEMBERED: usize = 4;
/// The next waits take this share of the age at which calls were given up.
const LOWERED: f64 = 0.9;
/// A wait that may be longer again grows by this factor.
const RAISED: f64 = 1.25;
/// So many waits in a row must end well before the next one is longer; after each disappointment twice as many.
const FEWEST: u32 = 5;
const MOST: u32 = 160;
/// A wait that ends this much early still counts as a whole one.
const SLACK: Duration = Duration::from_secs(1);

/// What the calls of one client have taught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Learned {
    lowered: Option<Duration>,
    needed: u32,
    /// Ages of calls that were given up, and like which there was no other.
    ages: Vec<Duration>,
    /// Waits of the present length in a row that ended well.
    fine: u32,
}

impl Default for Learned {
    fn default() -> Self {
        Self { lowered: None, needed: FEWEST, ages: Vec::new(), fine: 0 }
    }
}

impl Learned {
    /// What was kept: how long, and how many waits must end well.
    pub(super) fn kept(lowered: Duration, needed: u32) -> Self {
        Self {
            lowered: Some(lowered.max(LEAST)),
            needed: needed.clamp(FEWEST, MOST),
            ages: Vec::new(),
            fine: 0,
        }
    }

    /// How long calls may block, if `most` is the longest wait that is known to be safe.
    pub(super) fn limit(&self, most: Duration) -> Duration {
        self.lowered.map_or(most, |lowered| lowered.min(most))
    }

    /// Whether waits are shorter than they were thought to be safe.
    pub(super) fn is_lowered(&self) -> bool {
        self.lowered.is_some()
    }

    /// What is worth keeping.
    pub(super) fn to_keep(&self) -> Option<(Duration, u32)> {
        self.lowered.map(|lowered| (lowered, self.needed))
    }

    /// Whether a call that was given up after so long tells anything: earlier, its client had other reasons.
    pub(super) fn tells(after: Duration) -> bool {
        after >= LEAST
    }

    /// A call was given up after so long. Whether that shortens the next ones.
    pub(super) fn given_up(&mut self, after: Duration, most: Duration) -> bool {
        self.fine = 0;
        if !Self::tells(after) {
            return false;
        }
        let Some(place) = self.ages.iter().position(|age| is_same(*age, after)) else {
            if self.ages.len() == REMEMBERED {
                self.ages.remove(0);
            }
            self.ages.push(after);
            return false;
        };
        let first = after.min(self.ages[place]);
        self.ages.clear();
        let lowered = first.mul_f64(LOWERED).max(LEAST);
        if lowered >= self.limit(most) {
            return false;
        }
        if self.lowered.is_some() {
            self.needed = (self.needed * 2).min(MOST);
        }
        self.lowered = Some(lowered);
        true
    }

    /// A call ended by itself after so long, and its answer arrived. Whether that makes the next ones longer.
    pub(super) fn arrived(&mut self, after: Duration, most: Duration) -> bool {
        let Some(lowered) = self.lowered.filter(|lowered| after + SLACK >= *lowered) else { return false };
        self.fine += 1;
        if self.fine < self.needed {
            return false;
        }
        self.fine = 0;
        let raised = lowered.mul_f64(RAISED);
        self.lowered = (raised < most).then_some(raised);
        true
    }
}

fn is_same(one: Duration, other: Duration) -> bool {
    one.abs_diff(other) <= one.max(other).mul_f64(SAME_AGE)
}
