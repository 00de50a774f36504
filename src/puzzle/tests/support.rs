//! One way to speak to a puzzle in tests.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::puzzle::{
    Act, Add, Answer, Demand, Doer, Event, May, Pending, Puzzle, Refusal, Step, Verdict, Whom, add,
};
use crate::room::Handle;

pub(super) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

pub(super) fn handle(name: &str) -> Handle {
    Handle::parse(name).unwrap()
}

/// A puzzle of this machine, made at second 0.
pub(super) fn puzzle(config: Value) -> Puzzle {
    let (event, _) = add(Add { puzzle: "p1".to_owned(), config, ..Add::default() }, at(0)).unwrap();
    let mut puzzle = Puzzle::default();
    puzzle.apply(&event);
    puzzle
}

/// What is refused about this machine.
pub(super) fn refused(config: Value) -> Refusal {
    add(Add { puzzle: "p1".to_owned(), config, ..Add::default() }, at(0)).unwrap_err()
}

/// DRAFT, REVIEW, PUBLISHED, and back; `more` is put beside the states.
pub(super) fn document(more: Value) -> Value {
    let mut config = json!({ "initialState": "DRAFT", "states": {
        "DRAFT": { "actions": { "SUBMIT": { "targetState": "REVIEW" } } },
        "REVIEW": { "actions": { "APPROVE": { "targetState": "PUBLISHED" } } },
        "PUBLISHED": { "actions": { "REOPEN": { "targetState": "REVIEW" } } },
    } });
    merge(&mut config, more);
    config
}

/// Puts the fields of `more` into `value`, at any depth.
pub(super) fn merge(value: &mut Value, more: Value) {
    match (value, more) {
        (Value::Object(map), Value::Object(more)) => {
            for (key, more) in more {
                merge(map.entry(key).or_insert(Value::Null), more);
            }
        }
        (value, more) => *value = more,
    }
}

pub(super) fn act(action: &str, actor: &str) -> Act {
    let actor = (!actor.is_empty()).then(|| handle(actor));
    let may = May { form: true, sampling: true, commands: vec!["lint".to_owned()] };
    Act { action: action.to_owned(), actor, may, ..Act::default() }
}

/// The same, done by a person who is verified.
pub(super) fn by_person(action: &str) -> Act {
    Act { is_person_verified: true, ..act(action, "@user") }
}

/// The verdict on a demand.
pub(super) fn verdict(demand: &Demand, pass: bool) -> Verdict {
    let reason = (!pass).then(|| "not good enough".to_owned());
    let is_of_program = matches!(demand.whom, Whom::Command(_));
    Verdict {
        demand: demand.id.clone(),
        entered_version: demand.entered_version,
        pass,
        reason,
        is_of_program,
    }
}

pub(super) fn answer(guard: &Pending, by: &str, pass: bool) -> Answer {
    Answer {
        guard: guard.id.clone(),
        pass,
        reason: (!pass).then(|| "not good enough".to_owned()),
        by: handle(by),
        is_person_verified: by == "@user",
        request_id: None,
    }
}

impl Puzzle {
    pub(super) fn take(&mut self, events: &[Event]) {
        for event in events {
            self.apply(event);
        }
    }

    /// Acts, and says where the puzzle is afterwards.
    pub(super) fn go(&mut self, act: &Act, seconds: i64) -> String {
        match self.act(act, at(seconds)).unwrap() {
            Step::Done(events) => self.take(&events),
            other => panic!("{other:?}"),
        }
        self.current().to_owned()
    }

    /// Acts, and says what waits for an answer.
    pub(super) fn ask(&mut self, act: &Act, seconds: i64) -> Pending {
        match self.act(act, at(seconds)).unwrap() {
            Step::Pending { events, pending } => {
                self.take(&events);
                *pending
            }
            other => panic!("{other:?}"),
        }
    }

    /// Acts, and says what the edge has to ask.
    pub(super) fn demand(&self, act: &Act, seconds: i64) -> Demand {
        match self.act(act, at(seconds)).unwrap() {
            Step::Ask(demand) => *demand,
            other => panic!("{other:?}"),
        }
    }

    /// Answers, and says what has happened.
    pub(super) fn hear(&mut self, answer: &Answer, seconds: i64) -> Vec<&'static str> {
        let events = self.answer(answer, at(seconds)).unwrap();
        self.take(&events);
        events.iter().map(Event::kind).collect()
    }

    /// The actions that somebody whom nobody vouches for can do.
    pub(super) fn can(&self, actor: &str, seconds: i64) -> Vec<String> {
        let actor = handle(actor);
        let all = self.actions_for(Doer { handle: Some(&actor), is_person_verified: false }, at(seconds));
        all.into_iter().filter(|(_, can)| can.is_ok()).map(|(action, _)| action).collect()
    }

    pub(super) fn refusal(&self, act: &Act, seconds: i64) -> Refusal {
        match self.act(act, at(seconds)) {
            Err(refusal) | Ok(Step::Refused { refusal, .. }) => refusal,
            other => panic!("{other:?}"),
        }
    }

    /// Lets time pass, and says what has happened.
    pub(super) fn wait(&mut self, seconds: i64) -> Vec<&'static str> {
        let events = self.tick(at(seconds));
        self.take(&events);
        events.iter().map(Event::kind).collect()
    }
}
