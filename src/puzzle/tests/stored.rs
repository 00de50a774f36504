//! The stored form of events: a journal that was written once can be read for ever.

use serde_json::json;

use super::support::{act, answer, at, document, handle, puzzle};
use crate::puzzle::{Act, Add, Answer, Doer, Event, Puzzle, Step, add};

/// One event of each kind, as they follow one another.
fn events() -> Vec<Event> {
    let config = document(json!({
        "initialState": "START",
        "states": {
            "START": { "always": { "targetState": "DRAFT", "set": { "begun": true } } },
            "DRAFT": {
                "exitGuard": { "participant": "@Bob", "question": "Is it done?", "quorum": 1, "expiresMinutes": 5 },
                "actions": { "SUBMIT": { "set": { "by": "team" } } },
            },
            "REVIEW": { "after": { "1000": { "targetState": "DRAFT", "guard": { "rule": { "actor": "@Bob" } } } } },
        },
    }));
    let add_it = Add {
        puzzle: "p1".to_owned(),
        config,
        by: Some(handle("@Ada")),
        room: Some("team".to_owned()),
        request_id: Some("r0".to_owned()),
        ..Add::default()
    };
    let mut events = vec![add(add_it, at(0)).unwrap().0];
    let mut puzzle = Puzzle::default();
    puzzle.take(&events);
    let submit = Act { request_id: Some("r1".to_owned()), ..act("SUBMIT", "@Ada") };
    let Ok(Step::Pending { events: asked, pending }) = puzzle.act(&submit, at(1)) else { panic!() };
    puzzle.take(&asked);
    let again = Act { request_id: Some("r2".to_owned()), ..submit };
    let Ok(Step::Pending { events: joined, .. }) = puzzle.act(&again, at(1)) else { panic!() };
    puzzle.take(&joined);
    let yes = Answer { reason: Some("fine".to_owned()), ..answer(&pending, "@Bob", true) };
    let answered = puzzle.answer(&yes, at(2)).unwrap();
    puzzle.take(&answered);
    let rung = puzzle.tick(at(3));
    puzzle.take(&rung);
    let findings = match &answered[1] {
        Event::PuzzleMoved(moved) => moved.verdicts.clone(),
        other => panic!("{other:?}"),
    };
    let passed = Event::GuardsPassed { guard: pending.id.clone(), findings, at: at(4) };
    let removed = puzzle.remove(Doer { handle: Some(&handle("@Ada")), ..Doer::default() }, at(4)).unwrap();
    events.extend(asked.into_iter().chain(joined).chain(answered).chain(rung).chain([passed, removed]));
    events
}

#[test]
fn the_stored_form_of_each_event_is_fixed() {
    let lines: Vec<_> = events().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_kind_of_event_is_known_by_its_name() {
    let events = events();
    assert_eq!(events.len(), 8);
    for event in &events {
        assert!(Event::is_known(event.kind()));
        let stored = serde_json::to_value(event).unwrap();
        assert_eq!(stored["kind"], event.kind());
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), *event);
    }
    assert!(!Event::is_known("puzzle_solved"));
}

#[test]
fn what_was_stored_before_it_said_whether_a_person_vouches_is_read() {
    for event in events() {
        let mut stored = serde_json::to_value(&event).unwrap();
        stored.as_object_mut().unwrap().remove("verified");
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
    }
}

#[test]
fn a_stored_machine_that_is_no_longer_valid_stops_and_breaks_nothing() {
    let mut stored = serde_json::to_value(&events()[0]).unwrap();
    stored["config"]["states"] = json!({});
    let mut read = Puzzle::default();
    read.apply(&serde_json::from_value(stored.clone()).unwrap());
    events().iter().skip(1).for_each(|event| read.apply(event));
    assert_eq!(read.version(), 8);
    let mut stopped = Puzzle::default();
    stopped.apply(&serde_json::from_value(stored).unwrap());
    let refusal = stopped.refusal(&act("SUBMIT", "@Ada"), 1);
    assert_eq!(refusal.code(), "puzzle_damaged");
    assert!(
        refusal.to_string().ends_with("`config.states`: it is empty; a machine needs a state"),
        "{refusal}"
    );
    assert_eq!(stopped.snapshot().fault, Some(refusal.to_string()), "who looks is told, too");
    let mut live = puzzle(document(json!({})));
    live.apply(&events()[4]);
    assert_eq!(live.current(), "REVIEW");
    assert!(!read.mermaid().contains("-->"), "nothing is drawn of it");
}
