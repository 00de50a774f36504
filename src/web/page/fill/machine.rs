//! The machine of a puzzle, to be drawn and in words.

use std::collections::BTreeMap;

use super::inbox::texts;
use crate::puzzle::machine::{Kind, Machine, State, StateId, Transition};
use crate::puzzle::{Guard, Puzzle};
use crate::transcript::{one_line, plain_text};
use crate::web::machine::ways_of;
use crate::web::page::document_path;
use crate::web::page::view::{Drawing, Mermaid, Sketch, SketchState, SketchWay, StateRow, WayRow, Ways};

/// The machine as a drawing; nothing, if there is too much to see.
pub(in crate::web::page) fn drawing(puzzle: &Puzzle) -> Option<Drawing> {
    let machine = puzzle.machine();
    if !Drawing::has_place_for(drawn(machine).count()) {
        return None;
    }
    Drawing::of(&sketch(machine, puzzle.current()))
}

/// The machine as text of Mermaid.
pub(in crate::web::page) fn mermaid(puzzle: &Puzzle) -> Mermaid {
    Mermaid { text: puzzle.mermaid() }
}

/// The states that are drawn as boxes.
fn drawn(machine: &Machine) -> impl Iterator<Item = (StateId, &State)> {
    machine.states().filter(|(_, state)| !matches!(state.kind, Kind::Compound(_)))
}

/// The states in which the machine can be, and the ways between them. What leads out of a state with states in it leads
/// out of each of them.
fn sketch(machine: &Machine, current: &str) -> Sketch {
    let mut places: BTreeMap<StateId, usize> = BTreeMap::new();
    let mut sketch = Sketch::default();
    for (id, state) in drawn(machine) {
        places.insert(id, sketch.states.len());
        let around = state.path.strip_suffix(&state.key).map(|around| around.trim_end_matches('.'));
        sketch.states.push(SketchState {
            name: one_line(&state.key),
            around: around.filter(|around| !around.is_empty()).map(one_line),
            is_current: state.path == current,
            is_final: state.kind == Kind::Final,
            is_history: matches!(state.kind, Kind::History { .. }),
        });
    }
    sketch.first = places.get(&machine.first_leg().to).copied().unwrap_or(0);
    for (source, state) in machine.states().chain([(StateId::ROOT, machine.state(StateId::ROOT))]) {
        for (name, way) in ways_of(state) {
            let guard = if way.guard.is_empty() { "" } else { " [guard]" };
            let froms = places.iter().filter(|(id, _)| {
                let is_stand = !matches!(machine.state(**id).kind, Kind::Final | Kind::History { .. });
                is_stand && machine.is_within(**id, source)
            });
            for (id, from) in froms {
                let target = way.target.map_or(*id, |target| machine.innermost(target));
                let Some(to) = places.get(&target) else { continue };
                let label = one_line(&format!("{name}{guard}"));
                sketch.ways.push(SketchWay { from: *from, to: *to, label });
            }
        }
    }
    sketch
}

/// The machine in words. `is_beside`: a drawing shows it, too.
pub(in crate::web::page) fn ways(puzzle: &Puzzle, is_beside: bool) -> Ways {
    let machine = puzzle.machine();
    let first = machine.first_leg().to;
    let root =
        ways_of(machine.state(StateId::ROOT)).next().is_some().then(|| row(puzzle, StateId::ROOT, first));
    let states = machine.in_order().map(|(id, _)| row(puzzle, id, first));
    Ways { states: root.into_iter().chain(states).collect(), is_beside }
}

fn row(puzzle: &Puzzle, id: StateId, first: StateId) -> StateRow {
    let machine = puzzle.machine();
    let state = machine.state(id);
    let target = |way: &Transition| match way.target {
        Some(target) => one_line(&machine.state(target).path),
        None => "(stays)".to_owned(),
    };
    let ways = ways_of(state).map(|(name, way)| WayRow {
        name: one_line(&name),
        target: target(way),
        notes: notes(way),
    });
    let exit = state.exit_guard.iter().map(|guard| format!("before it is left: {}", said(guard)));
    let enter = state.enter_guard.iter().map(|guard| format!("before it is entered: {}", said(guard)));
    StateRow {
        state: if id == StateId::ROOT { "(every state)".to_owned() } else { one_line(&state.path) },
        kind: match state.kind {
            Kind::Final => Some("end"),
            Kind::History { .. } => Some("back to the last"),
            _ if id == first => Some("begins here"),
            Kind::Atomic | Kind::Compound(_) => None,
        },
        description: state.description.as_deref().map(one_line),
        document: state.resource.as_ref().map(|_| document_path(&puzzle.about().puzzle, &state.path)),
        who: texts(&state.who),
        guards: exit.chain(enter).collect(),
        ways: ways.collect(),
    }
}

/// Who may take a way, what must hold, and what it is for.
fn notes(way: &Transition) -> Vec<String> {
    let allowed = (!way.allowed.is_empty()).then(|| format!("only {}", texts(&way.allowed).join(" or ")));
    allowed
        .into_iter()
        .chain(way.guard.iter().map(said))
        .chain(way.description.as_deref().map(one_line))
        .collect()
}

/// A guard in words.
fn said(guard: &Guard) -> String {
    one_line(&plain_text(&guard.to_string()))
}
