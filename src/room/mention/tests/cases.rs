//! One table per rule: a text, and whom it addresses.

use super::{check, names};
use crate::room::Names;

/// The room of most tables.
fn room() -> Names {
    names(&["@Alice", "@Bob", "@Carol", "@user", "Cupid=@Bob"])
}

#[test]
fn names_in_prose_are_mentions_once_each_in_order() {
    check(
        &room(),
        &[
            ("hello @Bob", "@Bob"),
            ("@Bob @Bob @Bob, @Bob", "@Bob"),
            ("@Carol and @Bob, @carol", "@Carol @Bob"),
            ("intro\n@Bob please", "@Bob"),
            ("intro\r\n@Bob\r\n@Carol", "@Bob @Carol"),
            ("I, @Alice, ask @Bob", "@Alice @Bob"),
            ("   \n ", ""),
            ("@ Bob", ""),
            ("hello Cupid and Bob", ""),
            ("a\\\n@Bob", "@Bob"),
            ("# @Bob\n\n@Carol\n===", "@Bob @Carol"),
            ("- @Bob\n  1. [ ] @Carol", "@Bob @Carol"),
            ("- [x] @Bob", "@Bob"),
            ("| who | why |\n|--|--|\n| @Bob | x \\| @Carol |", "@Bob @Carol"),
            ("x[^1]\n\n[^1]: @Bob", "@Bob"),
        ],
    );
}

#[test]
fn code_mentions_nobody() {
    check(
        &room(),
        &[
            ("```python\n@Bob\ndef f(): pass\n```\n@Carol look", "@Carol"),
            ("~~~\n@Bob\n~~~\n@Carol look", "@Carol"),
            ("````\n```\n@Bob\n```\n````\n@Carol look", "@Carol"),
            ("~~~\n```\n~~~\n@Bob real\n", "@Bob"),
            ("@Carol look\n\n```\n@Bob", "@Carol"),
            ("@Carol look\n\n~~~\n@Bob", "@Carol"),
            ("> ```\n> @Bob\n> ```\n\n@Carol look", "@Carol"),
            ("- item\n\n  ```\n  @Bob\n  ```\n\n@Carol look", "@Carol"),
            ("``` @Bob\n```\n@Carol", "@Carol"),
            ("run ```@Bob``` now, @Carol", "@Carol"),
            ("```\n@Bob\n``` x\n@Bob\n```\n@Carol look", "@Carol"),
            ("text:\n\n    @Bob\n\n@Carol look", "@Carol"),
            ("text:\n\n\t@Bob\n\n@Carol look", "@Carol"),
            ("text\n    @Bob is a lazy continuation", "@Bob"),
            ("`@Bob`, @Carol", "@Carol"),
            ("``@Bob`` is code, @Carol is not", "@Carol"),
            ("`` a ` @Bob `` is code, @Carol is not", "@Carol"),
            ("``@Bob ` x``", ""),
            ("\\`@Bob\\` please", "@Bob"),
            ("`a\n@Bob\nb` @Carol", "@Carol"),
            ("`@all` is the tag, @Carol", "@Carol"),
            ("```\n@all\n```\n@Carol", "@Carol"),
            ("`not closed @Bob", "@Bob"),
            ("`a`@Bob", "@Bob"),
        ],
    );
}

#[test]
fn markup_mentions_nobody_and_the_text_beside_it_does() {
    check(
        &room(),
        &[
            ("<!-- @Bob --> @Carol look", "@Carol"),
            ("<!--\n@Bob\n-->\n\n@Carol look", "@Carol"),
            ("<!--\n@Bob\n--> @Carol", "@Carol"),
            ("<!--> @Carol", "@Carol"),
            ("hi <!-- @Bob --> @Carol", "@Carol"),
            ("<a href=\"https://x.test/@Bob\">x</a> @Carol", "@Carol"),
            ("<a title=\"@Bob\">@Carol</a>", "@Carol"),
            ("<div title='a > @Bob'>\n@Carol", "@Carol"),
            ("<div title='a> @Carol", "@Carol"),
            ("<div\n@Bob", ""),
            ("<div>@Bob</div>", "@Bob"),
            ("<div>\n    <p>@Bob</p>\n</div>", "@Bob"),
            ("- <div>\n  @Bob\n  </div>", "@Bob"),
            ("x <b>@Bob</b>", "@Bob"),
            ("<?php @Bob ?> @Carol", "@Carol"),
            ("<!DOCTYPE @Bob> @Carol", "@Carol"),
            ("<![CDATA[ @Bob ]]> @Carol", "@Carol"),
            ("<!-- @Bob\n\n@Carol", ""),
            ("<@Bob>, a < b @Carol", "@Bob @Carol"),
        ],
    );
}

#[test]
fn an_html_block_is_read_like_prose() {
    check(
        &room(),
        &[
            ("<details>\n<summary>log</summary>\n```\n@Bob\n```\n</details>", ""),
            ("<!-- note --> `@Bob`, @Carol", "@Carol"),
            ("<p>_@Bob_ \\@Carol &#64;Alice</p>", "@Bob"),
            ("<div>\n> @Bob\n</div>", ""),
            ("<div> mail joe@Bob.example", ""),
        ],
    );
}

#[test]
fn elements_that_hide_mention_nobody() {
    check(
        &room(),
        &[
            ("<pre>\n@Bob\n</pre>\n\n@Carol", "@Carol"),
            ("<PRE>\n@Bob\n</PRE>\n\n```\n@Bob\n```\n@Carol", "@Carol"),
            ("<pre>\n\n@Bob", ""),
            ("<pre><b>@Bob</b></pre> @Carol", "@Carol"),
            ("x <code>@Bob</code> @Carol", "@Carol"),
            ("x <CODE class=\"a\">@Bob</Code> @Carol", "@Carol"),
            ("x <pre>@Bob <b>@Bob</b></pre> @Carol", "@Carol"),
            ("x <script>@Bob</script> <style>@Bob</style> @Carol", "@Carol"),
            ("<script>if (a<b) f('@Bob')</script> @Carol", "@Carol"),
            ("<style>\n\n@Bob { }\n</STYLE>\n@Carol", "@Carol"),
            ("<script>\n@Bob", ""),
            ("<codex>@Bob</codex>", "@Bob"),
            ("use <Code />, @Bob", "@Bob"),
            ("</code> @Bob", "@Bob"),
        ],
    );
}

#[test]
fn a_hiding_element_without_an_end_hides_the_rest_of_its_block() {
    check(
        &room(),
        &[
            ("use the <code> tag, @Bob\n\n@Carol", "@Carol"),
            ("- use <code>\n- @Carol", "@Carol"),
            ("a <code>x\n\n@Bob</code> @Carol", "@Carol"),
            ("<div>\n<pre>\n@Bob\n\n@Bob\n</pre>\n</div>\n\n@Carol", "@Carol"),
            ("<code> alone\n\nx <pre>@Bob</pre> @Carol", "@Carol"),
        ],
    );
}

#[test]
fn quotes_mention_nobody() {
    check(
        &room(),
        &[
            ("> @Bob said so\n\n@Carol, do you agree?", "@Carol"),
            ("> - > @Bob\n\n@Carol", "@Carol"),
            ("- > @Bob\n- @Carol", "@Carol"),
            // CommonMark takes a line right below as a part of the quote.
            ("> he said\n@Bob", ""),
            ("> <pre>\n\n@Carol", "@Carol"),
        ],
    );
}

#[test]
fn targets_and_addresses_are_no_mentions() {
    check(
        &room(),
        &[
            ("see https://medium.test/@Bob/story, @Carol", "@Carol"),
            ("https://x.test/?user=@Bob&x=1", ""),
            ("https://x.test/#@Bob, @Carol", "@Carol"),
            ("www.x.test?q=@Bob", ""),
            ("(see https://x.test/a)@Carol", "@Carol"),
            ("看https://x.test/a，@Carol", "@Carol"),
            ("<https://x.test/?@Bob> <joe@Bob.example>", ""),
            ("[@Bob](https://x.test/@Carol \"@Carol\")", "@Bob"),
            ("[see][x] @Bob\n\n[x]: /@Carol '@Carol'", "@Bob"),
            ("![@Bob](x.png)", "@Bob"),
            ("mail joe@Bob.example", ""),
            ("mail dev@Bob.example, git@Bob:repo, https://x/@Bob/1, npm i @Bob/core", ""),
            ("npm i left-pad@Bob, @Carol", "@Carol"),
            ("npm i @Bob/tool, @Carol", "@Carol"),
            ("@Bob@Carol", ""),
            ("a.@Bob _@Bob -@Bob /@Bob @@Bob é@Bob e\u{301}@Bob 1@Bob я@Bob", ""),
            ("(@Bob) \"@Carol\" =@Alice", "@Bob @Carol @Alice"),
            ("✅@Bob ⚠\u{fe0f}@Carol", "@Bob @Carol"),
            ("①@Bob ②@Carol", "@Bob @Carol"),
        ],
    );
}

#[test]
fn an_at_that_is_not_written_as_itself_is_a_character() {
    check(
        &room(),
        &[
            ("\\@Bob", ""),
            ("such as \\@Bob or \\@all, @Carol", "@Carol"),
            ("&#64;Bob &commat;Bob &#x40;Bob", ""),
            ("\\\\@Bob", "@Bob"),
            ("\\*@Bob", "@Bob"),
            ("\u{200b}@Bob @\u{200b}Carol", "@Bob"),
        ],
    );
}

#[test]
fn punctuation_around_a_name_is_not_part_of_it() {
    check(
        &room(),
        &[
            ("@Bob's idea", "@Bob"),
            ("@Bob, @Carol", "@Bob @Carol"),
            ("@Bob,@Carol", "@Bob @Carol"),
            ("@Bob: please", "@Bob"),
            ("@Bob?", "@Bob"),
            ("@Bob.", "@Bob"),
            ("@Bob...", "@Bob"),
            ("@Bob- what do you think?", "@Bob"),
            ("@Bob-- what do you think?", "@Bob"),
            ("@Bob–what", "@Bob"),
            ("_@Bob_ what do you think?", "@Bob"),
            ("__@Bob__ **@Carol** *@Alice*", "@Bob @Carol @Alice"),
            ("@Bob_ @Carol__.", "@Bob @Carol"),
            ("~~@Bob~~ sorry, @Carol", "@Bob @Carol"),
            ("@Bob.setter", "@Bob"),
            ("@Bob.setter.x.y", "@Bob"),
            ("@Bob_.x", "@Bob"),
        ],
    );
}

#[test]
fn a_longer_name_is_another_name() {
    check(
        &room(),
        &[
            ("@Bob-2 hi, @Carol", "@Carol ?@Bob-2"),
            ("@Bob-2.x", "?@Bob-2.x"),
            ("@Bob2 @Bob_x @Bobs @BobCarol", "?@Bob2 ?@Bob_x ?@Bobs ?@BobCarol"),
            ("@Bo", "?@Bo"),
        ],
    );
    let two = names(&["@Bob", "@Bob-2", "@Bob.x"]);
    check(
        &two,
        &[("@Bob-2 hi", "@Bob-2"), ("@Bob hi", "@Bob"), ("@Bob.x.y", "@Bob.x"), ("@Bob-2.", "@Bob-2")],
    );
}

#[test]
fn markdown_does_not_tear_a_name_apart() {
    let names = names(&["@gpt-4.1", "@a_b", "@_x_", "@__init__", "@x", "@a.b"]);
    check(
        &names,
        &[
            ("@gpt-4.1 hi", "@gpt-4.1"),
            ("@gpt\\-4.1 hi", "@gpt-4.1"),
            ("@gpt-4.1.", "@gpt-4.1"),
            ("@a_b and @a\\_b", "@a_b"),
            ("@_x_ hi", "@_x_"),
            ("@__init__ hi", "@__init__"),
            ("_@x_ @a&#46;b", "@x @a.b"),
            ("@*x* @**x**", ""),
        ],
    );
}

#[test]
fn any_spelling_of_a_name_counts() {
    check(&room(), &[("@BOB please", "@Bob"), ("hello @Cupid", "@Bob"), ("hello @cupid and @Bob", "@Bob")]);
    let names = names(&["@Оля", "@Đặng", "@Ann", "@Alice2", "@Zoë", "@straße"]);
    check(
        &names,
        &[
            ("@Оля hi, @оля", "@Оля"),
            ("@Đặng hi", "@Đặng"),
            ("@ZOË @ZOE\u{308} hi", "@Zoë"),
            ("@STRASSE", "@straße"),
            ("@Annặ hi, @Alice2", "@Alice2 ?@Annặ"),
            ("@Ann\u{302}", "?@Ann\u{302}"),
        ],
    );
}

#[test]
fn scripts_without_spaces_need_none_around_a_name() {
    let names = names(&["@太郎", "@花", "@花子", "@Bob", "@철수", "@สมชาย", "@か", "@小明2"]);
    check(
        &names,
        &[
            ("こんにちは@太郎さん", "@太郎"),
            ("@太郎さん、@花子さん", "@太郎 @花子"),
            ("请@太郎@花子看", "@太郎 @花子"),
            ("@太郎@花子", "@太郎 @花子"),
            ("@太郎OKですか", "@太郎"),
            ("@花見 @花子", "@花 @花子"),
            ("@太郎.setter @太郎-2 @太郎_2", "@太郎 ?@太郎-2 ?@太郎_2"),
            ("@小明2号", "@小明2"),
            ("@Bobさん", "@Bob"),
            ("請問@Bob。", "@Bob"),
            ("@Bob-さん", "?@Bob-さん"),
            ("@Bob2さん", "?@Bob2さん"),
            ("@철수가 왔다", "@철수"),
            ("@สมชายครับ", "@สมชาย"),
            ("@が @か\u{3099}", "?@が"),
            ("@次郎さん@花子", "@花子 ?@次郎さん"),
            ("@花子-2", "@花"),
            ("@太郎/x", ""),
            ("@allの皆さん", "@all"),
        ],
    );
}

#[test]
fn all_is_known_in_any_case() {
    check(
        &room(),
        &[
            ("hello @ALL", "@all"),
            ("@all listen, @Bob you start", "@Bob @all"),
            ("@all's", "@all"),
            ("we are all here, @Bob", "@Bob"),
            ("@all-2 @allez", "?@all-2 ?@allez"),
        ],
    );
}

#[test]
fn unknown_names_are_reported_once_as_they_are_written() {
    check(
        &room(),
        &[
            ("@Zed and @Bob hi", "@Bob ?@Zed"),
            ("@Bob see @mentioning and @decorator.x", "@Bob ?@mentioning ?@decorator.x"),
            ("@Zed @zed @ZED.", "?@Zed"),
            ("@System @user", "@user ?@System"),
            ("@\u{301}x @-x @.x", ""),
        ],
    );
    check(&names(&[]), &[("@Bob @Cupid", "?@Bob ?@Cupid")]);
}
