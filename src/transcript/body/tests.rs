//! The rules of the three forms, and hostile texts.

use super::*;
use crate::transcript::hostile;
use proptest::prelude::*;

fn form(text: &str) -> Form {
    render(text, VaultLinks::Alive).0
}

fn quote(text: &str) -> String {
    render(text, VaultLinks::Alive).1
}

#[test]
fn ordinary_messages_are_quoted_as_they_are() {
    for text in [
        "plain words",
        "a **bold** plan\n\n```rust\nlet v: Vec<String> = vec![];\n```\n\n- one\n- two\n  1. three",
        "see [docs](https://docs.rs), [[Note]], #tag and `Vec<String>`",
        "| a | b |\n|---|---|\n| 1 | `Option<T>` |",
        "> quoted\n\nreply to @Alice",
        "a\n\n---\n\nb",
        "```rust\nx\n```\n---\nb",
        "a < b, n <3, x <= y, costs $5 and $10",
        "`$HOME` and `$PATH`",
        "5$ a day\n\n10$ in all",
        "- [ ] open\n- [x] done",
        "1. first\n\n   ```python\n   print(1) # <b>\n   ```\n\n2. second",
        "https://example.org/a?b=c#d and me@example.org",
        "~~old~~ *new* _fine_ 日本語 🔔",
        "\\<b> is escaped already",
        "    indented code()",
    ] {
        assert_eq!(form(text), Form::Quoted, "{text}");
    }
    assert_eq!(quote("a\n\nb\n"), "> a\n>\n> b\n");
}

#[test]
fn what_a_backslash_cures_is_escaped() {
    for (text, want) in [
        ("returns Vec<u8> when a < b", "> returns Vec\\<u8> when a < b\n"),
        ("<script>alert(1)</script>", "> \\<script>alert(1)\\</script>\n"),
        ("![x](https://evil.example/p.png)", "> \\![x](https://evil.example/p.png)\n"),
        ("![[Private note]]", "> \\![[Private note]]\n"),
        ("# Plan\n\ntext", "> \\# Plan\n>\n> text\n"),
        ("- ## Plan", "> - \\## Plan\n"),
        ("a\n: # Plan", "> a\n> : \\# Plan\n"),
        ("[!NOTE]\nx", "> \\[!NOTE]\n> x\n"),
        ("> [!WARNING] x", "> > \\[!WARNING] x\n"),
        ("\u{a0}[!NOTE]", "> \u{a0}\\[!NOTE]\n"),
        ("<!-- open", "> \\<!-- open\n"),
        ("[[javascript:alert(1)|x]]", "> \\[[javascript:alert(1)|x]]\n"),
        ("[[java\nscript:alert(1)]]", "> \\[[java\n> script:alert(1)]]\n"),
    ] {
        assert_eq!(render(text, VaultLinks::Alive), (Form::Escaped, want.to_owned()));
    }
}

#[test]
fn what_no_backslash_cures_is_plain_text() {
    for text in [
        "```rust\nfn main() {",
        "```\n> ```",
        "%% hidden",
        "```dataviewjs\napp.vault.delete()\n```",
        "```mermaid\ngraph TD\n```",
        "```js {cmd=true}\n1\n```",
        "`= this.file`",
        "`$= dv.pages()`",
        "title\n===",
        "title\n---",
        "a|b\n-|-\n1|2\ntitle\n===",
        "a|b\n-|-\n1|2\n`title`\n---",
        "[spec]: https://evil.example",
        "[a\nb]: https://evil.example",
        "- [spec]: https://evil.example",
        "see[^1]\n\n[^1]: note",
        "a ^[inline note]",
        "[t](javascript:alert(1))",
        "[t](java&#115;cript:alert(1))",
        "[[a/](javascript:alert(1))]]",
        "obsidian://open?vault=x",
        "$$x$$",
        "an $a+b$ formula",
        "a$b$c",
        "a$b\nc$d",
        "a $b `c$d`",
        "$`x`$",
        "a line ^block-id",
        "a line ^block-id\u{a0}\t\\\nb",
        "a\n:^block-id",
        "a\n: 1. ~~~mermaid",
        "`a\n: # b`",
        "a\n:```math\nb```",
        "a\n: b\n2. ```math\nc```",
        "a `b\nc|d\n-|-\n`= 1`",
        "\t```\na|b\n-|-\n![[c\n```",
        "a `b\n` = 1`c|d\n-|-\n1|2",
        "```: a|b\n-|-\n1|2\n<img src=x>\n```",
        "https://example.org/`<b>`",
        "http://example.org\\<b>",
        "a `` stray and `Vec<u8>`",
        "[[ `]] <b> ` x",
        "    let v: Vec<u8>;",
        "> > > > > > > > > > > > > > > > > deep",
    ] {
        assert_eq!(form(text), Form::Plain, "{text}\n{}", quote(text));
    }
    assert_eq!(quote("%% ```` x"), "> `````text\n> %% ```` x\n> `````\n");
}

#[test]
fn links_of_a_vault_can_be_switched_off() {
    let text = "see [[Note|x]] and #tag, not a#b\n#top";
    assert_eq!(render("a\n:#tag", VaultLinks::Shown), (Form::Escaped, "> a\n> :\\#tag\n".to_owned()));
    let (form, quote) = render(text, VaultLinks::Shown);
    assert_eq!((form, quote.as_str()), (Form::Escaped, "> see \\[[Note|x]] and \\#tag, not a#b\n> \\#top\n"));
}

#[test]
fn other_line_breaks_and_hidden_characters_are_shown() {
    assert_eq!(quote("psst\r\r### x"), "> psst\n>\n> \\### x\n");
    assert_eq!(quote("psst\u{2028}### x\u{202e}"), "> psst␤### x␦\n");
}

/// What opens something, costs something, or opens and does not close.
const UNITS: &[&str] = &[
    "`",
    "`a ",
    "``` ",
    "```\n",
    "```rust\n",
    "~~~\n",
    "<",
    "< ",
    "<a ",
    "<!--",
    "<![CDATA[",
    "<?",
    "</",
    "<http:",
    "[",
    "]",
    "[a](",
    "![",
    "![](",
    "[[",
    "[^",
    "[^1]",
    "[a]: ",
    "[a]: b\n",
    "[a\n",
    "[!",
    "[x](<",
    "[a](b '",
    "> ",
    ">",
    "- ",
    "- a\n",
    "1. ",
    "  ",
    "\n",
    "*",
    "**a ",
    "*a_ ",
    "_",
    "~",
    "$",
    "$a ",
    "$$",
    "$`",
    "}$}{",
    "^",
    "a^b\n",
    "x ^y\n",
    "%",
    "\\",
    "\\<",
    "|",
    "|a",
    "|-|\n",
    "a|b\n-|-\n",
    "://",
    "a://",
    "http://",
    "www.",
    "@",
    "a@",
    "&",
    "&#",
    "&lt;",
    "#",
    "# \n",
    "=\n",
    "a\n=\n",
    "<a href=\"",
    "(",
    "{",
    "}",
    "\"",
    "\u{1}",
    "é",
    "\t",
    " \t",
];

/// Sizes at which a quadratic search would take minutes.
#[test]
fn a_hostile_text_costs_its_length() {
    for unit in UNITS {
        let text = unit.repeat(30_001 / unit.len());
        assert!(quote(&text).ends_with('\n'));
    }
    for text in ["`".repeat(60_001), "```\n".repeat(30_001)] {
        assert!(quote(&text).ends_with('\n'));
    }
    for unit in ["`", "```\n", "<", "[", "> "] {
        assert_eq!(form(&unit.repeat((1 << 20) / unit.len())), Form::Plain);
    }
}

#[test]
fn what_opens_much_and_closes_much_costs_its_length() {
    for (open, close) in [
        ("> ", "\n"),
        ("- ", "\n"),
        ("[", "]"),
        ("[", "](a)"),
        ("*", "a*"),
        ("`a``", "`"),
        ("<", ">"),
        ("- a\n", "\n"),
        ("($", "$)"),
        ("{", "$"),
        ("[a]: b\n", "[a]"),
        ("<a ", "/>"),
        ("| ", "|-"),
    ] {
        let text = open.repeat(30_000 / open.len()) + &close.repeat(30_000 / close.len());
        assert!(quote(&text).ends_with('\n'));
    }
    let stairs: Vec<String> = (0..400).map(|depth| "  ".repeat(depth) + "- a\n").collect();
    assert!(quote(&(stairs.concat() + &"\n".repeat(60_000) + "x")).len() > 60_000);
}

#[test]
fn the_analysis_alone_costs_its_length_too() {
    for unit in ["`", "```\n", "<", "[", "![", "[a](", "> \n", "\\<", "a ^b ", "://"] {
        let quoted = quote::quoted(&unit.repeat((1 << 20) / unit.len()));
        let code = markdown::Code::default();
        let _ = marks::find(&quoted, &code, VaultLinks::Alive);
    }
}

proptest! {
    /// Every line of every message stands behind `>`.
    #[test]
    fn text_stays_in_its_quote(text in hostile::text()) {
        for links in [VaultLinks::Alive, VaultLinks::Shown] {
            let (_, quote) = render(&text, links);
            prop_assert!(quote.ends_with('\n'));
            prop_assert!(quote.lines().all(|line| line == ">" || line.starts_with("> ")), "{}", quote);
        }
    }

    /// Escaping adds backslashes and nothing else.
    #[test]
    fn no_word_is_lost(text in hostile::text()) {
        let (form, quote) = render(&text, VaultLinks::Alive);
        let bare = |text: &str| text.replace('\\', "");
        let lines: Vec<&str> = quote.lines().map(|line| line.strip_prefix("> ").unwrap_or("")).collect();
        let clean = clean::text(&text);
        let want = clean.trim_end_matches('\n');
        match form {
            Form::Quoted => prop_assert_eq!(lines.join("\n"), want),
            Form::Escaped => prop_assert_eq!(bare(&lines.join("\n")), bare(want)),
            Form::Plain => prop_assert_eq!(lines[1..lines.len() - 1].join("\n"), want),
        }
    }
}
