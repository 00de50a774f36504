//! The front matter of a note: what a vault lists and finds notes by.

use super::super::escape;
use super::super::view::Head;
use super::stamp::{FIELD, Stamp};

/// The front matter, with the blank line below it.
pub(super) fn matter(head: &Head, part: usize, stamp: &Stamp) -> String {
    let room = escape::yaml_word(&head.room);
    let topic = escape::yaml_string(&head.topic);
    let started = head.started.format("%Y-%m-%dT%H:%M:%SZ");
    format!(
        "---\nroom: {room}\ntopic: {topic}\nstarted: {started}\npart: {part}\n{FIELD}: {stamp}\n\
         tags:\n  - turnroom\ncssclasses:\n  - turnroom\n---\n\n"
    )
}
