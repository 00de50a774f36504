//! Where a guard stands on a way: what tells it from all others of one action, and what it is called.

/// Where a guard stands.
#[derive(Clone, Copy, Debug)]
pub(in crate::puzzle) struct Check<'a> {
    kind: &'static str,
    state: &'a str,
    step: usize,
    number: usize,
}

impl<'a> Check<'a> {
    /// The guard of a transition.
    pub(in crate::puzzle) fn own(state: &'a str) -> Self {
        Self { kind: "guard", state, step: 0, number: 0 }
    }

    /// The guard of a state that is left.
    pub(in crate::puzzle) fn exit(state: &'a str) -> Self {
        Self { kind: "exitGuard", state, step: 0, number: 0 }
    }

    /// The guard of a state that is entered.
    pub(in crate::puzzle) fn enter(state: &'a str) -> Self {
        Self { kind: "enterGuard", state, step: 0, number: 0 }
    }

    /// The guard of this number in this step.
    pub(in crate::puzzle) fn at(self, step: usize, number: usize) -> Self {
        Self { step, number, ..self }
    }

    /// What tells it from the others of one action, on this way.
    pub(super) fn key(&self, way: &str) -> String {
        format!("{}/{}/{}/{way}/{}", self.step, self.kind, self.number, self.state)
    }

    /// For people and models.
    pub(super) fn name(&self) -> String {
        let of = if self.state.is_empty() { "the machine".to_owned() } else { format!("`{}`", self.state) };
        let which = if self.number == 0 { String::new() } else { format!(" ({})", self.number + 1) };
        format!("the {}{which} of {of}", self.kind)
    }
}
