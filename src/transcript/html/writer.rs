//! Writes what the parser sees, and nothing else: an element that is not named here cannot come out.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Tag, TagEnd};

use super::text::{self, Within, escape};

/// Elements inside each other. Nobody reads deeper, and browsers flatten it somewhere.
const MAX_DEPTH: usize = 32;
/// A text may grow to so many bytes by its markup.
const MAX_WRITTEN: usize = 2 * 1024 * 1024;
/// Longer names of languages are none.
const MAX_LANGUAGE: usize = 24;

/// HTML in the making.
pub(super) struct Writer<'a> {
    source: &'a str,
    html: String,
    /// Text that goes on in the next event.
    text: String,
    open: Vec<Open>,
    quotes: usize,
    /// Cells of a table's head differ from those of its body.
    is_head: bool,
}

/// An open element.
struct Open {
    /// What ends it.
    end: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    Quote,
    /// Whatever stands in it begins at this byte.
    Link(usize),
    /// Its text is not marked.
    Verbatim,
}

impl<'a> Writer<'a> {
    pub(super) fn over(source: &'a str) -> Self {
        let (html, text) = (String::with_capacity(source.len() * 2), String::new());
        Self { source, html, text, open: Vec::new(), quotes: 0, is_head: false }
    }

    /// What was written.
    pub(super) fn finish(mut self) -> Option<String> {
        self.flush();
        self.open.is_empty().then_some(self.html)
    }

    /// Writes one event. Nothing, when the text is too deep or becomes too long.
    pub(super) fn take(&mut self, event: Event<'a>, range: Range<usize>) -> Option<()> {
        match event {
            Event::Text(text) => return self.take_text(&text, range.start),
            Event::SoftBreak | Event::HardBreak => self.put("<br>\n"),
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(is_done) => self.put(if is_done { "☑ " } else { "☐ " }),
            Event::Code(code) => self.element("<code>", &code, "</code>"),
            Event::Html(html) => self.raw_lines(&html),
            // What is not asked for is text, should a parser ever give it.
            Event::InlineHtml(words)
            | Event::InlineMath(words)
            | Event::DisplayMath(words)
            | Event::FootnoteReference(words) => self.element("", &words, ""),
            Event::Start(tag) => {
                self.flush();
                self.start(tag);
            }
            Event::End(tag) => self.end(tag)?,
        }
        (self.open.len() <= MAX_DEPTH && self.html.len() <= MAX_WRITTEN).then_some(())
    }

    fn take_text(&mut self, text: &str, at: usize) -> Option<()> {
        let is_escaped = at.checked_sub(1).is_some_and(|before| self.source.as_bytes()[before] == b'\\');
        match text.strip_prefix('@').filter(|_| is_escaped) {
            // An escaped `@` is only a character.
            Some(rest) => {
                self.put("@");
                self.text.push_str(rest);
            }
            None => self.text.push_str(text),
        }
        (self.html.len() + self.text.len() <= MAX_WRITTEN).then_some(())
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.open("<p><strong>", "</strong></p>\n", Kind::Other),
            Tag::BlockQuote(_) => {
                self.quotes += 1;
                self.open("<blockquote>\n", "</blockquote>\n", Kind::Quote);
            }
            Tag::CodeBlock(kind) => self.code_block(&kind),
            Tag::List(Some(first)) if first != 1 => {
                self.open(&format!("<ol start=\"{first}\">\n"), "</ol>\n", Kind::Other);
            }
            Tag::List(Some(_)) => self.open("<ol>\n", "</ol>\n", Kind::Other),
            Tag::List(None) => self.open("<ul>\n", "</ul>\n", Kind::Other),
            Tag::Item => self.open("<li>", "</li>\n", Kind::Other),
            Tag::Table(_) => {
                self.open("<div class=\"table\"><table>\n", "</tbody></table></div>\n", Kind::Other);
            }
            Tag::TableHead => {
                self.is_head = true;
                self.open("<thead><tr>", "</tr></thead>\n<tbody>\n", Kind::Other);
            }
            Tag::TableRow => self.open("<tr>", "</tr>\n", Kind::Other),
            Tag::TableCell if self.is_head => self.open("<th>", "</th>", Kind::Other),
            Tag::TableCell => self.open("<td>", "</td>", Kind::Other),
            Tag::Emphasis => self.open("<em>", "</em>", Kind::Other),
            Tag::Strong => self.open("<strong>", "</strong>", Kind::Other),
            Tag::Strikethrough => self.open("<del>", "</del>", Kind::Other),
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
                self.link(&format!("mailto:{dest_url}"));
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.link(&dest_url),
            Tag::Paragraph | Tag::HtmlBlock => self.open("<p>", "</p>\n", Kind::Other),
            _ => self.open("", "", Kind::Other),
        }
    }

    fn end(&mut self, tag: TagEnd) -> Option<()> {
        self.flush();
        if tag == TagEnd::TableHead {
            self.is_head = false;
        }
        let Open { end, kind } = self.open.pop()?;
        match kind {
            Kind::Quote => self.quotes -= 1,
            // Nobody could see where it leads.
            Kind::Link(begin) if self.html.len() == begin => self.html.push_str("(link)"),
            _ => {}
        }
        self.html.push_str(&end);
        Some(())
    }

    /// A link, or what a link would have been: then its address is shown behind its words.
    fn link(&mut self, address: &str) {
        if self.is_in_link() {
            return self.open("", "", Kind::Other);
        }
        if is_of_message(address) {
            self.open(&format!("<a href=\"{address}\">"), "</a>", Kind::Link(0));
        } else if leads_out(address) {
            self.open("", "</a>", Kind::Link(0));
            text::open_link(address, &mut self.html);
        } else {
            let mut end = String::new();
            if !address.is_empty() {
                end.push_str(" (");
                escape(address, &mut end);
                end.push(')');
            }
            return self.open("", &end, Kind::Other);
        }
        if let Some(open) = self.open.last_mut() {
            open.kind = Kind::Link(self.html.len());
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        self.html.push_str("<pre>");
        if let CodeBlockKind::Fenced(info) = kind
            && let Some(language) = language(info)
        {
            self.element("<span class=\"language\">", language, "</span>");
        }
        self.open("<code>", "</code></pre>\n", Kind::Verbatim);
    }

    /// Lines of raw HTML, as text.
    fn raw_lines(&mut self, html: &CowStr<'_>) {
        self.flush();
        for line in html.split_inclusive('\n') {
            escape(line.trim_end_matches('\n'), &mut self.html);
            if line.ends_with('\n') {
                self.html.push_str("<br>\n");
            }
        }
    }

    fn open(&mut self, begin: &str, end: &str, kind: Kind) {
        self.html.push_str(begin);
        self.open.push(Open { end: end.to_owned(), kind });
    }

    fn element(&mut self, begin: &str, words: &str, end: &str) {
        self.put(begin);
        escape(words, &mut self.html);
        self.html.push_str(end);
    }

    /// HTML of ours.
    fn put(&mut self, html: &str) {
        self.flush();
        self.html.push_str(html);
    }

    /// Writes the text so far.
    fn flush(&mut self) {
        let is_verbatim = self.open.last().is_some_and(|open| open.kind == Kind::Verbatim);
        let within = match () {
            () if is_verbatim || self.is_in_link() => Within::Link,
            () if self.quotes > 0 => Within::Quote,
            () => Within::Words,
        };
        text::write(&self.text, within, &mut self.html);
        self.text.clear();
    }

    fn is_in_link(&self) -> bool {
        self.open.iter().any(|open| matches!(open.kind, Kind::Link(_)))
    }
}

/// The language of a fence, which is only a word to read.
fn language(info: &str) -> Option<&str> {
    info.split_whitespace().next().filter(|language| language.len() <= MAX_LANGUAGE)
}

/// Whether an address is `#12`, a message of the same room.
fn is_of_message(address: &str) -> bool {
    let number = address.strip_prefix('#').unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an address leads to the web, or to somebody's mail.
fn leads_out(address: &str) -> bool {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        ["http", "https", "mailto"].iter().any(|safe| scheme.eq_ignore_ascii_case(safe))
    })
}
