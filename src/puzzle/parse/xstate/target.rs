//! Finds the state that a target names: `sibling`, `sibling.child`, `.child`, `#id`, `#id.child`.

use crate::puzzle::machine::StateId;
use crate::puzzle::parse::Parser;
use crate::puzzle::parse::fields::{Fields, listed};
use crate::room::one_line;

/// The id of a machine that names none.
const UNNAMED: &str = "(machine)";

impl Parser<'_> {
    /// Keeps the id under which a state can be named.
    pub(super) fn identify(&mut self, id: StateId, fields: &Fields<'_>) {
        let said = fields.name("id", &mut self.faults);
        let unsaid = (id == StateId::ROOT).then(|| UNNAMED.to_owned());
        let Some(name) = said.or(unsaid) else { return };
        if self.ids.insert(name.clone(), id).is_some() {
            self.fault(fields.at("id"), format!("another state has the id `{name}`"));
        }
    }

    /// The state that a target of `source` names.
    pub(super) fn target(&mut self, source: StateId, target: &str, path: &str) -> Option<StateId> {
        let parent = self.states[source.0].parent.unwrap_or(StateId::ROOT);
        let found = if let Some(named) = target.strip_prefix('#') {
            let (id, keys) = named.split_once('.').map_or((named, None), |(id, keys)| (id, Some(keys)));
            let id = self.ids.get(id).copied();
            id.and_then(|id| keys.map_or(Some(id), |keys| self.descend(id, keys)))
        } else if let Some(keys) = target.strip_prefix('.') {
            self.descend(source, keys)
        } else {
            self.descend(parent, target)
        };
        if found.is_none() || found == Some(StateId::ROOT) {
            if self.has_many_faults() {
                return None;
            }
            let (target, known) = (one_line(target), self.known_states());
            let from = self.children(if target.starts_with('.') { source } else { parent });
            self.fault(path, format!("`{target}` names no state; beside it are {from}; there are {known}"));
            return None;
        }
        found
    }

    /// The state of this name directly in another one.
    pub(super) fn child(&self, outer: StateId, key: &str) -> Option<StateId> {
        let is_it = |state: &crate::puzzle::machine::State| state.parent == Some(outer) && state.key == key;
        self.states.iter().position(is_it).map(StateId)
    }

    /// The names of all states directly in another one, for a fault.
    pub(super) fn children(&self, outer: StateId) -> String {
        let inside = self.states.iter().filter(|state| state.parent == Some(outer));
        listed(inside.map(|state| state.key.as_str()))
    }

    fn descend(&self, outer: StateId, keys: &str) -> Option<StateId> {
        keys.split('.').try_fold(outer, |id, key| self.child(id, key))
    }
}
