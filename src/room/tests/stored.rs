//! The stored form of each event. It is a fact that never changes again: a change here breaks old rooms.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::room::event::{
    CursorMove, Event, FloorReason, Noted, Opened, PauseReason, Posted, PuzzleQuestion, PuzzleState,
    PuzzleStep, PuzzleTold, QueueEnd, TaskMoved,
};
use crate::room::tests::table::{handle, texts};
use crate::room::{Handle, Policy, Via};

fn alice() -> Handle {
    handle("@Alice")
}

fn opened() -> Event {
    Event::Opened(Box::new(Opened {
        room: "tea".to_owned(),
        topic: "What to drink".to_owned(),
        filepath: "transcripts/tea.md".to_owned(),
        agents: vec![alice(), handle("@Bob")],
        humans: vec![handle("@user")],
        order: vec![alice(), handle("@user"), handle("@Bob")],
        policy: Policy {
            first_speaker: Some(alice()),
            aliases: vec![(alice(), texts(&["chief"]))],
            turn_lease: Duration::from_millis(1_500),
            ..Policy::default()
        },
        creator: "session".to_owned(),
        at: DateTime::UNIX_EPOCH,
    }))
}

fn posted() -> Posted {
    Posted {
        seq: 3,
        sender: alice(),
        recipients: vec![handle("@user")],
        unknown: texts(&["@Dvae"]),
        asked: vec![handle("@user")],
        content: "@user and @Dvae, tea?".to_owned(),
        is_private: false,
        reply_to: Some(2),
        choices: texts(&["yes", "no"]),
        request_id: Some("r1".to_owned()),
        fingerprint: u64::MAX,
        via: Via::Mcp,
        is_verified: false,
        origin: "session".to_owned(),
        at: DateTime::UNIX_EPOCH,
    }
}

/// A message without anything that may be left out.
fn posted_shortly() -> Posted {
    Posted {
        unknown: Vec::new(),
        asked: Vec::new(),
        reply_to: None,
        choices: Vec::new(),
        request_id: None,
        via: Via::Terminal,
        is_verified: true,
        ..posted()
    }
}

fn cursor() -> CursorMove {
    CursorMove { handle: alice(), seen: 2, handed: 3, is_settled: true }
}

fn place() -> PuzzleState {
    PuzzleState { state: "B".to_owned(), node: "s1".to_owned(), is_final: false }
}

fn moved(at: DateTime<Utc>) -> TaskMoved {
    TaskMoved {
        seq: 3,
        task: "parser".to_owned(),
        version: 2,
        content: "design".to_owned(),
        summary: "A table".to_owned(),
        is_proposed: false,
        status: "implementing".to_owned(),
        to: Some(alice()),
        at,
    }
}

fn told(what: PuzzleStep) -> Event {
    let at = DateTime::UNIX_EPOCH + Duration::from_mins(28_732_940);
    let (puzzle, to, relieved) = ("release".to_owned(), vec![alice()], vec![Handle::user()]);
    let questions = match &what {
        PuzzleStep::Asked { by, asked, .. } => {
            vec![PuzzleQuestion { by: by.clone(), asks: asked.clone(), needed: 2, action: String::new() }]
        }
        _ => Vec::new(),
    };
    let is_timed = matches!(what, PuzzleStep::Moved { by: None, .. });
    let told = PuzzleTold { seq: 3, puzzle, version: 2, what, to, relieved, questions, is_timed, at };
    Event::PuzzleTold(Box::new(told))
}

fn each_step() -> impl Iterator<Item = PuzzleStep> {
    [
        PuzzleStep::Added { place: place(), drawing: Some("stateDiagram-v2".to_owned()) },
        PuzzleStep::Moved {
            from: "A".to_owned(),
            place: place(),
            action: "go".to_owned(),
            by: Some(alice()),
        },
        PuzzleStep::Moved {
            from: "A".to_owned(),
            place: place(),
            action: "after 60000 ms".to_owned(),
            by: None,
        },
        PuzzleStep::Asked {
            guard: "g1".to_owned(),
            question: "whole?".to_owned(),
            action: "go".to_owned(),
            by: None,
            asked: vec![alice()],
        },
        PuzzleStep::Refused {
            state: "A".to_owned(),
            action: "go".to_owned(),
            by: Some(alice()),
            actor: None,
            reason: "no".to_owned(),
        },
        PuzzleStep::Answered {
            guard: "g1".to_owned(),
            action: "go".to_owned(),
            by: Some(alice()),
            pass: true,
            again: None,
        },
        PuzzleStep::Removed,
    ]
    .into_iter()
}

fn each_kind() -> Vec<Event> {
    let at = DateTime::UNIX_EPOCH + Duration::from_nanos(1_723_976_400_123_456_789);
    let (seq, handle) = (3, alice());
    let given = |reason| Event::FloorGiven { handle: alice(), turn: 7, reason, at };
    let noted = |what| Event::Noted { seq, what, at };
    let mut events = vec![
        opened(),
        Event::Joined { seq, handle: alice(), name: Some("Alice Architect".to_owned()), seen: 0, at },
        Event::Renamed { handle: alice(), name: "A. Architect".to_owned() },
        Event::Started { at },
        Event::StartedBy { seq, by: Handle::user(), at },
        Event::BarrierOverdue { seq, missing: vec![alice()], at },
        Event::Posted(Box::new(posted())),
        Event::Posted(Box::new(posted_shortly())),
        Event::Queued { handles: vec![alice()], end: QueueEnd::Head },
        Event::Queued { handles: vec![alice()], end: QueueEnd::Tail },
        given(FloorReason::Queue),
        given(FloorReason::Opening),
        given(FloorReason::Request),
        given(FloorReason::Fallback),
        Event::FloorFreed,
        Event::Lapsed { seq, handle: alice(), at },
        Event::Unanswered { seq, handle: alice(), at },
        Event::WentAway { handle: alice(), at },
        Event::Returned { handle: alice() },
        Event::Passed {
            seq,
            by: alice(),
            holder: Some(alice()),
            to: None,
            reason: Some("late".to_owned()),
            at,
        },
        Event::TaskMoved(Box::new(moved(at))),
        Event::TaskMoved(Box::new(TaskMoved { is_proposed: true, to: None, ..moved(at) })),
    ];
    events.extend(each_step().map(told));
    events.extend([
        Event::Paused { seq, reason: PauseReason::ManyTurns(40), at },
        Event::Paused { seq, reason: PauseReason::ShortMessages, at },
        Event::Paused { seq, reason: PauseReason::Person(Handle::user()), at },
        Event::Resumed { seq, by: Handle::user(), at },
        Event::Left { seq, handle: alice(), removed_by: Some(Handle::user()), at },
        Event::Closed { seq, by: None, summary: Some("tea".to_owned()), at },
        noted(Noted::TakenOver(alice())),
        noted(Noted::NoteKept("a.md".to_owned())),
        noted(Noted::ReplyInTheWay("a.reply.md".to_owned())),
        noted(Noted::TaskStalled { task: "parser".to_owned(), handle: alice(), minutes: 30 }),
        Event::CursorsMoved { cursors: vec![cursor()] },
        Event::KeyChanged { handle: alice(), hash: "hash".to_owned(), is_invite: true },
        Event::InviteSpent { handle },
    ]);
    events
}

#[test]
fn the_stored_form_of_each_event_is_fixed() {
    let lines: Vec<_> = each_kind().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn each_stored_event_is_read_as_it_was() {
    assert!(!Event::is_known("sung"));
    let mut kinds = BTreeSet::new();
    for event in each_kind() {
        let stored = serde_json::to_value(&event).unwrap();
        assert_eq!(stored["kind"], event.kind());
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
        kinds.insert(event.kind());
    }
    assert_eq!(kinds, Event::KINDS.iter().copied().collect(), "each kind is there");
}
