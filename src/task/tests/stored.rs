//! The stored form of each event. It is a fact that never changes again: a change here breaks old tasks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{at, payload, record as publish, task};
use crate::room::Handle;
use crate::task::event::{Created, Event};
use crate::task::{Activity, Create, Flow, Gate, Payload, Publish, Record, Reported, Role, Standing, open};

fn created() -> Created {
    let cast = Role::ALL.map(|role| (role, Handle::parse("@Bob").unwrap()));
    Created {
        task: "parser".to_owned(),
        title: "Parser".to_owned(),
        description: "Write it".to_owned(),
        creator: "@user".to_owned(),
        role: "human".to_owned(),
        flow: Some(Flow::Direct),
        cast: BTreeMap::from(cast),
        gate: Gate::Open,
        room: Some("talk".to_owned()),
        has_own_room: true,
        at: at(1),
        request: Some(("r".to_owned(), "0123456789abcdef".to_owned())),
    }
}

fn record(standing: Standing) -> Record {
    Record {
        version: 3,
        role: "executor".to_owned(),
        content_type: "code_changes".to_owned(),
        at: at(2),
        agent: Some("@Bob".to_owned()),
        model: Some("a model".to_owned()),
        payload: Payload::new(payload(json!({ "commits": ["1a2b"] }))).unwrap(),
        standing,
        request: Some(("s".to_owned(), "fedcba9876543210".to_owned())),
    }
}

fn each_kind() -> Vec<Event> {
    let (plain, user) = (record(Standing::Plain), Handle::user());
    let records = [
        plain.clone(),
        Record { agent: None, model: None, request: None, ..plain },
        record(Standing::Verified(user)),
        record(Standing::Proposed),
    ];
    let made = [
        created(),
        Created { flow: Some(Flow::Full), gate: Gate::Human, ..created() },
        Created { flow: Some(Flow::Solo), room: None, request: None, ..created() },
        Created { flow: None, cast: BTreeMap::new(), has_own_room: false, ..created() },
    ];
    let made = made.into_iter().map(|created| Event::TaskCreated(Box::new(created)));
    let reports = [Activity::Working, Activity::Blocked, Activity::Done].map(|activity| {
        let (role, handle, reason) = (Role::Executor, Handle::parse("@Bob").unwrap(), Some("why".to_owned()));
        Event::AgentReported(Box::new(Reported { activity, role, handle, turn: 2, reason, at: at(3) }))
    });
    let records = records.into_iter().map(|record| Event::RecordPublished(Box::new(record)));
    made.chain(records).chain(reports).collect()
}

#[test]
fn the_stored_form_of_each_event_is_fixed() {
    let lines: Vec<_> = each_kind().iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// A retry is told from another request by its mark, also by a later version.
#[test]
fn the_marks_of_requests_are_fixed() {
    let create = |room: Option<&str>| {
        let made = created();
        let create = Create {
            title: made.title,
            description: made.description,
            creator: made.creator,
            role: made.role,
            cast: made.cast,
            flow: made.flow,
            gate: made.gate,
            room: Some(room.unwrap_or("parser").to_owned()),
            has_own_room: room.is_none(),
            request_id: Some("r".to_owned()),
            max_bytes: 1_000,
            ..Create::default()
        };
        let Event::TaskCreated(made) = open(create, at(1)).unwrap() else { panic!("it is made") };
        made.request.unwrap().1
    };
    let publish = Publish { request_id: Some("s".to_owned()), ..publish("executor", "note", json!({})) };
    let published = task(Flow::Full, Gate::Human).publish(publish, at(1)).unwrap();
    let Event::RecordPublished(record) = &published[0] else { panic!("it is published") };
    let marks = [create(None), create(Some("talk")), record.request.clone().unwrap().1];
    insta::assert_snapshot!(marks.join("\n"));
}

#[test]
fn each_stored_event_is_read_as_it_was() {
    let mut kinds = BTreeSet::new();
    for event in each_kind() {
        let stored = serde_json::to_value(&event).unwrap();
        assert_eq!(stored["kind"], event.kind());
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
        kinds.insert(event.kind());
    }
    assert_eq!(kinds, Event::KINDS.iter().copied().collect(), "each kind is there");
}
