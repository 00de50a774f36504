//! One message or notice as it stands in a note.

use super::super::body::{self, VaultLinks};
use super::super::escape;
use super::super::labels::{Labels, notice_line};
use super::super::view::{Entry, Head};
use super::head::{handles, moment, short_moment};

/// An entry, rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Chunk {
    seq: u64,
    text: String,
    shape: Shape,
}

/// What stands at the edges of a chunk: notices in a row are one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Message,
    Item,
    ItemAndQuote,
}

impl Chunk {
    /// Number of its entry.
    pub(in super::super) fn seq(&self) -> u64 {
        self.seq
    }

    /// Its lines, each with a line feed.
    pub(in super::super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn starts_as_item(&self) -> bool {
        self.shape != Shape::Message
    }

    pub(super) fn ends_as_item(&self) -> bool {
        self.shape == Shape::Item
    }
}

pub(super) fn chunk(entry: &Entry, head: &Head, links: VaultLinks) -> Chunk {
    match entry {
        Entry::Message { seq, at, sender, via, recipients, is_private, content } => {
            let labels = Labels::of(head.language);
            let lock = if *is_private { format!("🔒 [{}] ", labels.private) } else { String::new() };
            let way = via.and_then(|via| labels.via_words(via));
            let way = way.map_or_else(String::new, |words| format!(" ({words})"));
            let (sender, to) = (escape::handle(sender), handles(recipients, labels));
            let quote = body::render(content, links).1;
            let text = format!("### {lock}{sender}{way} ➔ {to} ({} UTC) · {seq}\n\n{quote}", moment(*at));
            Chunk { seq: *seq, text, shape: Shape::Message }
        }
        Entry::Notice { seq, at, notice } => {
            let line = notice_line(notice, head.language);
            let mut text = format!("- 🔔 {} {line}\n", short_moment(*at, head));
            let quote = notice.words().map(|words| body::render(words, links).1);
            text.extend(quote.iter().flat_map(|quote| ["\n", quote]));
            let shape = if quote.is_some() { Shape::ItemAndQuote } else { Shape::Item };
            Chunk { seq: *seq, text, shape }
        }
    }
}
