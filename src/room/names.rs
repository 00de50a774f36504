//! Who can be addressed in a room, and by which names. It never decides who may take a name.

use std::collections::BTreeMap;

use super::Handle;
use super::handle::fold;

/// Who may be addressed in a room: handles, and other names for them (aliases).
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By what spellings of one name have in common.
    handles: BTreeMap<String, Handle>,
    /// Other names, each with the key of the handle that it stands for.
    aliases: BTreeMap<String, String>,
}

impl Names {
    /// Makes `handle` known. A second spelling of a known handle changes nothing.
    pub fn add(&mut self, handle: Handle) {
        self.handles.entry(handle.key().to_owned()).or_insert(handle);
    }

    /// Forgets `handle` and its aliases.
    pub fn remove(&mut self, handle: &Handle) {
        self.handles.remove(handle.key());
        self.aliases.retain(|_, owner| owner != handle.key());
    }

    /// Lets `alias` stand for `handle`, as long as `handle` is known. It never hides a handle: of a handle
    /// and an alias that are spelled alike, the handle is meant.
    pub fn add_alias(&mut self, alias: &Handle, handle: &Handle) {
        self.aliases.insert(alias.key().to_owned(), handle.key().to_owned());
    }

    /// Every name, folded: handles, and other names for them.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.handles.keys().chain(self.aliases.keys()).map(String::as_str)
    }

    /// The handle that `name` means: with or without `@`, in any spelling; an alias gives its handle.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<&Handle> {
        self.find(&fold(name.strip_prefix('@').unwrap_or(name)))
    }

    /// The same for a name that is folded already and has no `@`.
    pub(super) fn find(&self, key: &str) -> Option<&Handle> {
        self.handles.get(key).or_else(|| self.handles.get(self.aliases.get(key)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(text: &str) -> Handle {
        Handle::parse(text).unwrap()
    }

    fn names() -> Names {
        let mut names = Names::default();
        names.add(handle("@Bob"));
        names.add(handle("@Zoë"));
        names.add_alias(&handle("Cupid"), &handle("@bob"));
        names
    }

    fn resolved(names: &Names, name: &str) -> Option<String> {
        names.resolve(name).map(|handle| handle.as_str().to_owned())
    }

    #[test]
    fn any_spelling_gives_the_canonical_handle() {
        for (name, expected) in [
            ("@Bob", "@Bob"),
            ("bob", "@Bob"),
            ("@CUPID", "@Bob"),
            ("Cupid", "@Bob"),
            ("@ZOE\u{308}", "@Zoë"),
        ] {
            assert_eq!(resolved(&names(), name).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_name_that_nobody_has_means_nobody() {
        for name in ["", "@", "@@Bob", "@Bo", "Bob ", "@Bob-2", "@all"] {
            assert_eq!(resolved(&names(), name), None, "{name}");
        }
    }

    #[test]
    fn a_second_spelling_does_not_replace_the_first() {
        let mut names = names();
        names.add(handle("@BOB"));
        assert_eq!(resolved(&names, "bob").as_deref(), Some("@Bob"));
    }

    #[test]
    fn a_removed_handle_takes_its_aliases_along() {
        let mut names = names();
        names.remove(&handle("@BOB"));
        assert_eq!(resolved(&names, "@Bob"), None);
        assert_eq!(resolved(&names, "@Cupid"), None);

        names.add(handle("@Bob"));
        assert_eq!(resolved(&names, "@Cupid"), None);
        assert_eq!(resolved(&names, "@Zoë").as_deref(), Some("@Zoë"));
    }

    #[test]
    fn an_alias_never_hides_a_handle() {
        let mut names = names();
        names.add_alias(&handle("Zoë"), &handle("@Bob"));
        assert_eq!(resolved(&names, "@Zoë").as_deref(), Some("@Zoë"));
    }

    #[test]
    fn an_alias_waits_for_its_handle() {
        let mut names = names();
        names.add_alias(&handle("Old-Man"), &handle("@Dave"));
        assert_eq!(resolved(&names, "@Old-Man"), None);
        names.add(handle("@Dave"));
        assert_eq!(resolved(&names, "@old-man").as_deref(), Some("@Dave"));
    }
}
