//! The machine of a puzzle, as the page and the terminal read it.

use serde_json::{Value, json};

use crate::puzzle::machine::{Kind, Machine, State, StateId, Transition};
use crate::puzzle::{Guards, Puzzle};

/// What leads out of a state, each with what takes it.
pub(super) fn ways_of(state: &State) -> impl Iterator<Item = (String, &Transition)> {
    let actions =
        state.actions.iter().flat_map(|(action, ways)| ways.iter().map(move |way| (action.clone(), way)));
    let always = state.always.iter().map(|way| ("always".to_owned(), way));
    let timers = state.after.iter().flat_map(|(ms, ways)| ways.iter().map(move |way| (after(*ms), way)));
    actions.chain(always).chain(timers)
}

/// So many milliseconds, for people.
pub(super) fn after(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0 => format!("after {ms} ms"),
        1..60 => format!("after {seconds} s"),
        60..3_600 => format!("after {} min", seconds / 60),
        3_600..86_400 => format!("after {} h", seconds / 3_600),
        _ => format!("after {} d", seconds / 86_400),
    }
}

/// The machine as JSON: of each state what leads out of it, and which one the puzzle is in; and the document of that.
pub(super) fn json(puzzle: &Puzzle) -> Value {
    let machine = puzzle.machine();
    let current = machine.find(puzzle.current()).map(|id| machine.state(id));
    let document = current.and_then(|state| state.resource.as_ref()).map(|document| document.text.as_str());
    let root = (StateId::ROOT, machine.state(StateId::ROOT));
    let all = [root].into_iter().chain(machine.in_order());
    let shown = all.filter(|(id, state)| *id != StateId::ROOT || ways_of(state).next().is_some());
    let states: Vec<_> = shown
        .map(|(_, state)| {
            json!({
                "state": state.path,
                "isCurrent": state.path == puzzle.current(),
                "isFinal": state.kind == Kind::Final,
                "who": state.who,
                "exitGuards": words(&state.exit_guard),
                "enterGuards": words(&state.enter_guard),
                "ways": ways_of(state).map(|(name, way)| way_json(machine, state, &name, way)).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "states": states, "document": document })
}

fn way_json(machine: &Machine, state: &State, name: &str, way: &Transition) -> Value {
    let to = way.target.map_or(&state.path, |target| &machine.state(target).path);
    json!({ "action": name, "to": to, "allowed": way.allowed, "guards": words(&way.guard) })
}

/// Guards in words.
fn words(guards: &Guards) -> Vec<String> {
    guards.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn a_time_is_said_in_its_largest_unit() {
        for (ms, words) in [
            (250, "after 250 ms"),
            (59_000, "after 59 s"),
            (90_000, "after 1 min"),
            (7_200_000, "after 2 h"),
            (172_800_000, "after 2 d"),
        ] {
            assert_eq!(after(ms), words);
        }
    }
}
