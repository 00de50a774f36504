//! Gates of tasks in a note: what stands there, and what a person decides in it.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::super::answers::{Unsent, answers};
use super::super::parse::{Parsed, parse};
use super::super::render::{Kept, render};
use super::super::{AnswerTo, GateWhy, ReplyDecision, ReplyGate, ReplyHead, ReplyRecord, Taking};
use super::house::{House, save_in_place};
use super::{head, question, to};
use crate::room::Language;
use crate::transcript::sample::at;

const KEY: &str = "room/abc";

fn gate(task: &str, version: u64) -> ReplyGate {
    ReplyGate {
        task: task.into(),
        version,
        since: at("10:20:40"),
        why: GateWhy::Pending,
        records: vec![
            ReplyRecord {
                version: 2,
                content: "code_changes".into(),
                who: "@Bob (executor)".into(),
                summary: "The parser reads *old* files".into(),
                commits: vec!["1a2b3c".into(), "4d5e6f".into()],
                ..ReplyRecord::default()
            },
            ReplyRecord {
                version: 3,
                content: "review".into(),
                who: "@Ada (reviewer)".into(),
                outcome: Some("pass".into()),
                summary: "Good".into(),
                ..ReplyRecord::default()
            },
        ],
        has_more: false,
        decisions: vec![ReplyDecision::Approve, ReplyDecision::Reject, ReplyDecision::Close],
        command: format!("turnroom task decide {task} approve --expected-version {version}"),
    }
}

fn gated(gates: Vec<ReplyGate>) -> ReplyHead {
    ReplyHead { gates, ..head(Vec::new()) }
}

/// A gate beside a question.
fn both() -> ReplyHead {
    ReplyHead { gates: vec![gate("parser", 3)], ..head(vec![question(12, "May I?", &["Approve"])]) }
}

fn note(head: &ReplyHead) -> String {
    render(head, KEY, "design.md", Kept::default())
}

fn read(text: &str) -> Parsed {
    parse(text, None).unwrap()
}

fn decided(task: &str, version: u64, decision: ReplyDecision) -> AnswerTo {
    AnswerTo::Gate { task: task.into(), version, decision }
}

#[test]
fn a_gate_is_pleasant_to_read() {
    let text = note(&gated(vec![gate("parser", 3)]));
    let (front, body) = text.split_once("\n---\n\n").unwrap();
    assert!(front.contains(".parser-3."), "{front}");
    assert_eq!(
        body,
        "# Answer: Storage\n\n[Conversation](design.md)\n\n\
         ## Task `parser`: waits for your decision (2026-08-18 10:20:40 UTC) · 3\n\n\
         > - 2 · `code_changes` · @Bob (executor) · The parser reads \\*old\\* files (`1a2b3c`, `4d5e6f`)\n\
         > - 3 · `review` · @Ada (reviewer) `pass` · Good\n\n\
         - [ ] Approve\n- [ ] Reject\n- [ ] Close\n\n## Your words\n\n\
         *To decide, tick a decision above, write here why, and tick “send”. Without one, what you write is said in \
         the room.*\n\n\n- [ ] send\n"
    );
}

#[test]
fn where_a_note_decides_nothing_it_says_where() {
    let why = GateWhy::Proposed { decision: Some(ReplyDecision::Close), by: "@Bob".into() };
    let proposed = ReplyGate { why, decisions: Vec::new(), ..gate("parser", 3) };
    let text = note(&gated(vec![proposed]));
    assert!(text.contains("## Task `parser`: @Bob proposes: Close ("), "{text}");
    assert!(
        text.contains("at a terminal:* `turnroom task decide parser approve --expected-version 3`"),
        "{text}"
    );
    assert_eq!(text.matches("- [ ]").count(), 1, "{text}");
    let said = answers(&read(&(text.replace("- [ ] send", "- [x] send") + "wait")), KEY).unwrap();
    assert_eq!((said.len(), &said[0].to), (1, &AnswerTo::Room));
}

#[test]
fn a_decision_goes_with_its_reason_and_a_tick_beside_send() {
    let text = note(&gated(vec![gate("parser", 3)]));
    for (label, decision) in [
        ("Approve", ReplyDecision::Approve),
        ("Reject", ReplyDecision::Reject),
        ("Close", ReplyDecision::Close),
    ] {
        let ticked = text.replace(&format!("- [ ] {label}"), &format!("- [x] {label}")) + "because";
        assert!(!read(&ticked).is_answer() && !read(&ticked).is_untouched());
        let sent = answers(&read(&ticked.replace("- [ ] send", "- [x] send")), KEY).unwrap();
        assert_eq!((sent.len(), &sent[0].to), (1, &decided("parser", 3, decision)));
        assert_eq!(sent[0].text, "because");
    }
    let said = answers(&read(&(text.replace("- [ ] send", "- [x] send") + "wait")), KEY).unwrap();
    assert_eq!(said[0].to, AnswerTo::Room, "without a decision it is a word for the room");
}

#[test]
fn a_decision_that_cannot_be_sent_says_why() {
    let text = note(&gated(vec![gate("parser", 3)])).replace("- [ ] send", "- [x] send");
    let rejected = text.replace("- [ ] Reject", "- [x] Reject");
    assert_eq!(answers(&read(&rejected), KEY), Err(Unsent::NoReason));
    let twice = rejected.replace("- [ ] Close", "- [x] Close") + "because";
    assert_eq!(answers(&read(&twice), KEY), Err(Unsent::TwoChoices));
    let approved = text.replace("- [ ] Approve", "- [x] Approve");
    assert!(answers(&read(&approved), KEY).is_ok(), "who approves need not say why");
}

#[test]
fn the_same_decision_has_the_same_id_and_one_about_another_version_another() {
    let id = |version, label: &str, words: &str| {
        let text = note(&gated(vec![gate("parser", version)])) + words;
        let text = text
            .replace("- [ ] send", "- [x] send")
            .replace(&format!("[ ] {label}"), &format!("[x] {label}"));
        answers(&read(&text), KEY).unwrap().remove(0).request_id
    };
    assert_eq!(id(3, "Close", "over"), id(3, "Close", "over"));
    for other in [id(4, "Close", "over"), id(3, "Approve", "over"), id(3, "Close", "done")] {
        assert_ne!(id(3, "Close", "over"), other);
    }
}

#[test]
fn gates_and_questions_have_their_own_boxes() {
    let head = ReplyHead { gates: vec![gate("parser", 3), gate("2-ünal-2", 12)], ..both() };
    let text = note(&head);
    let ticked = text.replace("- [ ] Approve · 2-ünal-2", "- [x] Approve · 2-ünal-2");
    let sent = ticked.replace("- [ ] send ➔ `2-ünal-2` · 12", "- [x] send ➔ `2-ünal-2` · 12") + "good";
    let sent = answers(&read(&sent), KEY).unwrap();
    assert_eq!((sent.len(), &sent[0].to), (1, &decided("2-ünal-2", 12, ReplyDecision::Approve)));
    let answered = answers(&read(&text.replace("- [ ] Approve · 12", "- [x] Approve · 12")), KEY).unwrap();
    assert_eq!((answered.len(), &answered[0].to), (1, &to(12, Some(0))));
}

#[test]
fn nothing_of_a_person_is_in_a_note_with_gates_that_nobody_has_touched() {
    let several = (1..=5).map(|n| gate(&format!("task-{n}"), n)).collect();
    for language in [Language::En, Language::Fr, Language::Es, Language::Zh] {
        for taking in [Taking::Words, Taking::Nothing, Taking::Over] {
            for head in [gated(Vec::clone(&several)), both()] {
                let text = note(&ReplyHead { language, taking, ..head });
                let parsed = read(&text);
                assert!(parsed.is_untouched() && parsed.is_whole && parsed.has_all, "{text}\n{parsed:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_ticked_decision_stays_while_a_question_is_answered() {
    let mut house = House::with(both()).await;
    let ticked = house.edited("- [ ] Reject · parser", "- [x] Reject · parser");
    save_in_place(&house.note(), &ticked.replace("- [ ] Approve · 12", "- [x] Approve · 12"));
    let answer = house.answer().await;
    assert_eq!(answer.to, to(12, Some(0)));
    house.desk.show(house.place(), gated(vec![gate("parser", 3)]));
    house.desk.posted(&answer, 13);
    let text = house.until(|text| !text.contains("May I?")).await;
    assert!(text.contains("- [x] Reject\n") && text.contains("- [ ] Approve\n"), "{text}");
    save_in_place(&house.note(), &house.edited("- [ ] send", "- [x] send"));
    let text = house.until(|text| text.contains("Not sent: a rejection needs a reason")).await;
    assert!(text.contains("- [x] Reject\n"), "{text}");
    save_in_place(
        &house.note(),
        &house.edited("\n\n> ⚠️", "\ntests are missing\n\n> ⚠️").replace("- [ ] send", "- [x] send"),
    );
    let answer = house.answer().await;
    assert_eq!(answer.to, decided("parser", 3, ReplyDecision::Reject));
    assert_eq!(answer.text, "tests are missing");
}

#[tokio::test]
async fn a_decision_about_what_was_shown_before_stays_with_the_reason_and_shows_what_is_now() {
    let mut house = House::with(gated(vec![gate("parser", 3)])).await;
    let half =
        house.edited("- [ ] Approve", "- [x] Approve").replace("\n\n- [ ] send", "\nwell done\n\n- [ ] send");
    save_in_place(&house.note(), &half);
    assert!(house.desk.shown(house.place(), gated(vec![gate("parser", 4)])).await);
    assert_eq!(house.text(), half, "nothing is written over it");
    save_in_place(&house.note(), &half.replace("- [ ] send", "- [x] send"));
    let answer = house.answer().await;
    assert_eq!(answer.to, decided("parser", 3, ReplyDecision::Approve));
    house.desk.refused(&answer, "more came in".into());
    let text = house.until(|text| text.contains("Not sent: more came in")).await;
    assert!(text.contains("UTC) · 4\n") && text.contains("\nwell done\n") && !text.contains("[x]"), "{text}");
    assert!(house.has_no_event());
}

proptest! {
    #[test]
    fn what_others_wrote_stays_in_its_quote(
        words in "([a-z <>!\\[\\]()#`~*_$%^|:/=\\n-]|> |- \\[x\\] |---\\n|!\\[\\[|<b>|\\r){0,60}",
        other in "([a-z <>!\\[\\]()#`~*_$%^|:/=\\n-]|!\\[\\[|<b>){0,30}",
    ) {
        let record = ReplyRecord {
            version: 2,
            content: other.clone(),
            who: words.clone(),
            outcome: Some(other.clone()),
            summary: words.clone(),
            commits: vec![other.clone()],
        };
        let why = GateWhy::Proposed { decision: None, by: words };
        let text = note(&gated(vec![ReplyGate { records: vec![record], why, ..gate("parser", 3) }]));
        prop_assert!(read(&text).is_untouched(), "{}", text);
        let (_, body) = text.split_once("\n---\n").unwrap();
        let (mut headings, mut boxes) = (0, 0);
        for event in Parser::new_ext(body, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::Start(Tag::Heading { .. }) => headings += 1,
                Event::TaskListMarker(_) => boxes += 1,
                Event::End(TagEnd::BlockQuote(_)) => prop_assert_eq!(boxes, 0),
                Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => {
                    prop_assert!(false, "{}", text);
                }
                _ => {}
            }
        }
        prop_assert!(headings == 3 && boxes == 4, "{headings} {boxes} {text}");
    }
}
