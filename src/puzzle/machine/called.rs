//! Whom a machine calls: to act in a state, or to judge.

use std::collections::BTreeSet;

use super::{Machine, QuestionBy};
use crate::puzzle::guard::Guard;
use crate::room::Handle;

impl Machine {
    /// Everybody who gets a turn in it: whose a state is, and who may be asked by a guard.
    #[must_use]
    pub fn called(&self) -> BTreeSet<Handle> {
        let mut called = BTreeSet::new();
        let mut asks_reviewers = false;
        for state in &self.states {
            called.extend(state.who.iter().cloned());
            let guards = [&state.exit_guard, &state.enter_guard];
            let ways = state.transitions().map(|transition| &transition.guard);
            for guard in guards.into_iter().chain(ways).flat_map(|guards| guards.iter()) {
                match guard {
                    Guard::Participant(panel) => called.extend(panel.who.iter().cloned()),
                    Guard::Question(_) => asks_reviewers = true,
                    _ => {}
                }
            }
        }
        if asks_reviewers && self.policy.question_by.contains(&QuestionBy::Participant) {
            called.extend(self.policy.reviewers.iter().cloned());
        }
        called
    }
}
