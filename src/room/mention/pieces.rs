//! A message as a row of pieces: which text there is, and what stands between.
//!
//! The Markdown parser decides what is what. Of its extensions, tables, footnotes, task lists and strikethrough are on,
//! because the readers of transcripts have them; math is not: `$5 for @Bob, $6` would hide a name.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html::{self, Hider, Part};

/// What is written for an `@` that is only a character: after another `@` no mention begins.
const LITERAL_AT: &str = "@@";

/// One piece of a message.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    /// Text of a paragraph, a heading or a cell. It may go on in the next piece.
    Text(CowStr<'a>),
    /// Text beside the tags of an HTML block.
    Raw(String),
    /// Something that parts two texts: a tag, code, a line break.
    Break,
    /// Emphasis begins; with so many `_`, or none if it is made with `*`.
    EmphasisStart(usize),
    /// It ends.
    EmphasisEnd(usize),
    /// An element begins whose contents do not count.
    Open(Hider),
    /// It ends.
    Close(Hider),
    /// A block begins or ends.
    BlockEdge,
}

/// Reads `text`. What stands in code, quotes and autolinks is left out.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut walk = Walk { text, pieces: Vec::new(), silent: 0, html: String::new() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        walk.take(event, range);
    }
    walk.pieces
}

struct Walk<'a> {
    text: &'a str,
    pieces: Vec<Piece<'a>>,
    /// How many elements are open, from the outermost on whose contents do not count.
    silent: usize,
    /// The HTML block so far.
    html: String,
}

impl<'a> Walk<'a> {
    fn take(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) if self.silent > 0 || is_silent(&tag) => {
                if self.silent == 0 {
                    self.pieces.push(if is_inline(tag.to_end()) { Piece::Break } else { Piece::BlockEdge });
                }
                self.silent += 1;
            }
            Event::End(_) if self.silent > 0 => self.silent -= 1,
            _ if self.silent > 0 => {}
            Event::Start(tag) => self.edge(tag.to_end(), &range, Piece::EmphasisStart),
            Event::End(tag) => self.edge(tag, &range, Piece::EmphasisEnd),
            Event::Text(text) => self.pieces.push(Piece::Text(with_literal_at(text, self.text, &range))),
            Event::Html(line) => self.html.push_str(&line),
            Event::InlineHtml(tag) => html::parts(&tag, |part| self.markup(part)),
            _ => self.pieces.push(Piece::Break),
        }
    }

    /// An element that counts begins or ends.
    fn edge(&mut self, tag: TagEnd, range: &Range<usize>, emphasis: fn(usize) -> Piece<'a>) {
        let piece = match tag {
            TagEnd::Emphasis => emphasis(self.underscores(range).min(1)),
            TagEnd::Strong => emphasis(self.underscores(range).min(2)),
            tag if is_inline(tag) => Piece::Break,
            _ => {
                let block = std::mem::take(&mut self.html);
                html::parts(&block, |part| self.markup(part));
                Piece::BlockEdge
            }
        };
        self.pieces.push(piece);
    }

    fn underscores(&self, range: &Range<usize>) -> usize {
        let source = self.text.get(range.clone()).unwrap_or_default();
        source.bytes().take(2).take_while(|byte| *byte == b'_').count()
    }

    fn markup(&mut self, part: Part<'_>) {
        self.pieces.push(match part {
            Part::Text(text) => Piece::Raw(text.to_owned()),
            Part::Markup => Piece::Break,
            Part::Open(hider) => Piece::Open(hider),
            Part::Close(hider) => Piece::Close(hider),
        });
    }
}

/// Quotes repeat somebody else; an autolink is all target.
fn is_silent(tag: &Tag<'_>) -> bool {
    match tag {
        Tag::BlockQuote(_) | Tag::CodeBlock(_) => true,
        Tag::Link { link_type, .. } => matches!(link_type, LinkType::Autolink | LinkType::Email),
        _ => false,
    }
}

fn is_inline(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image)
}

/// An `@` mentions only where it is written as itself: not as `\@`, not as `&#64;`.
fn with_literal_at<'a>(text: CowStr<'a>, source: &str, range: &Range<usize>) -> CowStr<'a> {
    let is_verbatim = source.get(range.clone()) == Some(&*text);
    if !is_verbatim && text.contains('@') {
        return text.replace('@', LITERAL_AT).into();
    }
    match text.strip_prefix('@') {
        // A text that begins after a backslash begins with what the backslash escapes.
        Some(rest) if source.as_bytes()[..range.start].ends_with(b"\\") => {
            format!("{LITERAL_AT}{rest}").into()
        }
        _ => text,
    }
}
