//! Whom a machine calls: to act in a state, or to judge; and which programs it asks.

use std::collections::BTreeSet;

use super::{Machine, QuestionBy};
use crate::puzzle::guard::Guard;
use crate::room::Handle;

impl Machine {
    /// The programs that its guards ask.
    #[must_use]
    pub fn programs(&self) -> BTreeSet<&str> {
        let programs = self.guards().filter_map(|guard| match guard {
            Guard::Command { name, .. } => Some(name.as_str()),
            _ => None,
        });
        programs.collect()
    }

    fn guards(&self) -> impl Iterator<Item = &Guard> {
        self.states.iter().flat_map(|state| {
            let ways = state.transitions().map(|transition| &transition.guard);
            [&state.exit_guard, &state.enter_guard].into_iter().chain(ways).flat_map(|guards| guards.iter())
        })
    }

    /// Everybody who gets a turn in it: whose a state is, and who may be asked by a guard.
    #[must_use]
    pub fn called(&self) -> BTreeSet<Handle> {
        let mut called = BTreeSet::new();
        let mut asks_reviewers = false;
        called.extend(self.states.iter().flat_map(|state| state.who.iter().cloned()));
        for guard in self.guards() {
            match guard {
                Guard::Participant(panel) => called.extend(panel.who.iter().cloned()),
                Guard::Question(_) => asks_reviewers = true,
                _ => {}
            }
        }
        if asks_reviewers && self.policy.question_by.contains(&QuestionBy::Participant) {
            called.extend(self.policy.reviewers.iter().cloned());
        }
        called
    }
}
