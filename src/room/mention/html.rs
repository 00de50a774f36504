//! Raw HTML, taken apart: what is text, what is markup, and which elements hide their contents.
//!
//! Tolerant: it reads what people and models write, not a standard. What is not closed goes on to the end.

/// An element whose contents address nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hider {
    /// `<pre>`
    Pre,
    /// `<code>`
    Code,
    /// `<script>`
    Script,
    /// `<style>`
    Style,
}

impl Hider {
    const ALL: [(&str, Self); 4] =
        [("pre", Self::Pre), ("code", Self::Code), ("script", Self::Script), ("style", Self::Style)];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, hider)| *hider)
    }

    /// The end tag before which nothing in the element is markup.
    fn raw_end(self) -> Option<&'static str> {
        match self {
            Self::Pre | Self::Code => None,
            Self::Script => Some("</script"),
            Self::Style => Some("</style"),
        }
    }
}

/// One piece of raw HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// What stands beside the markup.
    Text(&'a str),
    /// A tag, a comment, or other markup that hides nothing.
    Markup,
    /// The beginning of a hidden part.
    Open(Hider),
    /// Its end.
    Close(Hider),
}

/// Takes `html` apart, piece by piece.
pub(super) fn parts(html: &str, mut take: impl FnMut(Part<'_>)) {
    let (mut text_start, mut at) = (0, 0);
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        let Some((part, length)) = markup(&html[start..]) else {
            at = start + 1;
            continue;
        };
        if text_start < start {
            take(Part::Text(&html[text_start..start]));
        }
        take(part);
        at = start + length;
        if let Part::Open(hider) = part {
            at += raw_length(&html[at..], hider);
        }
        text_start = at;
    }
    if text_start < html.len() {
        take(Part::Text(&html[text_start..]));
    }
}

/// The markup at the start of `rest`, which begins with `<`, and its length; `None` if the `<` is text.
fn markup(rest: &str) -> Option<(Part<'_>, usize)> {
    let is_declaration =
        rest[1..].starts_with('!') && rest[2..].starts_with(|c: char| c.is_ascii_alphabetic());
    let length = if let Some(inside) = rest.strip_prefix("<!--") {
        // `<!-->` and `<!--->` are whole comments.
        let skipped = if inside.starts_with('>') || inside.starts_with("->") { 2 } else { 4 };
        length_to(rest, skipped, "-->")
    } else if rest.starts_with("<![CDATA[") {
        length_to(rest, 9, "]]>")
    } else if rest.starts_with("<?") {
        length_to(rest, 2, "?>")
    } else if is_declaration {
        length_to(rest, 2, ">")
    } else {
        return tag(rest);
    };
    Some((Part::Markup, length))
}

/// How long `rest` is up to and with the first `end` after `from`.
fn length_to(rest: &str, from: usize, end: &str) -> usize {
    rest[from..].find(end).map_or(rest.len(), |found| from + found + end.len())
}

fn tag(rest: &str) -> Option<(Part<'_>, usize)> {
    let is_end = rest[1..].starts_with('/');
    let name_start = if is_end { 2 } else { 1 };
    let name = &rest[name_start..];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ':';
    let name_length = name.find(|c| !is_name(c)).unwrap_or(name.len());
    let length = name_start + name_length + attributes_length(&name[name_length..]);
    let part = match Hider::named(&name[..name_length]) {
        Some(hider) if is_end => Part::Close(hider),
        // `<Code />` has no contents.
        Some(hider) if !rest[..length].ends_with("/>") => Part::Open(hider),
        _ => Part::Markup,
    };
    Some((part, length))
}

/// How long the attributes are, with the `>` after them. A `>` inside a quoted value is no end, unless the
/// quote never ends.
fn attributes_length(rest: &str) -> usize {
    let mut before = ' ';
    let mut quote = None;
    let mut first_end = None;
    for (at, c) in rest.char_indices() {
        if c == '>' {
            first_end = first_end.or(Some(at + 1));
        }
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '>' => return at + 1,
            None if before == '=' && (c == '"' || c == '\'') => quote = Some(c),
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    first_end.unwrap_or(rest.len())
}

/// How much of `rest` is neither text nor markup, because it stands in a script or a style sheet.
fn raw_length(rest: &str, hider: Hider) -> usize {
    let Some(end) = hider.raw_end() else { return 0 };
    let is_end = |at: &usize| {
        rest.as_bytes()[*at..].get(..end.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(end.as_bytes()))
    };
    rest.match_indices('<').map(|(at, _)| at).find(is_end).unwrap_or(rest.len())
}
