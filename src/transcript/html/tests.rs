//! What Markdown becomes, and that nothing of it acts.

mod checker;

use proptest::prelude::*;

use super::super::hostile;
use super::html;

fn check(cases: &[(&str, &str)]) {
    for (words, expected) in cases {
        let made = html(words);
        checker::check(&made);
        assert_eq!(made.trim_end(), *expected, "{words:?}");
    }
}

#[test]
fn markdown_is_formatted() {
    check(&[
        ("hello", "<p>hello</p>"),
        (
            "a *b* **c** ~~d~~ `e<f`",
            "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e&lt;f</code></p>",
        ),
        ("a\nb  \nc", "<p>a<br>\nb<br>\nc</p>"),
        ("- [x] a\n- [ ] b", "<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n</ul>"),
        ("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>"),
        (
            "```rust ignore\nlet a = \"b\";\n```",
            "<pre><span class=\"language\">rust</span><code>let a = &quot;b&quot;;\n</code></pre>",
        ),
        ("    @Bob\n", "<pre><code>@Bob</code></pre>"),
        (
            "|a|\n|-|\n|`b`|",
            "<div class=\"table\"><table>\n<thead><tr><th>a</th></tr></thead>\n<tbody>\n<tr><td><code>b</code></td></tr>\n</tbody></table></div>",
        ),
        ("---", "<hr>"),
    ]);
}

#[test]
fn headings_stay_out_of_the_outline() {
    check(&[
        ("# Title #\n\nx", "<p><strong>Title</strong></p>\n<p>x</p>"),
        ("a\n=", "<p><strong>a</strong></p>"),
    ]);
}

#[test]
fn raw_html_is_text() {
    check(&[
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"),
        ("<script>\nalert(1)\n</script>", "<p>&lt;script&gt;<br>\nalert(1)<br>\n&lt;/script&gt;</p>"),
        ("<!-- a -->", "<p>&lt;!-- a --&gt;</p>"),
        ("&lt;b&gt; &amp;amp;", "<p>&lt;b&gt; &amp;amp;</p>"),
    ]);
}

#[test]
fn links_lead_out_or_to_a_message() {
    let out = "rel=\"noopener noreferrer nofollow\" target=\"_blank\"";
    check(&[
        (
            "[a](https://x.org/?a=1&b=\"2\" \"title\")",
            &format!("<p><a href=\"https://x.org/?a=1&amp;b=&quot;2&quot;\" {out}>a</a></p>"),
        ),
        (
            "see https://x.org/a_b(c). Or (http://y.org).",
            &format!(
                "<p>see <a href=\"https://x.org/a_b(c)\" {out}>https://x.org/a_b(c)</a>. Or (<a href=\"http://y.org\" {out}>http://y.org</a>).</p>"
            ),
        ),
        ("<me@x.org>", &format!("<p><a href=\"mailto:me@x.org\" {out}>me@x.org</a></p>")),
        ("[a](#12)", "<p><a href=\"#12\">a</a></p>"),
        ("[](https://x.org)", &format!("<p><a href=\"https://x.org\" {out}>(link)</a></p>")),
        ("[a](javascript:alert(1))", "<p>a (javascript:alert(1))</p>"),
        (
            "[a](  JavaScript:x) [b](//x.org) [c](#composer) [d](/new)",
            "<p>a (JavaScript:x) b (//x.org) c (#composer) d (/new)</p>",
        ),
        ("[a](data:text/html,x)", "<p>a (data:text/html,x)</p>"),
        ("[a]()", "<p>a</p>"),
    ]);
}

#[test]
fn images_are_links_and_never_loaded() {
    let out = "rel=\"noopener noreferrer nofollow\" target=\"_blank\"";
    check(&[
        (
            "![a **b**](https://x.org/p.png)",
            &format!("<p><a href=\"https://x.org/p.png\" {out}>a <strong>b</strong></a></p>"),
        ),
        (
            "[![a](https://x.org/p.png)](https://y.org)",
            &format!("<p><a href=\"https://y.org\" {out}>a</a></p>"),
        ),
        ("![a](file:///etc/passwd)", "<p>a (file:///etc/passwd)</p>"),
        ("![](x.png)", "<p> (x.png)</p>"),
    ]);
}

#[test]
fn names_are_marked_where_they_may_address() {
    let bob = "<span class=\"mention\">@Bob</span>";
    check(&[
        ("@Bob, hi (@Bob)", &format!("<p>{bob}, hi ({bob})</p>")),
        (
            "**@Bob** a_b@Bob.org \\@Bob `@Bob`",
            &format!("<p><strong>{bob}</strong> a_b@Bob.org @Bob <code>@Bob</code></p>"),
        ),
        ("> @Bob", "<blockquote>\n<p>@Bob</p>\n</blockquote>"),
        ("[@Bob](#1)", "<p><a href=\"#1\">@Bob</a></p>"),
        ("@code_reviewer-2.", "<p><span class=\"mention\">@code_reviewer-2</span>.</p>"),
    ]);
}

#[test]
fn what_is_too_long_or_too_deep_is_plain() {
    let long = "*a* ".repeat(40_000);
    let deep = ">".repeat(500) + " a";
    let lists = (0..100).flat_map(|depth| [" ".repeat(depth * 2), "- a\n".into()]).collect::<String>();
    let styles = "*a **b ".repeat(60) + &"** c*".repeat(60);
    for words in [long, deep, lists, styles] {
        let made = html(&words);
        checker::check(&made);
        assert!(made.starts_with("<pre class=\"plain\">"), "{}", &made[..made.len().min(200)]);
    }
}

#[test]
fn a_text_does_not_grow_without_bound() {
    for words in [
        "|a".repeat(20_000) + "|\n" + &"|-".repeat(20_000) + "|\n" + &"|\n".repeat(20_000),
        "[](http:)".repeat(14_000),
        format!("[a]: http://{}\n\n", "x".repeat(60_000)) + &"[a] ".repeat(15_000),
    ] {
        let made = html(&words);
        checker::check(&made);
        assert!(made.len() < 3 * 1024 * 1024, "{}", made.len());
    }
}

#[test]
fn what_acts_without_being_seen_is_shown() {
    check(&[("a\u{202e}b\u{1b}[2J\0", "<p>a␦b␛[2J␀</p>"), ("a\r\nb", "<p>a<br>\nb</p>")]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_a_hostile_text_acts(words in hostile::text()) {
        checker::check(&html(&words));
    }

    #[test]
    fn plain_words_are_kept(words in "[a-z]{1,8}( [a-z]{1,8}){0,6}") {
        prop_assert_eq!(html(&words), format!("<p>{words}</p>\n"));
    }
}
