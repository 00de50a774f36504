//! What we write, and what is read out of what became of it.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::super::answers::{Unsent, answers};
use super::super::marks::Subject;
use super::super::parse::{Parsed, parse};
use super::super::render::{Kept, render};
use super::super::{ReplyHead, Taking};
use super::{head, question, to};
use crate::room::Language;

const KEY: &str = "room/abc";

fn note(head: &ReplyHead) -> String {
    render(head, KEY, "design.md", Kept::default())
}

fn asked() -> ReplyHead {
    head(vec![question(12, "May I use *Postgres*?\n\nIt is there already.", &["Yes", "No"])])
}

fn read(text: &str) -> Parsed {
    parse(text, None).unwrap()
}

#[test]
fn a_note_is_pleasant_to_read() {
    let text = note(&asked());
    let (front, body) = text.split_once("\n---\n\n").unwrap();
    assert!(front.starts_with("---\nroom: design\nreply: r1."), "{front}");
    assert_eq!(
        body,
        "# Answer: Storage\n\n[Conversation](design.md)\n\n## @Bob ➔ @user (2026-08-18 10:20:10 UTC) · 12\n\n\
         > May I use *Postgres*?\n>\n> It is there already.\n\n- [ ] Yes\n- [ ] No\n\n## Your words\n\n\
         *Tick an answer, or write here and tick “send”.*\n\n\n- [ ] send\n"
    );
}

#[test]
fn nothing_of_a_person_is_in_a_note_that_nobody_has_touched() {
    let many =
        (1..=5).map(|seq| question(seq, "> - [x] send\n\n```\n- [ ] send\n```\n<b>", &["send", "Yes"]));
    let many = head(many.collect());
    for language in [Language::En, Language::Fr, Language::Es, Language::Zh] {
        for taking in [Taking::Words, Taking::Nothing, Taking::Over] {
            for head in [asked(), head(Vec::new()), many.clone()] {
                let text = note(&ReplyHead { language, taking, ..head });
                let parsed = read(&text);
                assert!(parsed.is_untouched() && parsed.is_whole && parsed.has_all, "{text}\n{parsed:?}");
                assert!(read(&text.replace('\n', "\r\n")).is_untouched());
                assert!(read(&format!("\u{feff}{text}\n\n")).is_untouched());
            }
        }
    }
}

#[test]
fn a_tick_beside_a_choice_is_an_answer() {
    let text = note(&asked());
    for ticked in ["- [x] No", "* [X] No", "  + [x]  No ", "- [ x ] No", "- [x] No ✅ 2026-08-18"] {
        let parsed = read(&text.replace("- [ ] No", ticked));
        let answers = answers(&parsed, KEY).unwrap();
        assert_eq!((answers.len(), &answers[0].to), (1, &to(12, Some(1))), "{ticked}");
        assert_eq!(answers[0].text, "");
    }
    assert!(read(&text.replace("- [ ] No", "- [-] No")).is_untouched());
}

#[test]
fn what_is_typed_anywhere_is_sent_with_a_tick_beside_send() {
    let text = note(&asked());
    let places = ["\n# Answer", "\n> It is", "\n- [ ] No", "\n## Your words", "\n\n- [ ] send"];
    for place in places {
        let typed = text.replacen(place, &format!("\nFirst\n\n\n  - second{place}"), 1);
        assert!(!read(&typed).is_answer());
        let parsed = read(&typed.replace("- [ ] send", "- [x] send"));
        let answers = answers(&parsed, KEY).unwrap();
        assert_eq!(answers[0].to, to(12, None));
        assert_eq!(answers[0].text, "First\n\n\n  - second", "{place}");
    }
    let below = read(&format!("{}Below", text.replace("- [ ] send", "- [x] send")));
    assert_eq!(answers(&below, KEY).unwrap()[0].text, "Below");
    let above = read(&format!("Above\n{}", text.replace("- [ ] send", "- [x] send")));
    assert_eq!(answers(&above, KEY).unwrap()[0].text, "Above");
}

#[test]
fn lines_of_ours_may_be_deleted_indented_and_moved() {
    let text = note(&asked()).replace("- [ ] send", "- [x] send");
    let (front, body) = text.split_once("\n---\n\n").unwrap();
    let mut lines: Vec<String> = body.lines().map(|line| format!("   {line}  ")).collect();
    lines.reverse();
    lines.retain(|line| !line.contains("It is there") && !line.contains("# Answer"));
    lines.insert(3, "because".into());
    let parsed = read(&format!("{front}\n---\n{}", lines.join("\n")));
    let sent = [Some(Subject::Question(12))];
    assert_eq!((parsed.typed.as_str(), parsed.sent.as_slice()), ("because", sent.as_slice()));
    assert!(!parsed.has_all);
}

#[test]
fn a_choice_and_words_go_together() {
    let text = note(&asked()).replace("- [ ] Yes", "- [x] Yes") + "but slowly";
    for text in [text.clone(), text.replace("- [ ] send", "- [x] send")] {
        let answers = answers(&read(&text), KEY).unwrap();
        assert_eq!(
            (answers.len(), &answers[0].to, answers[0].text.as_str()),
            (1, &to(12, Some(0)), "but slowly")
        );
    }
}

#[test]
fn what_cannot_be_sent_says_why() {
    let text = note(&asked());
    let both = text.replace("- [ ] Yes", "- [x] Yes").replace("- [ ] No", "- [x] No");
    assert_eq!(answers(&read(&both), KEY), Err(Unsent::TwoChoices));
    assert_eq!(answers(&read(&text.replace("- [ ] send", "- [x] send")), KEY), Err(Unsent::Empty));
}

#[test]
fn of_several_questions_each_has_its_own_boxes() {
    let text = note(&head(vec![question(12, "a?", &["Yes"]), question(15, "b?", &["Yes"])]));
    let parsed = read(&text.replace("- [ ] Yes · 15", "- [x] Yes · 15"));
    assert_eq!(answers(&parsed, KEY).unwrap()[0].to, to(15, Some(0)));
    let sent = text.replace("- [ ] send ➔ @Bob · 15", "- [x] send ➔ @Bob · 15") + "word";
    let sent = answers(&read(&sent), KEY).unwrap();
    assert_eq!((&sent[0].to, sent[0].text.as_str()), (&to(15, None), "word"));
    let gone = text.replace("- [ ] Yes · 12\n", "").replace("- [ ] Yes · 15", "- [x] Yes · 15");
    assert_eq!(answers(&read(&gone), KEY).unwrap()[0].to, to(15, Some(0)));
}

#[test]
fn the_same_answer_has_the_same_id_and_a_later_one_another() {
    let answer = |last_seq, words: &str| {
        let text = note(&ReplyHead { last_seq, ..asked() }).replace("- [ ] send", "- [x] send") + words;
        answers(&read(&text), KEY).unwrap().remove(0).request_id
    };
    assert_eq!(answer(12, "yes"), answer(12, "yes"));
    assert_ne!(answer(12, "yes"), answer(13, "yes"));
    assert_ne!(answer(12, "yes"), answer(12, "yes."));
}

#[test]
fn front_matter_of_others_is_kept_and_is_no_word() {
    let text = note(&asked()).replacen("---\n", "---\nmodified: 2026-08-18\n", 1);
    let parsed = read(&text);
    assert!(parsed.is_untouched());
    let kept = Kept { others: &parsed.others, ..Kept::default() };
    assert!(render(&asked(), KEY, "design.md", kept).contains("\nmodified: 2026-08-18\n---\n"));
}

#[test]
fn a_note_without_its_front_matter_is_known_by_what_was_written_last() {
    let text = note(&asked());
    let marks = read(&text).marks;
    let (_, body) = text.split_once("\n---\n\n").unwrap();
    assert_eq!(parse(body, None), None);
    assert!(parse(body, Some(&marks)).unwrap().is_untouched());
    assert_eq!(parse(&format!("{body}word"), Some(&marks)).unwrap().typed, "word");
}

#[test]
fn other_files_are_not_ours() {
    for text in ["", "# Mine\n", "---\nreply: yes\n---\n", "---\nreply: r1.a.b.c.d\n---\n", "reply: r1.."] {
        assert_eq!(parse(text, None), None, "{text}");
    }
}

#[test]
fn a_long_question_is_shown_in_part_and_the_transcript_has_the_rest() {
    let text = note(&head(vec![question(12, &"line\n".repeat(500), &[])]));
    assert!(text.lines().count() < 80 && text.contains("> line\n\n… [Conversation](design.md)"), "{text}");
    let text = note(&head(vec![question(12, &"é".repeat(50_000), &[])]));
    assert!(text.len() < 20_000);
}

fn words(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.trim_matches(['>', ' ']).is_empty())
        .map(str::to_owned)
        .collect()
}

proptest! {
    #[test]
    fn what_is_typed_stays(
        typed in proptest::collection::vec("[a-zé>#\\[\\]x *-]{0,12}|- \\[ \\] send|---|> May I use|## Your words|reply: a", 1..6),
        place in 0..24_usize,
        others in 0..3_u64,
    ) {
        let head = head((0..others).map(|n| question(12 + n, "May I?", &["Yes", "No"])).collect());
        let text = note(&head);
        let front = text.lines().position(|line| line == "---" ).map_or(0, |_| 4);
        let mut lines: Vec<&str> = text.lines().collect();
        let at = (front + place).min(lines.len());
        for (n, line) in typed.iter().enumerate() {
            lines.insert(at + n, line);
        }
        let parsed = parse(&lines.join("\n"), None).unwrap();
        let mut left = words(&parsed.typed);
        left.sort();
        let mut wanted = words(&typed.join("\n"));
        wanted.sort();
        prop_assert_eq!(&left, &wanted);
        // It is the same words again when they are written back with a reason.
        let unsent = Unsent::Refused("the room is closed".into());
        let kept = Kept { typed: &parsed.typed, unsent: Some(&unsent), others: &parsed.others, ..Kept::default() };
        let again = parse(&render(&head, KEY, "design.md", kept), None).unwrap();
        let mut left = words(&again.typed);
        left.sort();
        prop_assert_eq!(left, wanted);
        prop_assert!(!again.is_answer());
    }

    #[test]
    fn what_others_ask_stays_in_its_quote(
        content in "([a-z <>!\\[\\]()#`~*_$%^|:/=\\n-]|> |- \\[x\\] |---\\n|!\\[\\[|<b>|\\r){0,60}",
        choice in "([a-z <>!\\[\\]()#`~*_$%^|:/=\\n-]|!\\[\\[|<b>){1,30}",
        topic in "([a-z <>!\\[\\]()#`~*_$%^|:/=\\n-]|<b>){0,30}",
    ) {
        let asked = head(vec![question(12, &content, &[&choice])]);
        let text = note(&ReplyHead { topic, ..asked });
        prop_assert!(read(&text).is_untouched(), "{}", text);
        let (_, body) = text.split_once("\n---\n").unwrap();
        let (mut headings, mut boxes, mut depth) = (0, 0, 0);
        for event in Parser::new_ext(body, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Start(Tag::BlockQuote(_)) => depth += 1,
                Event::End(TagEnd::BlockQuote(_)) => depth -= 1,
                Event::Start(Tag::Heading { .. }) => headings += 1,
                Event::TaskListMarker(_) if depth == 0 => boxes += 1,
                Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                    prop_assert!(false, "{}", text);
                }
                _ => {}
            }
        }
        // A choice without words is a box without a label.
        prop_assert!(headings == 3 && (1..=2).contains(&boxes), "{headings} {boxes} {text}");
    }

    #[test]
    fn any_text_is_read_without_a_fault(text in "(?s).{0,300}") {
        let _ = parse(&text, None);
        let _ = parse(&format!("---\nreply: r1.{text}\n---\n"), None);
    }
}
