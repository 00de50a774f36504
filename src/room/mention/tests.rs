//! The rules of mentions.

mod cases;
mod hostile;
mod properties;

use super::{Mentions, mentions};
use crate::room::{Handle, Names};

/// Names with these handles, and with aliases, each written `Alias=@Handle`.
fn names(list: &[&str]) -> Names {
    let mut names = Names::default();
    for entry in list {
        match entry.split_once('=') {
            Some((alias, handle)) => names.add_alias(&handle_of(alias), &handle_of(handle)),
            None => names.add(handle_of(entry)),
        }
    }
    names
}

fn handle_of(text: &str) -> Handle {
    Handle::parse(text).unwrap()
}

/// Everything that was found, in one line: handles, then `@all`, then unknown names with a `?`.
fn line(found: &Mentions) -> String {
    let handles = found.handles.iter().map(Handle::to_string);
    let all = found.has_all.then(|| "@all".to_owned());
    let unknown = found.unknown.iter().map(|name| format!("?{name}"));
    handles.chain(all).chain(unknown).collect::<Vec<_>>().join(" ")
}

/// Checks a table of texts and of whom they address.
fn check(names: &Names, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(line(&mentions(text, names)), *expected, "{text:?}");
    }
}
