//! What pulldown-cmark sees, with all that it knows, and what of it would act in a vault.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::outline::{Block, Seen, is_active_fence, is_evaluated, is_safe_target};
use super::vault::{self, ESCAPED, OTHER};
use crate::transcript::VaultLinks;

/// Reads a page without its front matter.
pub(super) fn read(page: &str, links: VaultLinks) -> Seen {
    // Smart punctuation changes words; old footnotes need no definition, and lead nowhere.
    let unlike = Options::ENABLE_SMART_PUNCTUATION | Options::ENABLE_OLD_FOOTNOTES;
    let options = (Options::all() - unlike) | Options::ENABLE_FOOTNOTES;
    let mut reader = Reader {
        page,
        links,
        depth: 0,
        seen: Seen::default(),
        raw: None,
        done: 0,
        inside: Inside::default(),
    };
    for (event, range) in Parser::new_ext(page, options).into_offset_iter() {
        reader.take(&event, range);
    }
    reader.seen
}

/// What was met in the block at the top that is being read.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that was met or not")]
struct Inside {
    blocks: usize,
    is_text_fence: bool,
    is_after_quote: bool,
    is_code: bool,
    /// A link of a vault shows its words as they are, backslashes too.
    is_vault_link: bool,
}

struct Reader<'a> {
    page: &'a str,
    links: VaultLinks,
    depth: usize,
    seen: Seen,
    /// The text of the block of text that is being read, as the page has it.
    raw: Option<(String, bool)>,
    /// Where the last text ended.
    done: usize,
    inside: Inside,
}

impl Reader<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.seen.blocks.push(Block::new(kind(tag), ""));
                    self.inside = Inside::default();
                } else {
                    self.enter(tag);
                }
                self.open_text(tag);
                self.depth += 1;
            }
            Event::End(end) => self.leave(*end),
            Event::Text(text) => self.text(text, range),
            Event::Code(code) => {
                self.say(code);
                self.push_raw(OTHER);
                self.found(is_evaluated(code), "code that is evaluated");
            }
            Event::SoftBreak | Event::HardBreak => {
                self.say("\n");
                self.push_raw('\n');
            }
            Event::Rule | Event::TaskListMarker(_) => {
                if self.depth == 0 {
                    self.seen.blocks.push(Block::new("rule", ""));
                }
                self.inside.blocks += 1;
            }
            other => self.found(true, &format!("{other:?}")),
        }
    }

    /// A block or a mark inside a block at the top.
    fn enter(&mut self, tag: &Tag<'_>) {
        let is_quote = self.seen.blocks.last().is_some_and(|block| block.kind == "quote");
        if self.depth == 1 {
            self.inside.blocks += 1;
        }
        match tag {
            Tag::CodeBlock(kind) => {
                self.inside.is_code = true;
                if let CodeBlockKind::Fenced(info) = kind {
                    self.inside.is_text_fence = self.depth == 1 && info.as_ref() == "text";
                    self.found(is_active_fence(info), "a fence that runs");
                }
            }
            Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. } => {
                self.inside.is_vault_link = true;
                self.found(!is_safe_target(dest_url) || self.links == VaultLinks::Shown, "a link of a vault");
            }
            Tag::Link { dest_url, .. } => {
                self.push_raw(OTHER);
                self.found(!is_safe_target(dest_url), "a link that runs");
            }
            Tag::TableHead | Tag::TableRow | Tag::Item if !is_quote => {
                self.line();
            }
            Tag::TableCell if !is_quote => self.cell(),
            Tag::Paragraph => {}
            Tag::Strong | Tag::Emphasis | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {
                self.push_raw(OTHER);
            }
            Tag::BlockQuote(None)
            | Tag::List(_)
            | Tag::Item
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
                if is_quote => {}
            other => self.found(true, &format!("{other:?}")),
        }
    }

    fn leave(&mut self, end: TagEnd) {
        self.depth -= 1;
        if end == TagEnd::TableCell {
            // The end of a cell is no end of a line.
            self.push_raw('|');
        }
        match end {
            TagEnd::CodeBlock => self.inside.is_code = false,
            TagEnd::Link => {
                self.inside.is_vault_link = false;
                self.push_raw(OTHER);
            }
            TagEnd::Strong
            | TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => self.push_raw(OTHER),
            _ => {}
        }
        if matches!(
            end,
            TagEnd::Paragraph
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::Heading(_)
                | TagEnd::DefinitionListDefinition
                | TagEnd::DefinitionListTitle
        ) {
            self.judge();
        }
        if self.depth == 0
            && self.inside.blocks == 1
            && self.inside.is_text_fence
            && let Some(block) = self.seen.blocks.last_mut()
        {
            block.kind = "plain";
        }
    }

    fn open_text(&mut self, tag: &Tag<'_>) {
        let opens = matches!(
            tag,
            Tag::Paragraph
                | Tag::Item
                | Tag::TableCell
                | Tag::Heading { .. }
                | Tag::DefinitionListDefinition
                | Tag::DefinitionListTitle
        );
        if opens {
            self.judge();
            let opens_quote = matches!(tag, Tag::Paragraph) && self.inside.is_after_quote;
            self.raw = Some((String::new(), opens_quote));
        }
        self.inside.is_after_quote = matches!(tag, Tag::BlockQuote(_));
    }

    fn judge(&mut self) {
        if let Some((raw, opens_quote)) = self.raw.take() {
            let acts = vault::acts(&raw, opens_quote, self.links);
            self.seen.acts.extend(acts.into_iter().map(|what| format!("{what} in {raw:?}")));
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        self.say(text);
        if self.inside.is_code || self.inside.is_vault_link {
            return;
        }
        let source = &self.page[range.clone()];
        let is_escaped = range.start > self.done && self.page[..range.start].ends_with('\\');
        self.done = range.end;
        if source != text {
            self.push_raw(OTHER);
            return;
        }
        let mut letters = source.chars();
        if is_escaped {
            letters.next();
            self.push_raw(ESCAPED);
        }
        letters.for_each(|c| self.push_raw(c));
    }

    fn say(&mut self, text: &str) {
        if let Some(block) = self.seen.blocks.last_mut() {
            block.text.push_str(text);
        }
    }

    fn push_raw(&mut self, c: char) {
        if let Some((raw, _)) = &mut self.raw {
            raw.push(c);
        }
    }

    /// Begins a line of a list or a table of ours.
    fn line(&mut self) {
        if self.seen.blocks.last().is_some_and(|block| !block.text.is_empty()) {
            self.say("\n");
        }
    }

    fn cell(&mut self) {
        let begins =
            self.seen.blocks.last().is_none_or(|block| block.text.is_empty() || block.text.ends_with('\n'));
        if !begins {
            self.say(" | ");
        }
    }

    fn found(&mut self, is_there: bool, what: &str) {
        if is_there {
            self.seen.acts.push(what.to_owned());
        }
    }
}

fn kind(tag: &Tag<'_>) -> &'static str {
    match tag {
        Tag::Heading { level: HeadingLevel::H1, .. } => "h1",
        Tag::Heading { level: HeadingLevel::H2, .. } => "h2",
        Tag::Heading { level: HeadingLevel::H3, .. } => "h3",
        Tag::BlockQuote(None) => "quote",
        Tag::Paragraph => "p",
        Tag::List(_) => "list",
        Tag::Table(_) => "table",
        _ => "other",
    }
}
