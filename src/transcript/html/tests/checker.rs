//! Reads HTML as strictly as it is made: every element is known, closed, and where a browser leaves it.

/// Elements without attributes.
const PLAIN: [&str; 21] = [
    "p",
    "em",
    "strong",
    "del",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "br",
    "hr",
    "a",
    "span",
    "div",
];
/// Elements with attributes, as they are written.
const FIXED: [&str; 4] =
    ["span class=\"language\"", "span class=\"mention\"", "div class=\"table\"", "pre class=\"plain\""];
const ENTITIES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
/// What a browser lets stand in a paragraph, a cell or a link.
const INLINE: [&str; 7] = ["em", "strong", "del", "code", "a", "span", "br"];

/// Fails unless `html` is made of what is allowed.
pub(super) fn check(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '>', '&', '"']) {
        rest = &rest[at..];
        if let Some(entity) = ENTITIES.iter().find(|entity| rest.starts_with(**entity)) {
            rest = &rest[entity.len()..];
            continue;
        }
        let (tag, after) = rest.strip_prefix('<').and_then(|tag| tag.split_once('>')).expect("a tag");
        rest = after;
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "it is the innermost that ends: {html}"),
            None => begin(tag, &mut open, html),
        }
    }
    assert!(open.is_empty(), "left open: {open:?} in {html}");
    let is_hidden =
        |c: char| c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!html.contains(is_hidden), "{html:?}");
}

fn begin<'a>(tag: &'a str, open: &mut Vec<&'a str>, html: &str) {
    let name = tag.split(' ').next().expect("a name");
    let is_known = PLAIN.contains(&tag) && !["a", "span", "div"].contains(&tag) || FIXED.contains(&tag);
    assert!(is_known || is_link(tag) || is_list(tag), "<{tag}> in {html}");
    let is_inline = INLINE.contains(&name);
    let holds_inline_only =
        |outer: &&str| ["p", "th", "td", "a", "em", "strong", "del", "span", "code"].contains(outer);
    if let Some(outer) = open.iter().find(|outer| holds_inline_only(outer)) {
        assert!(is_inline, "<{name}> in <{outer}> in {html}");
    }
    assert!(name != "a" || !open.contains(&"a"), "a link in a link in {html}");
    if !["br", "hr"].contains(&name) {
        open.push(name);
    }
}

fn is_list(tag: &str) -> bool {
    let start = tag.strip_prefix("ol start=\"").and_then(|rest| rest.strip_suffix('"'));
    start.is_some_and(|start| start.parse::<u64>().is_ok())
}

fn is_link(tag: &str) -> bool {
    let Some(address) = tag.strip_prefix("a href=\"") else { return false };
    let Some((address, attributes)) = address.split_once('"') else { return false };
    if let Some(number) = address.strip_prefix('#') {
        return attributes.is_empty() && number.parse::<f64>().is_ok();
    }
    let scheme = address.split(':').next().unwrap_or_default().to_ascii_lowercase();
    ["http", "https", "mailto"].contains(&scheme.as_str())
        && address.contains(':')
        && attributes == " rel=\"noopener noreferrer nofollow\" target=\"_blank\""
}
