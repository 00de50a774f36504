//! The text of a note and of its parts. Pure: the same values give the same bytes.
//!
//! **Column zero is ours:** what a participant wrote stands behind `> `; every other line is written here.

mod entry;
mod front;
mod head;
mod stamp;

pub(super) use entry::Chunk;
pub(super) use stamp::{Key, Stamp};

use super::body::VaultLinks;
use super::escape;
use super::labels::Labels;
use super::view::{Entry, Head};

/// How many of the newest parts a note links, beside the first.
const LINKED_PARTS: usize = 3;

/// The numbers of the entries in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Of its first entry.
    pub(super) first: u64,
    /// Of its last entry.
    pub(super) last: u64,
}

/// A text with the mark by which we know it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The whole file.
    pub(super) text: String,
    /// Its mark, as it stands in its front matter.
    pub(super) stamp: Stamp,
}

/// One entry as it stands in a note.
pub(super) fn entry(entry: &Entry, head: &Head, links: VaultLinks) -> Chunk {
    entry::chunk(entry, head, links)
}

/// The note: `name` is its file name without ending, `reply` the file name of its reply note, if there is one, and
/// `parts` are those that hold its older entries.
pub(super) fn note<'a>(
    head: &Head,
    name: &str,
    reply: Option<&str>,
    parts: &[Span],
    chunks: impl Iterator<Item = &'a Chunk>,
) -> Page {
    let mut body = head::title(head);
    body.push_str(&head::state(head, reply));
    let earlier = linked(parts).map(|shown| match shown {
        Some(number) => part_link(parts, number, &format!("{name}/")),
        None => "…".to_owned(),
    });
    let earlier: Vec<String> = earlier.collect();
    push_conversation(&mut body, head, &earlier, None, chunks);
    sealed(head, parts.len() + 1, &body)
}

/// A whole conversation as one text: the note of a room that needs no parts.
#[must_use]
pub fn markdown(head: &Head, entries: &[Entry]) -> String {
    let chunks: Vec<Chunk> =
        entries.iter().map(|entry| self::entry(entry, head, VaultLinks::default())).collect();
    note(head, "", None, &[], chunks.iter()).text
}

/// A part: `number` from 1, `parts` are those up to and with it.
pub(super) fn part<'a>(
    head: &Head,
    name: &str,
    parts: &[Span],
    chunks: impl Iterator<Item = &'a Chunk>,
) -> Page {
    let mut body = head::title(head);
    let before = parts.len().saturating_sub(1);
    let earlier: Vec<String> = (before > 0).then(|| part_link(parts, before, "")).into_iter().collect();
    let newest = format!("[{}]({})", escape::inline(name), escape::link_target(&format!("../{name}.md")));
    push_conversation(&mut body, head, &earlier, Some(&newest), chunks);
    sealed(head, parts.len(), &body)
}

/// The file name of a part.
pub(super) fn part_file(number: usize) -> String {
    format!("part-{number:03}.md")
}

/// The parts that a note links: the first, a gap, and the newest. A long conversation has hundreds.
fn linked(parts: &[Span]) -> impl Iterator<Item = Option<usize>> {
    let count = parts.len();
    let newest = count.saturating_sub(LINKED_PARTS).max(1);
    let first = (count > 0).then_some(Some(1));
    let gap = (newest > 1).then_some(None);
    first.into_iter().chain(gap).chain((newest + 1..=count).map(Some))
}

fn part_link(parts: &[Span], number: usize, folder: &str) -> String {
    let Span { first, last } = parts[number - 1];
    format!("[{first}–{last}]({})", escape::link_target(&format!("{folder}{}", part_file(number))))
}

fn push_conversation<'a>(
    body: &mut String,
    head: &Head,
    earlier: &[String],
    newest: Option<&str>,
    chunks: impl Iterator<Item = &'a Chunk>,
) {
    let labels = Labels::of(head.language);
    let mut links = Vec::new();
    if !earlier.is_empty() {
        links.push(format!("{}{} {}", labels.earlier, labels.colon, earlier.join(" · ")));
    }
    links.extend(newest.map(|link| format!("{}{} {link}", labels.newest, labels.colon)));
    body.extend(["\n## ", labels.conversation, "\n"]);
    if !links.is_empty() {
        body.extend(["\n", &links.join(" · "), "\n"]);
    }
    let mut is_in_list = false;
    for chunk in chunks {
        if !(is_in_list && chunk.starts_as_item()) {
            body.push('\n');
        }
        body.push_str(chunk.text());
        is_in_list = chunk.ends_as_item();
    }
}

/// Puts the front matter above a body.
fn sealed(head: &Head, part: usize, body: &str) -> Page {
    let stamp = Key::of(head).stamp(body);
    let text = front::matter(head, part, &stamp) + body;
    Page { text, stamp }
}

#[cfg(test)]
mod tests;
