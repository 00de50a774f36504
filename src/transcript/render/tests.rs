//! Snapshots of the format, and its promise on the first letter of each line.

use proptest::prelude::*;

use super::*;
use crate::room::event::{PuzzleState, PuzzleStep};
use crate::room::{Language, Status, Via};
use crate::transcript::hostile;
use crate::transcript::sample::{at, entries, handle, head, message};
use crate::transcript::view::{Latest, Machine, Notice, Row, Stage, Waiting};

fn rendered(head: &Head, entries: &[Entry]) -> String {
    let chunks: Vec<Chunk> = entries.iter().map(|one| entry(one, head, VaultLinks::Alive)).collect();
    note(head, "Architecture_Review", None, &[], chunks.iter()).text
}

const ENGLISH: [&str; 3] = [
    "We should prefer a shared-memory protocol to lower latency. What do you think, @Bob?",
    "Let us check Windows first, before we ask the user.",
    "Approved. Keep it simple, @Alice.",
];

#[test]
fn the_note_in_english() {
    insta::assert_snapshot!(rendered(&head(Language::En), &entries(ENGLISH)));
}

/// Wanted differences from the look that users of multiagent-mcp know:
/// - Front matter, so that a vault can list rooms.
/// - No box with the latest message: the line under the queue names it, in one line, so that the page does not
///   jump and nothing is shown twice.
/// - The table shows handle, name, status and time of arrival; whose turn it is and who comes next has its own
///   line, in the order of the queue.
/// - The time of the start carries its zone, and stays the time of the start.
/// - A notice is a list item with a time, not a quote: quotes hold what participants wrote, and only that.
/// - Every message stands in a quote, not only private ones, so that no message can forge another one.
/// - No rules between messages: a message could hold a rule too. The quotes separate them.
/// - No 💬 before public messages; private ones say `[Message Privé]` in full.
/// - The heading ends with the number of the message, by which answers name it, and says how the words of a
///   person came.
#[test]
fn the_note_in_french() {
    let words = [
        "Je préfère une mémoire partagée : moins de latence. Ton avis, @Bob ?",
        "Regardons d'abord Windows, avant de demander.",
        "D'accord. Restez simples, @Alice.",
    ];
    insta::assert_snapshot!(rendered(&head(Language::Fr), &entries(words)));
}

#[test]
fn the_note_in_spanish() {
    let words =
        ["Prefiero memoria compartida. ¿Qué opinas, @Bob?", "Veamos antes Windows.", "De acuerdo, @Alice."];
    insta::assert_snapshot!(rendered(&head(Language::Es), &entries(words)));
}

#[test]
fn the_note_in_chinese() {
    let words = ["我倾向于共享内存协议。@Bob 你怎么看？", "先看看 Windows。", "同意，@Alice。"];
    insta::assert_snapshot!(rendered(&head(Language::Zh), &entries(words)));
}

/// All that a note can show, in one example.
#[test]
fn every_notice_and_state() {
    let mut head = head(Language::En);
    let (alice, bob, user) = (handle("@Alice"), handle("@Bob"), handle("@user"));
    head.topic = "a | <b>b</b> `c`\n\n# forged".into();
    head.participants.push(Row {
        handle: handle("@_Carl_"),
        name: "Carl | <img src=x>\n## x".into(),
        status: Status::Expected,
        joined_at: None,
    });
    head.stage = Stage::Paused;
    head.queue = vec![bob.clone(), alice.clone()];
    head.waiting =
        (0..5).map(|_| Waiting { asker: bob.clone(), human: user.clone(), since: at("10:21:00") }).collect();
    head.latest = Some(Latest { seq: 40, who: None, at: at("23:59:59") + chrono::TimeDelta::seconds(1) });
    let notices = [
        Notice::Joined { handle: alice.clone() },
        Notice::Started { by: user.clone() },
        Notice::Left { handle: bob.clone() },
        Notice::Removed { handle: bob.clone() },
        Notice::TakenOver { handle: bob.clone() },
        Notice::Lapsed { handle: bob.clone() },
        Notice::Unanswered { handle: bob.clone() },
        Notice::Passed { by: alice.clone(), to: Some(bob.clone()), reason: Some("# you <b>know</b>".into()) },
        Notice::Passed { by: alice.clone(), to: None, reason: None },
        Notice::Paused { by: None },
        Notice::Paused { by: Some(handle("@user")) },
        Notice::Resumed { by: user.clone() },
        Notice::Kept { file: "Architecture_Review (edited 2026-08-18 10.22.03).md".into() },
        Notice::Overdue { missing: vec![alice.clone(), bob.clone()] },
        Notice::Closed { by: None, summary: None },
        Notice::Closed { by: Some(user.clone()), summary: Some("Done:\n\n- one\n- two".into()) },
    ];
    let mut list: Vec<Entry> =
        (1..).zip(notices).map(|(seq, notice)| Entry::Notice { seq, at: at("10:22:00"), notice }).collect();
    let long = "fn main() -> Vec<u8> {\n%%\n}";
    list.push(message(16, long));
    list.push(Entry::Message {
        seq: 17,
        at: at("10:23:00") + chrono::TimeDelta::days(1),
        sender: user,
        via: Some(Via::Terminal),
        recipients: Vec::new(),
        is_private: false,
        content: "```rust\nfn main() {}\n```".into(),
    });
    insta::assert_snapshot!(rendered(&head, &list));
}

#[test]
fn a_note_draws_the_puzzles_of_its_room_and_tells_what_happened_to_them() {
    let drawing = "stateDiagram-v2\nstate \"DRAFT\" as s0\nstate \"REVIEW\" as s1\ns0 --> s1 : SUBMIT\nclass s1 current";
    let machine = |puzzle: &str, drawing: &str| Machine {
        puzzle: puzzle.to_owned(),
        state: "REVIEW".to_owned(),
        drawing: Some(drawing.to_owned()),
    };
    let place = |state: &str| PuzzleState { state: state.to_owned(), node: "s1".to_owned(), is_final: false };
    let (alice, bob, action) = (handle("@Alice"), handle("@Bob"), "SUBMIT".to_owned());
    let steps = [
        PuzzleStep::Added { place: place("DRAFT"), drawing: None },
        PuzzleStep::Asked {
            guard: "g1".to_owned(),
            question: "Is the draft whole?".to_owned(),
            action: action.clone(),
            by: Some(alice.clone()),
            asked: vec![bob.clone()],
        },
        PuzzleStep::Answered {
            guard: "g1".to_owned(),
            action: action.clone(),
            by: Some(bob.clone()),
            pass: true,
            again: Some(alice.clone()),
        },
        PuzzleStep::Refused {
            state: "DRAFT".to_owned(),
            action: action.clone(),
            by: Some(bob.clone()),
            actor: None,
            reason: "The end is missing.".to_owned(),
        },
        PuzzleStep::Refused {
            state: "DRAFT".to_owned(),
            action: action.clone(),
            by: None,
            actor: None,
            reason: "nobody answered in time".to_owned(),
        },
        PuzzleStep::Moved {
            from: "DRAFT".to_owned(),
            place: place("REVIEW"),
            action,
            by: Some(alice.clone()),
        },
        PuzzleStep::Removed,
    ];
    for language in [Language::En, Language::Fr, Language::Es, Language::Zh] {
        let tricky = machine("tricky", "a\n```\n# b");
        let head = Head { puzzles: vec![machine("release", drawing), tricky], ..head(language) };
        let told = |(step, what): (usize, &PuzzleStep)| {
            let (to, relieved) = (vec![bob.clone()], vec![alice.clone()]);
            let notice = Notice::Puzzle { puzzle: "release".to_owned(), what: what.clone(), to, relieved };
            Entry::Notice { seq: step as u64 + 1, at: at("10:21:45"), notice }
        };
        let entries: Vec<_> = steps.iter().enumerate().map(told).collect();
        insta::assert_snapshot!(format!("puzzles_{language:?}"), rendered(&head, &entries));
    }
}

#[test]
fn a_note_names_the_tasks_that_wait_for_a_person_and_marks_what_nobody_vouches_for() {
    for language in [Language::En, Language::Fr, Language::Es, Language::Zh] {
        let mut head = head(language);
        head.tasks = ["parser", "printer", "a", "b"].map(str::to_owned).into();
        let asked = Waiting { asker: handle("@Bob"), human: handle("@user"), since: at("10:21:00") };
        head.waiting = vec![asked];
        let moved = |(seq, is_proposed)| {
            let notice = Notice::TaskMoved {
                task: "parser".to_owned(),
                version: seq,
                content: "decision".to_owned(),
                is_proposed,
                status: "approved".to_owned(),
                to: Some(handle("@user")),
                summary: "@user: approve".to_owned(),
            };
            Entry::Notice { seq, at: at("10:21:45"), notice }
        };
        let entries = [(1, true), (2, false)].map(moved);
        insta::assert_snapshot!(format!("tasks_{language:?}"), rendered(&head, &entries));
    }
}

#[test]
fn a_note_tells_how_unverified_words_of_a_person_came() {
    let head = head(Language::En);
    let words = |via| {
        let mut words = message(1, "yes");
        if let Entry::Message { via: way, .. } = &mut words {
            *way = via;
        }
        rendered(&head, &[words])
    };
    assert!(!words(None).contains("via "));
    for (via, way) in [(Via::Page, "(via page)"), (Via::Mcp, "(via MCP)"), (Via::Note, "(via note)")] {
        assert!(words(Some(via)).contains(way), "{way}");
    }
}

#[test]
fn a_note_links_its_first_part_and_the_newest_ones() {
    let head = head(Language::En);
    let spans: Vec<Span> = (0..6).map(|n| Span { first: n * 10 + 1, last: n * 10 + 10 }).collect();
    let shown = |count: usize| {
        let text = note(&head, "A b", None, &spans[..count], [].iter()).text;
        let line = text.lines().find(|line| line.starts_with("Earlier: ")).map(str::to_owned);
        assert!(text.contains(&format!("\npart: {}\n", count + 1)));
        line
    };
    assert_eq!(shown(0), None);
    assert_eq!(shown(1).unwrap(), "Earlier: [1–10](A%20b/part-001.md)");
    assert_eq!(shown(4).unwrap().matches("](").count(), 4);
    assert_eq!(
        shown(6).unwrap(),
        "Earlier: [1–10](A%20b/part-001.md) · … · [31–40](A%20b/part-004.md) · [41–50](A%20b/part-005.md) · [51–60](A%20b/part-006.md)"
    );
}

#[test]
fn a_part_links_the_one_before_it_and_the_note() {
    let mut head = head(Language::En);
    head.topic = "T".into();
    let spans = [Span { first: 1, last: 2 }, Span { first: 3, last: 3 }];
    let chunk = entry(&message(3, "words"), &head, VaultLinks::Alive);
    insta::assert_snapshot!(part(&head, "A_b", &spans, [chunk].iter()).text);
}

fn config() -> ProptestConfig {
    let cases = std::env::var("TURNROOM_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_500);
    ProptestConfig { cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// A line that does not start with `>` is ours.
    #[test]
    fn column_zero_is_ours(body in hostile::text(), reason in hostile::text()) {
        let head = head(Language::En);
        let passed = Notice::Passed { by: handle("@Bob"), to: None, reason: Some(reason) };
        let closed = Entry::Notice { seq: 2, at: at("10:22:00"), notice: passed };
        let text = rendered(&head, &[message(1, &body), closed]);
        let below = text.split_once("## Conversation\n").unwrap().1;
        for line in below.lines().filter(|line| !line.is_empty() && !line.starts_with('>')) {
            prop_assert!(
                line == "### @Bob ➔ @user (2026-08-18 10:20:01 UTC) · 1"
                    || line == "- 🔔 10:22:00 @Bob passed the turn on",
                "{}", line
            );
        }
    }
}

#[test]
fn a_note_links_its_reply_note_when_there_is_one() {
    let text = note(&head(Language::En), "A b", Some("A b.reply.md"), &[], [].iter()).text;
    assert!(text.contains("10:21:45 UTC · [Answer here](A%20b.reply.md)\n"), "{text}");
}
