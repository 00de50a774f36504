//! How long to wait for, and whether to try again when the hub is away. Reads no clock.

use std::time::Duration;

use crate::cli::failure::Failure;

/// One call waits at most so long. A given time may be longer: then there are several.
const ROUND: Duration = Duration::from_hours(1);
/// A restart of the hub takes less; an agent that waits is to notice nothing of it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The rounds of one wait. `now` is the time since it began.
#[derive(Debug)]
pub(in crate::cli) struct Rounds {
    limit: Option<Duration>,
    has_met_hub: bool,
    lost_since: Option<Duration>,
}

impl Rounds {
    /// Rounds until `limit`, or without end.
    pub(in crate::cli) fn new(limit: Option<Duration>) -> Self {
        Self { limit, has_met_hub: false, lost_since: None }
    }

    /// How long the next round may last.
    pub(in crate::cli) fn length(&self, now: Duration) -> Duration {
        self.limit.map_or(ROUND, |limit| limit.saturating_sub(now).min(ROUND))
    }

    /// Whether no time is left.
    pub(in crate::cli) fn is_over(&self, now: Duration) -> bool {
        self.limit.is_some_and(|limit| limit <= now)
    }

    /// The hub has answered.
    pub(in crate::cli) fn met(&mut self) {
        self.has_met_hub = true;
        self.lost_since = None;
    }

    /// A round came to nothing. Whether another try is worth it: only if the hub is away for a short while. A call that
    /// broke off in the middle had met it.
    pub(in crate::cli) fn goes_on_after(&mut self, failure: &Failure, now: Duration) -> bool {
        self.has_met_hub |= matches!(failure, Failure::Unreachable { source, .. } if !source.is_connect());
        matches!(failure, Failure::NoHub(_) | Failure::Unreachable { .. }) && self.lost(now)
    }

    /// The hub cannot be reached. Whether another try is worth it: it was there before, and is not away for
    /// long.
    fn lost(&mut self, now: Duration) -> bool {
        let since = *self.lost_since.get_or_insert(now);
        self.has_met_hub && !self.is_over(now) && now.saturating_sub(since) < PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn without_a_limit_it_waits_hour_after_hour() {
        let rounds = Rounds::new(None);
        assert_eq!(rounds.length(seconds(1_000_000)), ROUND);
        assert!(!rounds.is_over(seconds(1_000_000)));
    }

    #[test]
    fn a_limit_is_kept_to_the_end() {
        let rounds = Rounds::new(Some(seconds(4000)));
        assert_eq!(rounds.length(seconds(0)), ROUND);
        assert_eq!(rounds.length(seconds(3600)), seconds(400));
        assert!(!rounds.is_over(seconds(3999)));
        assert!(rounds.is_over(seconds(4000)));
    }

    #[test]
    fn a_hub_that_never_answered_is_not_waited_for() {
        assert!(!Rounds::new(None).lost(seconds(0)));
    }

    #[test]
    fn a_hub_that_restarts_is_waited_for_but_not_for_ever() {
        let mut rounds = Rounds::new(None);
        rounds.met();
        assert!(rounds.lost(seconds(100)));
        assert!(rounds.lost(seconds(129)));
        assert!(!rounds.lost(seconds(130)));
        rounds.met();
        assert!(rounds.lost(seconds(200)));
    }
}
