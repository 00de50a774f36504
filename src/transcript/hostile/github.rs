//! What comrak sees: as GitHub reads a page, and as Obsidian does.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options};

use super::outline::{Block, Seen, is_active_fence, is_evaluated, is_safe_target};
use crate::transcript::VaultLinks;

/// Whose Markdown is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    GitHub,
    Obsidian,
}

fn options(dialect: Dialect) -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    (extension.table, extension.strikethrough, extension.autolink) = (true, true, true);
    (extension.tasklist, extension.footnotes, extension.math_dollars) = (true, true, true);
    match dialect {
        Dialect::GitHub => (extension.alerts, extension.math_code) = (true, true),
        Dialect::Obsidian => {
            (extension.ofm_callouts, extension.ofm_comments, extension.inline_footnotes) = (true, true, true);
            (extension.wikilinks_title_after_pipe, extension.highlight) = (true, true);
        }
    }
    options
}

/// Reads a page without its front matter.
pub(super) fn read(page: &str, links: VaultLinks, dialect: Dialect) -> Seen {
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, page, &options(dialect));
    let mut seen = Seen::default();
    for node in root.children() {
        let kind = kind(node);
        for inner in node.descendants().skip(1) {
            if let Some(what) = acts(&inner.data().value, kind == "quote" || kind == "plain", links) {
                seen.acts.push(what);
            }
        }
        let mut text = String::new();
        say(node, kind, &mut text);
        seen.blocks.push(Block::new(kind, text));
    }
    seen
}

fn kind<'a>(node: &'a AstNode<'a>) -> &'static str {
    match &node.data().value {
        NodeValue::Heading(heading) if heading.level == 1 => "h1",
        NodeValue::Heading(heading) if heading.level == 2 => "h2",
        NodeValue::Heading(heading) if heading.level == 3 => "h3",
        NodeValue::BlockQuote => {
            let mut children = node.children();
            let is_plain = children.next().is_some_and(|first| match &first.data().value {
                NodeValue::CodeBlock(code) => code.fenced && code.info == "text",
                _ => false,
            });
            if is_plain && children.next().is_none() { "plain" } else { "quote" }
        }
        NodeValue::Paragraph => "p",
        NodeValue::List(_) => "list",
        NodeValue::Table(_) => "table",
        _ => "other",
    }
}

/// What a node inside a block at the top does, if it should not be there.
fn acts(value: &NodeValue, is_quote: bool, links: VaultLinks) -> Option<String> {
    let is_fine = match value {
        NodeValue::Link(link) => is_safe_target(&link.url),
        NodeValue::WikiLink(link) => is_safe_target(&link.url) && links == VaultLinks::Alive && is_quote,
        NodeValue::Code(code) => !is_evaluated(&code.literal),
        NodeValue::CodeBlock(code) => is_quote && !is_active_fence(&code.info),
        NodeValue::Text(_)
        | NodeValue::SoftBreak
        | NodeValue::Strong
        | NodeValue::Paragraph
        | NodeValue::Item(_)
        | NodeValue::TableRow(_)
        | NodeValue::TableCell => true,
        NodeValue::BlockQuote
        | NodeValue::List(_)
        | NodeValue::TaskItem(_)
        | NodeValue::Table(_)
        | NodeValue::ThematicBreak
        | NodeValue::LineBreak
        | NodeValue::Emph
        | NodeValue::Strikethrough
        | NodeValue::Highlight => is_quote,
        _ => false,
    };
    (!is_fine).then(|| format!("{value:?}"))
}

/// The words of a block at the top.
fn say<'a>(node: &'a AstNode<'a>, kind: &str, text: &mut String) {
    for child in node.children() {
        let value = &child.data().value;
        match value {
            NodeValue::Text(words) => text.push_str(words),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::CodeBlock(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push('\n'),
            NodeValue::TableRow(_) | NodeValue::Item(_) if kind != "quote" && !text.is_empty() => {
                text.push('\n');
            }
            NodeValue::TableCell if kind != "quote" && !text.is_empty() && !text.ends_with('\n') => {
                text.push_str(" | ");
            }
            _ => {}
        }
        say(child, kind, text);
    }
}
