//! Long texts that would take minutes each if anything in the parser took quadratic time.

use super::{super::mentions, line, names};

const SIZE: usize = 1 << 17;
const MAX_MESSAGE: usize = 1 << 20;

/// A long text of `token`.
fn many(token: &str) -> String {
    token.repeat(SIZE / token.len())
}

/// Half of it `first`, half of it `second`.
fn halves(first: &str, second: &str) -> String {
    first.repeat(SIZE / 2 / first.len()) + second + &second.repeat(SIZE / 2 / second.len())
}

fn found(text: &str) -> String {
    line(&mentions(text, &names(&["@Bob", "@太郎"])))
}

#[test]
fn one_token_without_end_is_read() {
    for token in [
        "`",
        "```\n",
        "> ",
        "[",
        "![",
        "[a](",
        "<",
        "<a ",
        "x<!--",
        "x<?",
        "<pre>",
        "<div>\n\n",
        "x<a b='",
        "*a ",
        "_a",
        "&",
        "\\",
        "|",
        "\\@",
        "x <code>",
        "<script>\n</script>\n",
        "<div><!",
        "<p>@Zed</p>",
    ] {
        let text = many(token);
        let text = format!("@Bob first\n\n{text}");
        assert!(found(&text).starts_with("@Bob"), "{token:?}");
    }
}

#[test]
fn one_name_without_end_is_read() {
    for token in ["a", "a.", "a_", "_", "a-.", "郎", "太郎.", "\u{301}", "@", "@a", "@a.a ", "@_x_", ".__x__"]
    {
        let text = format!("@Bob @{}", many(token));
        assert!(found(&text).starts_with("@Bob"), "{token:?}");
    }
}

#[test]
fn the_longest_message_is_read() {
    let paragraph = "Some `code`, *words* and _@Bob_: [a](b) <b>c</b> &amp; 60,001 more.\n";
    assert_eq!(found(&paragraph.repeat(MAX_MESSAGE / paragraph.len())), "@Bob");
    assert_eq!(found(&("@Bob\n".to_owned() + &"`".repeat(MAX_MESSAGE))), "@Bob");
}

/// The Markdown parser looks at each open container on each line; this is refused instead.
#[test]
fn thousands_of_levels_over_thousands_of_lines_address_nobody() {
    for (levels, lines) in [
        ("- ", "\n"),
        ("- ", "\na"),
        ("> ", "\na"),
        ("1. ", "\r"),
        ("* > ", "\n2. b"),
        ("- + ", "\r\n\r\n"),
        ("-\t", "\n\u{a0}"),
        ("- [^a]: ", "\n"),
    ] {
        let text = format!("@Bob\n\n{}", halves(levels, lines));
        assert_eq!(found(&text), "", "{levels:?} {lines:?}");
    }
}

#[test]
fn depth_or_length_alone_is_read() {
    let deep = format!("{}a\n\n@Bob", many("- + "));
    let long = format!("{}\n@Bob", many("- a\n  - b\n    > c\n\n"));
    let wide = format!("```\n{}x\n{}```\n@Bob", " ".repeat(400), "\n".repeat(100_000));
    for text in [deep, long, wide] {
        assert_eq!(found(&text), "@Bob");
    }
}

#[test]
fn the_list_of_unknown_names_ends() {
    let text: Vec<_> = (0..10_000).map(|number| format!("@n{number}")).collect();
    assert_eq!(mentions(&text.join(" "), &names(&[])).unknown.len(), 20);
}
