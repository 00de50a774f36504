//! Whatever participants write, each message is a heading and a quote, and nothing in the quote acts.
//!
//! `src/transcript/hostile/` judges whole pages with more engines; this target finds its own way to texts.

#![no_main]

#[path = "../../src/transcript/hostile/outline.rs"]
#[expect(dead_code, reason = "whole pages are judged elsewhere")]
mod outline;

use comrak::nodes::NodeValue;
use comrak::{Arena, Options};
use libfuzzer_sys::fuzz_target;
use turnroom::transcript::VaultLinks;
use turnroom::transcript::fuzzed::{line, quote};

/// Parts the texts of one input.
const SEPARATOR: char = '\u{1e}';

fn options() -> Options<'static> {
    let mut options = Options::default();
    let extension = &mut options.extension;
    (extension.table, extension.strikethrough, extension.autolink) = (true, true, true);
    (extension.tasklist, extension.footnotes, extension.alerts) = (true, true, true);
    (extension.math_dollars, extension.math_code) = (true, true);
    options
}

fn is_inert(value: &NodeValue) -> bool {
    match value {
        NodeValue::Link(link) => outline::is_safe_target(&link.url),
        NodeValue::Heading(_)
        | NodeValue::HtmlBlock(_)
        | NodeValue::HtmlInline(_)
        | NodeValue::Image(_)
        | NodeValue::Alert(_)
        | NodeValue::Math(_)
        | NodeValue::FootnoteDefinition(_)
        | NodeValue::FootnoteReference(_) => false,
        _ => true,
    }
}

fuzz_target!(|text: &str| {
    let mut page = String::new();
    let mut count = 0;
    for (number, words) in text.split(SEPARATOR).enumerate() {
        let links = if number % 2 == 0 { VaultLinks::Alive } else { VaultLinks::Shown };
        let quote = quote(words, links);
        assert!(quote.lines().all(|line| line == ">" || line.starts_with("> ")), "column zero is ours");
        page += &format!("### {number} {} end\n\n{quote}\n", line(words));
        count += 1;
    }
    let arena = Arena::new();
    let root = comrak::parse_document(&arena, &page, &options());
    let blocks: Vec<bool> =
        root.children().map(|node| matches!(node.data().value, NodeValue::BlockQuote)).collect();
    assert_eq!(blocks, [false, true].repeat(count), "each message is a heading and a quote\n{page}");
    for node in root.children().flat_map(|block| block.descendants().skip(1)) {
        assert!(is_inert(&node.data().value), "{:?}\n{page}", node.data().value);
    }
});
