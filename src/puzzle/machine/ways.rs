//! Which states one transition leaves and enters.

use std::collections::BTreeMap;

use super::{Kind, Machine, StateId, Transition};

/// One step between two innermost states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The innermost state that it leads to.
    pub to: StateId,
    /// The innermost state that is not left by it.
    pub within: StateId,
}

impl Machine {
    /// Where a machine begins.
    #[must_use]
    pub fn first_leg(&self) -> Leg {
        Leg { to: self.innermost(StateId::ROOT), within: StateId::ROOT }
    }

    /// The step that a transition of `source` makes while the machine is in `current`.
    ///
    /// `left_from` names the innermost state in which each state was left last.
    #[must_use]
    pub fn leg(
        &self,
        current: StateId,
        source: StateId,
        transition: &Transition,
        left_from: &BTreeMap<StateId, StateId>,
    ) -> Leg {
        let Some(target) = transition.target else { return Leg { to: current, within: current } };
        let target = self.without_history(target, left_from);
        let within = if !transition.reenters && self.is_within(target, source) {
            source
        } else {
            self.around_both(source, target)
        };
        Leg { to: self.innermost(target), within }
    }

    /// The states that a step out of `current` leaves, the innermost first.
    pub fn left(&self, current: StateId, leg: Leg) -> impl Iterator<Item = StateId> {
        self.chain(current).take_while(move |id| *id != leg.within && *id != StateId::ROOT)
    }

    /// The states that a step enters, the outermost first.
    #[must_use]
    pub fn entered(&self, leg: Leg) -> Vec<StateId> {
        let mut entered: Vec<_> = self.left(leg.to, leg).collect();
        entered.reverse();
        entered
    }

    /// Whether `id` is `outer`, or lies in it.
    #[must_use]
    pub fn is_within(&self, id: StateId, outer: StateId) -> bool {
        self.chain(id).any(|around| around == outer)
    }

    /// The state that a way leads to, if it leads to where its parent was left.
    fn without_history(&self, id: StateId, left_from: &BTreeMap<StateId, StateId>) -> StateId {
        let state = self.state(id);
        let Kind::History { is_deep, target } = state.kind else { return id };
        let parent = state.parent.unwrap_or_default();
        match left_from.get(&parent) {
            Some(innermost) if is_deep => *innermost,
            Some(innermost) => {
                let is_below = |id: &StateId| self.state(*id).parent == Some(parent);
                self.chain(*innermost).find(is_below).unwrap_or(parent)
            }
            None => target.unwrap_or(parent),
        }
    }

    /// The state in which one is after entering `id`.
    pub(in crate::puzzle) fn innermost(&self, id: StateId) -> StateId {
        match self.state(id).kind {
            Kind::Compound(first) => self.innermost(first),
            _ => id,
        }
    }

    /// The innermost state that has both inside, and is none of them.
    fn around_both(&self, one: StateId, other: StateId) -> StateId {
        let mut around = self.chain(one).skip(1);
        around.find(|id| *id != other && self.is_within(other, *id)).unwrap_or(StateId::ROOT)
    }
}
