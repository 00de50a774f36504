//! Any text has mentions: known handles, each once, and at most 20 unknown names that could be handles.

#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use turnroom::room::{Handle, Names, mentions};

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names::default();
    let handle = |text| Handle::parse(text).expect("a handle");
    for name in ["@Alice", "@Bob", "@gpt-4.1", "@_x_", "@太郎", "@Zoë", "@user"] {
        names.add(handle(name));
    }
    names.add_alias(&handle("@dev"), &handle("@Bob"));
    names
});

fuzz_target!(|text: &str| {
    let found = mentions(text, &NAMES);
    let distinct: HashSet<_> = found.handles.iter().collect();
    assert_eq!(distinct.len(), found.handles.len(), "each handle once");
    assert!(
        found.handles.iter().all(|handle| NAMES.resolve(handle.as_str()) == Some(handle)),
        "known handles only"
    );
    assert!(found.unknown.len() <= 20, "unknown names are a hint");
    for name in &found.unknown {
        assert!(NAMES.resolve(name).is_none(), "{name} is known");
        assert!(!matches!(Handle::parse(name), Err(turnroom::room::InvalidHandle::Malformed(_))), "{name}");
    }
    let is_empty = found.handles.is_empty() && found.unknown.is_empty() && !found.has_all;
    assert!(is_empty || text.contains('@') || text.contains('&'), "a mention needs its `@`");
});
