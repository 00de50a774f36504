//! What of a message is said, and not only shown: its text without code, markup, link targets and quotes.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::html::Hider;
use super::nesting::is_bearable;
use super::pieces::{Piece, pieces};
use crate::room::handle::is_word;

/// A name is at most this long. Further back nobody looks for its beginning.
const MAX_NAME: usize = 64;

/// End tags by which the parser ends an HTML block. It knows them in lower case only.
static BLOCK_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(?i)</(?:pre|script|style|textarea)>").expect("the pattern is a constant of this file")
});

/// What `text` says. Where something else stood between two texts, there is white space between them.
pub(super) fn prose(text: &str) -> String {
    // The parser takes quadratic time over fences in lines that end with a lone `\r`.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = BLOCK_END.replace_all(&text, |end: &Captures<'_>| end[0].to_ascii_lowercase());
    said(&readable(&text))
}

/// What the text beside the tags of an HTML block says. Markdown takes it as it is; people mean the same by
/// a backtick there as elsewhere.
fn prose_of_raw(text: &str) -> String {
    // Indentation shows how tags nest there. It is no code.
    let lines: Vec<_> = text.lines().map(str::trim_start).collect();
    let text = lines.join("\n");
    let mut pieces = readable(&text);
    // The markup has been taken out. Whatever still looks like some is left out too, so this ends here.
    pieces.retain(|piece| !matches!(piece, Piece::Raw(_)));
    said(&pieces)
}

fn readable(text: &str) -> Vec<Piece<'_>> {
    if is_bearable(text) { pieces(text) } else { Vec::new() }
}

fn said(pieces: &[Piece<'_>]) -> String {
    let mut writer = Writer::before(pieces);
    for piece in pieces {
        writer.take(piece);
    }
    writer.end_block();
    writer.said
}

/// Puts together what is said.
#[derive(Default)]
struct Writer {
    said: String,
    /// What the current HTML block says, still to be read.
    raw: String,
    /// For each open emphasis: whether its `_` belong to a name (`@_x_`).
    in_name: Vec<bool>,
    hidden: Option<Hidden>,
    /// How many ends of each hiding element are still to come.
    ends: [usize; 4],
}

/// Inside an element whose contents do not count.
struct Hidden {
    by: Hider,
    /// Without an end it hides the rest of its block.
    has_end: bool,
}

impl Writer {
    fn before(pieces: &[Piece<'_>]) -> Self {
        let mut writer = Self::default();
        for piece in pieces {
            if let Piece::Close(hider) = piece {
                writer.ends[*hider as usize] += 1;
            }
        }
        writer
    }

    fn take(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Text(text) if self.hidden.is_none() => self.said.push_str(text),
            Piece::Raw(text) if self.hidden.is_none() => self.raw.push_str(text),
            Piece::Text(_) | Piece::Raw(_) => {}
            Piece::Break => self.part(),
            Piece::EmphasisStart(underscores) => self.start_emphasis(*underscores),
            Piece::EmphasisEnd(underscores) => self.end_emphasis(*underscores),
            Piece::Open(hider) => self.open(*hider),
            Piece::Close(hider) => self.close(*hider),
            Piece::BlockEdge => self.end_block(),
        }
    }

    fn part(&mut self) {
        self.said.push(' ');
        self.raw.push(' ');
    }

    /// Emphasis parts texts, but inside a name an `_` is a letter of it, whatever Markdown sees there.
    fn start_emphasis(&mut self, underscores: usize) {
        let is_in_name = underscores > 0 && self.hidden.is_none() && ends_in_name(&self.said);
        self.in_name.push(is_in_name);
        self.emphasis_mark(is_in_name, underscores);
    }

    fn end_emphasis(&mut self, underscores: usize) {
        let is_in_name = self.in_name.pop().unwrap_or(false) && self.hidden.is_none();
        self.emphasis_mark(is_in_name, underscores);
    }

    fn emphasis_mark(&mut self, is_in_name: bool, underscores: usize) {
        if is_in_name { self.said.extend(std::iter::repeat_n('_', underscores)) } else { self.part() }
    }

    fn open(&mut self, hider: Hider) {
        self.part();
        if self.hidden.is_none() {
            self.hidden = Some(Hidden { by: hider, has_end: self.ends[hider as usize] > 0 });
        }
    }

    fn close(&mut self, hider: Hider) {
        self.part();
        self.ends[hider as usize] -= 1;
        if self.hidden.as_ref().is_some_and(|hidden| hidden.by == hider) {
            self.hidden = None;
        }
    }

    fn end_block(&mut self) {
        if self.hidden.as_ref().is_some_and(|hidden| !hidden.has_end) {
            self.hidden = None;
        }
        self.said.push('\n');
        let raw = std::mem::take(&mut self.raw);
        if raw.contains('@') {
            self.said.push_str(&prose_of_raw(&raw));
            self.said.push('\n');
        }
    }
}

/// Whether the text ends after an `@` and perhaps some characters of a name.
fn ends_in_name(text: &str) -> bool {
    let is_name = |c: &char| is_word(*c) || *c == '-' || *c == '.';
    text.chars().rev().take(MAX_NAME + 1).find(|c| !is_name(c)) == Some('@')
}
