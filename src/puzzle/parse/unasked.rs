//! Guards that nobody can answer: of timers, which have no client, and questions for which the policy names nobody.

use super::warnings::place;
use crate::puzzle::fault::Warning;
use crate::puzzle::guard::{Guard, Guards};
use crate::puzzle::machine::{Machine, Policy, QuestionBy, StateId, Transition, Unavailable};

/// Why a timer cannot pass a guard.
pub(super) const NO_CLIENT: &str =
    "a timer has no client that could be asked; ask a `participant`, or name a `command`";

/// What can never be answered, and so always refuses.
pub(super) fn warnings(machine: &Machine) -> Vec<Warning> {
    if machine.policy.unavailable == Unavailable::Allow {
        return Vec::new();
    }
    let mut warnings = Vec::new();
    for (id, state) in machine.all() {
        let path = place(machine, id);
        let mut warn = |problem: String| warnings.push(Warning { path: path.clone(), problem });
        let own = [("exitGuard", &state.exit_guard), ("enterGuard", &state.enter_guard)];
        let own = own.map(|(name, guards)| (format!("`{name}`"), guards));
        let on_ways = state.actions.iter().map(|(name, ways)| (format!("the guard of `{name}`"), ways));
        let on_ways = on_ways.filter_map(|(name, ways)| Some((name, &ways.last()?.guard)));
        for (name, guards) in own.into_iter().chain(on_ways) {
            if is_for_nobody(guards, &machine.policy) {
                warn(format!("nobody can answer {name}: {NOBODY}"));
            }
        }
        for (ms, ways) in &state.after {
            if let Some(guard) = ways.iter().find_map(|way| needs_a_client(machine, id, way)) {
                warn(format!("`after` {ms} never passes {guard}: {NO_CLIENT}"));
            }
        }
    }
    warnings
}

const NOBODY: &str = "`policy` names no `reviewer`, and `questionBy` nobody else";

/// Whether a question stands there that nobody can be asked, whoever acts.
fn is_for_nobody(guards: &Guards, policy: &Policy) -> bool {
    let by = &policy.question_by;
    let asks_nobody = by.iter().all(|by| *by == QuestionBy::Participant) && policy.reviewers.is_empty();
    asks_nobody && guards.iter().any(|guard| matches!(guard, Guard::Question(_)))
}

/// A guard on the way of a timer that only a client could answer: its own, or that of a state that is left or entered.
fn needs_a_client(machine: &Machine, source: StateId, way: &Transition) -> Option<String> {
    let target = machine.innermost(way.target?);
    let leg = machine.leg(source, source, way, &std::collections::BTreeMap::new());
    let exits = machine.left(source, leg);
    let left = exits.map(|id| ("exitGuard", id, &machine.state(id).exit_guard));
    let entered = machine.left(target, leg).map(|id| ("enterGuard", id, &machine.state(id).enter_guard));
    let own = std::iter::once(("guard", source, &way.guard));
    let mut on_the_way =
        own.chain(left).chain(entered).filter(|(_, _, guards)| has_client_guard(guards, &machine.policy));
    let (kind, id, _) = on_the_way.next()?;
    Some(format!("the {kind} of `{}`", machine.state(id).path))
}

/// Whether one of these can only be answered by a client that acts.
fn has_client_guard(guards: &Guards, policy: &Policy) -> bool {
    guards.iter().any(|guard| match guard {
        Guard::Question(_) => {
            let asks_participants = policy.question_by.contains(&QuestionBy::Participant);
            !asks_participants || policy.reviewers.is_empty()
        }
        other => other.needs_client(),
    })
}
