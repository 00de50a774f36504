//! In which order people read the states of a machine: from where it begins, along its ways.

use std::collections::VecDeque;

use super::{Machine, State, StateId};

impl Machine {
    /// All states that clients see, each with its id: those first that are reached first from where the machine begins,
    /// those last to which nothing leads. What lies in a state stands behind it.
    pub fn in_order(&self) -> impl Iterator<Item = (StateId, &State)> {
        let mut inside = vec![Vec::new(); self.states.len()];
        for id in self.reached_first() {
            inside[self.state(id).parent.unwrap_or_default().0].push(id);
        }
        let mut next: Vec<StateId> = inside[StateId::ROOT.0].iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let id = next.pop()?;
            next.extend(inside[id.0].iter().rev());
            Some((id, self.state(id)))
        })
    }

    /// The states in the order in which a walk from the beginning comes to them, all steps of one length before longer ones.
    fn reached_first(&self) -> Vec<StateId> {
        let mut order = Vec::with_capacity(self.states.len());
        let mut is_known = vec![false; self.states.len()];
        let all = self.all().map(|(id, _)| id);
        for start in [self.first_leg().to].into_iter().chain(all) {
            let mut next = VecDeque::from([start]);
            while let Some(here) = next.pop_front() {
                let mut come: Vec<_> = self.chain(here).take_while(|id| !is_known[id.0]).collect();
                come.reverse();
                for id in come {
                    is_known[id.0] = true;
                    order.push(id);
                    let targets = self.state(id).transitions().filter_map(|way| way.target);
                    next.extend(targets.map(|target| self.innermost(target)));
                }
            }
        }
        order.retain(|id| *id != StateId::ROOT);
        order
    }
}
