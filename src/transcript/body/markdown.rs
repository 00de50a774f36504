//! What the Markdown parser sees in a quoted text: where its code is, and whether anything in it acts.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::super::escape::is_evaluated;
use super::fence;
use super::marks::{CONTAINERS, is_table_rule};

/// Quotes, lists and styles inside each other, our own quote included.
const MAX_DEPTH: usize = 16;
/// What could act if another program does not take it for code.
const LOADED: [char; 4] = ['<', '[', '$', '%'];

/// What the parser sees.
pub(super) struct Seen {
    /// Where the code is, in order.
    pub(super) code: Code,
    /// Whether there is something that acts but could be cured.
    pub(super) is_active: bool,
    /// Where the code of the fence that is being read ends so far.
    fenced: Option<usize>,
}

/// Where the code of a text is.
#[derive(Default)]
pub(super) struct Code {
    /// Byte ranges of code spans and blocks, in order.
    pub(super) ranges: Vec<(Range<usize>, Kind)>,
    /// The code of all spans that hold what could act outside code.
    pub(super) loaded: String,
    /// Whether a code span holds `]]`, which may end a link of a vault.
    pub(super) has_link_end: bool,
}

/// What a piece of code is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of a text.
    Span,
    /// Lines of its own.
    Block,
}

/// Links of a vault and callouts are left out: they only widen what is seen as text, and `marks` looks there.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

/// Reads a quoted text. Nothing, when it holds what no backslash cures.
pub(super) fn read(quoted: &str) -> Option<Seen> {
    let parser = Parser::new_ext(quoted, options());
    if parser.reference_definitions().iter().next().is_some() {
        return None;
    }
    let mut seen = Seen { code: Code::default(), is_active: false, fenced: None };
    let mut depth = 0_usize;
    let mut blocks = 0_usize;
    for (event, range) in parser.into_offset_iter() {
        let is_quote = matches!(event, Event::Start(Tag::BlockQuote(_)));
        if depth == 0 && !is_quote {
            return None;
        }
        match &event {
            Event::Start(_) => {
                blocks += usize::from(depth == 0);
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth > MAX_DEPTH || blocks > 1 {
            return None;
        }
        seen.take(&event, range, quoted)?;
    }
    (blocks == 1).then_some(seen)
}

impl Seen {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>, quoted: &str) -> Option<()> {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => self.take_block(kind, range, quoted)?,
            Event::Text(_) => self.fenced = self.fenced.map(|_| range.end),
            Event::End(TagEnd::CodeBlock) => self.close_block(range.end, quoted)?,
            Event::Code(code) => self.take_span(code, range, quoted)?,
            Event::Start(Tag::Link { dest_url, .. }) if !is_safe(dest_url) => return None,
            Event::Start(Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_) | Tag::BlockQuote(Some(_)))
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_) => return None,
            Event::Start(Tag::Image { .. } | Tag::HtmlBlock | Tag::Heading { .. })
            | Event::Html(_)
            | Event::InlineHtml(_) => self.is_active = true,
            _ => {}
        }
        Some(())
    }

    fn take_block(&mut self, kind: &CodeBlockKind<'_>, range: Range<usize>, quoted: &str) -> Option<()> {
        let block = &quoted[range.clone()];
        let is_safe = match kind {
            CodeBlockKind::Fenced(info) => {
                self.fenced = Some(range.start + block.find('\n').unwrap_or(block.len()));
                // Programs count a tab behind a quote differently: for some it is no fence.
                let before = quoted[..range.start].rsplit('\n').next().unwrap_or_default();
                // For some its first line is the head of a table, if the next one is a rule.
                !before.contains('\t') && !info.contains('|') && fence::is_inert(info)
            }
            // Programs differ on what is indented code behind a list, so it must be harmless as text too.
            CodeBlockKind::Indented => !block.contains(LOADED) && !block.contains(['`', '#', '^']),
        };
        self.code.ranges.push((range, Kind::Block));
        is_safe.then_some(())
    }

    /// A fence is closed when something stands between its last code and its end.
    fn close_block(&mut self, end: usize, quoted: &str) -> Option<()> {
        let Some(code_end) = self.fenced.take() else { return Some(()) };
        quoted.get(code_end..end).is_some_and(fence::is_closed).then_some(())
    }

    fn take_span(&mut self, code: &str, range: Range<usize>, quoted: &str) -> Option<()> {
        let is_loaded = code.contains(LOADED);
        let span = &quoted[range.clone()];
        let mut further = span.split('\n').skip(1).peekable();
        let spans_lines = further.peek().is_some();
        // Where programs see a table, a definition or a fence, a span of several lines ends early.
        let may_be_a_fence = span.starts_with("```") && begins_line(&quoted[..range.start]);
        // The last line of a span is the head of a table, if the next one is a rule.
        let may_be_a_head = || quoted[range.end..].split('\n').nth(1).is_some_and(is_table_rule);
        let ends_early =
            spans_lines && (is_loaded || may_be_a_fence || further.any(begins_block) || may_be_a_head());
        if ends_early || is_evaluated(code) {
            return None;
        }
        if is_loaded {
            self.code.loaded.push_str(code);
        }
        self.code.has_link_end |= code.contains("]]");
        self.code.ranges.push((range, Kind::Span));
        Some(())
    }
}

/// Whether a line may be a definition of the term above it, or the rule below the head of a table.
fn begins_block(line: &str) -> bool {
    line.trim_start_matches(['>', ' ', '\t']).starts_with(':') || is_table_rule(line)
}

/// Whether what follows a text is the first in its line, but for quotes, lists and definitions.
fn begins_line(before: &str) -> bool {
    let rest = before.trim_end_matches(CONTAINERS);
    rest.is_empty() || rest.ends_with('\n')
}

/// Whether a link leads to the web, to an address of mail, or to a place in the same folder.
fn is_safe(target: &str) -> bool {
    let Some((scheme, _)) = target.split_once(':') else { return true };
    let is_relative = scheme.contains(['/', '#', '?']);
    is_relative || ["http", "https", "mailto"].iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
}
