//! A machine as text of Mermaid, its present state marked. Names cannot break out of their labels.

use std::fmt::Write;

use super::limits::{MAX_ARROWS, MAX_DRAWN_STATES};
use super::machine::{Kind, Machine, StateId, Transition};

impl Machine {
    /// The machine as Mermaid text in which no state is marked yet: `class NODE current` at its end marks one. Nothing, if
    /// it is too large to see.
    #[must_use]
    pub fn drawing(&self) -> Option<String> {
        (self.states().count() <= MAX_DRAWN_STATES).then(|| mermaid(self, StateId::ROOT))
    }

    /// What the drawing calls the state of this dotted path.
    #[must_use]
    pub fn node(&self, path: &str) -> String {
        format!("s{}", self.find(path).unwrap_or(StateId::ROOT).0)
    }
}

/// Draws a machine.
pub(super) fn mermaid(machine: &Machine, current: StateId) -> String {
    let mut drawing = Drawing { machine, text: "stateDiagram-v2\n".to_owned(), arrows: 0, undrawn: 0 };
    drawing.states_in(StateId::ROOT, 1);
    drawing.ways_of(StateId::ROOT);
    for (id, _) in machine.in_order() {
        drawing.ways_of(id);
    }
    if drawing.undrawn > 0 {
        let undrawn = drawing.undrawn;
        drawing.line(1, format_args!("%% {undrawn} more transitions are not drawn"));
    }
    drawing.line(1, format_args!("classDef current fill:gold,color:black,stroke:black,stroke-width:3px"));
    if current != StateId::ROOT {
        drawing.line(1, format_args!("class s{} current", current.0));
    }
    drawing.text
}

struct Drawing<'a> {
    machine: &'a Machine,
    text: String,
    arrows: usize,
    undrawn: usize,
}

impl Drawing<'_> {
    fn line(&mut self, depth: usize, line: std::fmt::Arguments<'_>) {
        let indent = 4 * depth;
        writeln!(self.text, "{:indent$}{line}", "").expect("a text takes all that is written");
    }

    /// The states directly in another one.
    fn states_in(&mut self, outer: StateId, depth: usize) {
        let machine = self.machine;
        if let Kind::Compound(first) = machine.state(outer).kind {
            self.line(depth, format_args!("[*] --> s{}", first.0));
        }
        for (id, state) in machine.in_order().filter(|(_, state)| state.parent == Some(outer)) {
            let number = id.0;
            let history = if matches!(state.kind, Kind::History { .. }) { " (history)" } else { "" };
            let label = escaped(&format!("{}{history}", state.key));
            if matches!(state.kind, Kind::Compound(_)) {
                self.line(depth, format_args!("state \"{label}\" as s{number} {{"));
                self.states_in(id, depth + 1);
                self.line(depth, format_args!("}}"));
            } else {
                self.line(depth, format_args!("state \"{label}\" as s{number}"));
            }
            if state.kind == Kind::Final {
                self.line(depth, format_args!("s{number} --> [*]"));
            }
        }
    }

    fn ways_of(&mut self, source: StateId) {
        let state = self.machine.state(source);
        for (action, candidates) in &state.actions {
            self.ways(source, action, candidates);
        }
        self.ways(source, "always", &state.always);
        for (ms, candidates) in &state.after {
            self.ways(source, &format!("after {ms} ms"), candidates);
        }
    }

    fn ways(&mut self, source: StateId, name: &str, candidates: &[Transition]) {
        let state = self.machine.state(source);
        for way in candidates {
            let guard = if way.guard.is_empty() { "" } else { " [guard]" };
            let label = escaped(&format!("{name}{guard}"));
            let target = way.target.unwrap_or(source);
            // Mermaid cannot draw between a state and one in it: the arrow goes to and from what lies innermost.
            let to =
                if self.machine.is_within(source, target) { self.machine.innermost(target) } else { target };
            let is_outer = matches!(state.kind, Kind::Compound(_)) && self.machine.is_within(to, source);
            let froms = if is_outer { self.innermost_in(source) } else { vec![source] };
            for from in froms {
                self.arrow(from, to, &label);
            }
        }
    }

    fn arrow(&mut self, from: StateId, to: StateId, label: &str) {
        if self.arrows == MAX_ARROWS {
            self.undrawn += 1;
            return;
        }
        self.arrows += 1;
        self.line(1, format_args!("s{} --> s{} : {label}", from.0, to.0));
    }

    /// The states in which a machine can be while it is in this one.
    fn innermost_in(&self, outer: StateId) -> Vec<StateId> {
        let inside = self.machine.states().filter(|(id, state)| {
            state.kind == Kind::Atomic && *id != outer && self.machine.is_within(*id, outer)
        });
        inside.map(|(id, _)| id).collect()
    }
}

/// A label of which Mermaid sees letters, digits and spaces only; all else is told by its number.
fn escaped(text: &str) -> String {
    // Mermaid takes these words for its own wherever they stand; without a space it does not.
    let is_command = text.contains("direction");
    let mut escaped = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c == ' ' && !is_command {
            escaped.push(c);
        } else {
            write!(escaped, "#{};", u32::from(c)).expect("a text takes all that is written");
        }
    }
    escaped
}
