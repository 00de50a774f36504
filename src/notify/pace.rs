//! How fast people are told, and how long is waited for those who do not listen.

use std::time::Duration;

/// How fast people are told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// So long is waited for more of the same moment.
    pub(super) moment: Duration,
    /// After a failure so long is waited; after each further one twice as long,
    pub(super) first_delay: Duration,
    /// but never longer.
    pub(super) longest_delay: Duration,
    /// What is under way at the end gets so long.
    pub(super) grace: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            // People are to know within a second.
            moment: Duration::from_millis(400),
            first_delay: Duration::from_secs(1),
            longest_delay: Duration::from_mins(5),
            grace: Duration::from_secs(1),
        }
    }
}

impl Pace {
    /// How long to wait after so many failures in a row.
    pub(super) fn delay(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures.saturating_sub(1));
        self.first_delay.saturating_mul(factor).min(self.longest_delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_up_to_the_longest_one() {
        let pace = Pace::default();
        let seconds = [1, 2, 3, 9, 10, 100].map(|failures| pace.delay(failures).as_secs());
        assert_eq!(seconds, [1, 2, 4, 256, 300, 300]);
    }
}
