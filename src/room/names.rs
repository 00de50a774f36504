//! STAND-IN, replaced at merge.
use super::Handle;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
/// N.
pub struct Names {
    by_key: BTreeMap<String, Handle>,
}
impl Names {
    /// D.
    pub fn add(&mut self, handle: Handle) {
        self.by_key.insert(handle.key().to_owned(), handle);
    }
    /// D.
    pub fn add_alias(&mut self, alias: &Handle, handle: &Handle) {
        self.by_key.insert(alias.key().to_owned(), handle.clone());
    }
    /// D.
    pub fn resolve(&self, name: &str) -> Option<&Handle> {
        self.by_key.get(Handle::parse(name).ok()?.key())
    }
}
