//! How much one decision may still look at: no machine, however it is made, keeps its puzzle busy for long.

use std::cell::Cell;

use serde_json::Value;

/// So many bytes of a text cost as much as one look.
const TEXT: usize = 64;

/// How much one decision may still look at.
#[derive(Debug)]
pub(super) struct Effort(Cell<Option<usize>>);

impl Effort {
    pub(super) fn of(limit: usize) -> Self {
        Self(Cell::new(Some(limit)))
    }

    /// Takes so many looks.
    pub(super) fn spend(&self, looks: usize) {
        self.0.set(self.0.get().and_then(|left| left.checked_sub(looks)));
    }

    /// Takes as many looks as it costs to copy a value; it stops where nothing is left.
    pub(super) fn spend_on(&self, value: &Value) {
        self.spend(1 + value.as_str().map_or(0, |text| text.len() / TEXT));
        let inner: &mut dyn Iterator<Item = &Value> = match value {
            Value::Array(list) => &mut list.iter(),
            Value::Object(map) => &mut map.values(),
            _ => return,
        };
        inner.take_while(|_| !self.is_spent()).for_each(|value| self.spend_on(value));
    }

    /// Whether more was wanted than there was: what was looked at last counts for nothing.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get().is_none()
    }

    /// How many looks are left.
    pub(super) fn left(&self) -> usize {
        self.0.get().unwrap_or(0)
    }
}
