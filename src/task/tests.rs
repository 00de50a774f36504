//! The table, row by row, and what is decided beside it.

mod gate;
mod reports;
mod stored;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::effect::Effect::{Stay, To, Warn};
use super::*;
use crate::room::Handle;
use Flow::{Direct, Full, Solo};
use Status::{Approved, Closed, Designing, Implementing, PendingApproval, Reviewing, Revising};
use WarningCode::{ClosedAbsorb, InvalidVerdict, OutOfTable};

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
}

fn task(flow: Flow, gate: Gate) -> Task {
    let create = Create {
        task: "parser".to_owned(),
        title: "Parser".to_owned(),
        description: "Write it".to_owned(),
        creator: "@user".to_owned(),
        role: "human".to_owned(),
        flow: Some(flow),
        cast: BTreeMap::from([(Role::Executor, Handle::parse("@Bob").unwrap())]),
        gate,
        max_bytes: 1_000,
        ..Create::default()
    };
    let mut task = Task::default();
    task.apply(&open(create, at(0)).unwrap());
    task
}

fn payload(more: Value) -> Map<String, Value> {
    let mut fields = Map::from_iter([("summary".to_owned(), json!("s")), ("body".to_owned(), json!("b"))]);
    if let Value::Object(more) = more {
        fields.extend(more);
    }
    fields
}

fn record(role: &str, content_type: &str, more: Value) -> Publish {
    Publish {
        role: role.to_owned(),
        content_type: content_type.to_owned(),
        payload: payload(more),
        max_bytes: 1_000,
        ..Publish::default()
    }
}

fn decision(decision: &str, person: Option<&str>) -> Publish {
    let person = person.map(|person| Handle::parse(person).unwrap());
    Publish { person, ..record("human", "decision", json!({ "decision": decision })) }
}

impl Task {
    fn take(&mut self, publish: Publish) {
        // A person has looked at all that there is.
        let seen = publish.person.as_ref().map(|_| self.version());
        let is_known_person = publish.person == Some(Handle::user());
        let expected_version = publish.expected_version.or(seen);
        let publish = Publish { expected_version, is_known_person, ..publish };
        for event in self.publish(publish, at(1)).unwrap() {
            self.apply(&event);
        }
    }
}

/// What the table of the rules says of a record in a state, in each flow. What it does not name does not fit.
fn row(entry: Entry, status: Status) -> [Effect; 3] {
    use Decision::{Approve, Close, Reject};
    let (out, bad, late) = (Warn(OutOfTable), Warn(InvalidVerdict), Warn(ClosedAbsorb));
    match (entry, status) {
        (Entry::Decision(Close), _) => [To(Closed); 3],
        (Entry::Proposal(Close), _) | (Entry::Note { .. }, Closed) => [Stay; 3],
        (_, Closed) => [late; 3],
        (Entry::Design, Designing) => [To(Implementing), out, To(Implementing)],
        (Entry::Design, Implementing) => [out, Stay, out],
        (Entry::CodeChanges, Implementing) => [To(Reviewing), To(Reviewing), To(PendingApproval)],
        (Entry::Review(Verdict::Pass), Reviewing) => [To(PendingApproval), To(PendingApproval), out],
        (Entry::Review(Verdict::FailCode), Reviewing) => [To(Revising), To(Revising), out],
        (Entry::Review(Verdict::FailDesign), Reviewing) => [To(Designing), out, out],
        (Entry::Review(Verdict::BlockedExternal), Reviewing) => {
            [To(PendingApproval), To(PendingApproval), out]
        }
        (Entry::Review(Verdict::Other), Reviewing) => [bad, bad, out],
        (Entry::Revision, Revising) => [To(Reviewing), To(Reviewing), out],
        (Entry::Revision, Implementing) => [To(Reviewing), out, out],
        (Entry::Note { recalls: true }, Reviewing) => [To(Revising), To(Revising), Stay],
        (Entry::Decision(Approve), PendingApproval) => [To(Approved); 3],
        (Entry::Decision(Reject), PendingApproval) => [To(Revising), To(Revising), To(Implementing)],
        (Entry::Note { .. } | Entry::Proposal(Approve | Reject), _) => [Stay; 3],
        _ => [out; 3],
    }
}

#[test]
fn the_table_holds_for_every_record_in_every_state_of_every_flow() {
    use Verdict::{BlockedExternal, FailCode, FailDesign, Pass};
    let decisions = [Decision::Approve, Decision::Reject, Decision::Close, Decision::Other];
    let mut entries = vec![Entry::Design, Entry::CodeChanges, Entry::Revision, Entry::Other];
    entries.extend([Pass, FailCode, FailDesign, BlockedExternal, Verdict::Other].map(Entry::Review));
    entries.extend([true, false].map(|recalls| Entry::Note { recalls }));
    entries.extend(decisions.map(Entry::Decision));
    entries.extend(decisions.map(Entry::Proposal));
    for entry in entries {
        for status in Status::ALL {
            for (flow, expected) in [Full, Direct, Solo].into_iter().zip(row(entry, status)) {
                assert_eq!(effect(flow, status, entry), expected, "{entry:?} while {status:?} in {flow:?}");
            }
        }
    }
}

#[test]
fn nobody_publishes_under_a_name_that_looks_like_the_persons_or_hides_something() {
    let task = task(Full, Gate::Human);
    for agent in
        ["@uѕer", "＠user", "@user\u{200b}", "@Bob\u{3164}", " @user", "@system", "@all", "@Bob\u{ad}"]
    {
        let named = Publish { agent: Some(agent.to_owned()), ..record("architect", "note", json!({})) };
        assert_eq!(task.publish(named, at(1)).unwrap_err().code(), "validation_error", "{agent:?}");
    }
    for agent in ["@user", "@Bob", "Claude, the 4th", "pi"] {
        let named = Publish { agent: Some(agent.to_owned()), ..record("architect", "note", json!({})) };
        assert!(task.publish(named, at(1)).is_ok(), "{agent}");
    }
    for blank in ["\u{200b}", "\u{2060}\u{feff}", "\u{3164}", " \n"] {
        for field in ["summary", "body"] {
            let empty = record("architect", "note", json!({ field: blank }));
            assert!(task.publish(empty, at(1)).unwrap_err().to_string().contains("it is blank"), "{blank:?}");
        }
    }
}

#[test]
fn the_same_request_is_taken_once_and_another_with_its_id_is_refused() {
    let mut task = task(Full, Gate::Human);
    let first = Publish { request_id: Some("r".to_owned()), ..record("architect", "design", json!({})) };
    task.take(first.clone());
    assert_eq!(task.publish(first.clone(), at(9)).unwrap(), []);
    let other = Publish { content_type: "note".to_owned(), ..first };
    let refused = task.publish(other, at(9)).unwrap_err();
    assert_eq!(refused, Refusal::RequestIdReused { id: "r".to_owned(), what: "record 1".to_owned() });
}

#[test]
fn a_decision_of_a_person_is_not_taken_for_what_somebody_else_said_with_its_request_id() {
    let mut task = task(Direct, Gate::Human);
    task.take(record("executor", "code_changes", json!({})));
    task.take(record("reviewer", "review", json!({ "verdict": "pass" })));
    let approve = |person| Publish { request_id: Some("r".to_owned()), ..decision("approve", person) };
    task.take(approve(None));
    let verified = Publish { expected_version: Some(3), ..approve(Some("@user")) };
    let refused = task.publish(verified, at(9)).unwrap_err();
    assert_eq!(refused, Refusal::RequestIdReused { id: "r".to_owned(), what: "record 3".to_owned() });
    assert_eq!(task.publish(approve(None), at(9)).unwrap(), []);
}

#[test]
fn a_title_is_one_line_without_what_is_hidden() {
    let made = |title: &str| {
        let (task, description) = ("t".to_owned(), "d".to_owned());
        let (creator, role, title) = ("c".to_owned(), "r".to_owned(), title.to_owned());
        open(Create { task, title, description, creator, role, max_bytes: 1_000, ..Create::default() }, at(0))
    };
    let Event::TaskCreated(made_of) = made("A\0\u{202e}\u{7} title").unwrap() else { panic!("it is made") };
    assert_eq!(made_of.title, "A title");
    assert_eq!(made("\u{202e}\0").unwrap_err().code(), "validation_error");
}

#[test]
fn a_damaged_log_is_told_and_goes_on() {
    let mut healthy = task(Full, Gate::Open);
    healthy.take(record("architect", "design", json!({})));
    let events = healthy.publish(record("executor", "code_changes", json!({})), at(2)).unwrap();
    let mut holed = task(Full, Gate::Open);
    holed.apply(&events[0]);
    holed.apply(&events[0]);
    let codes: Vec<_> = holed.warnings().iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["VERSION_GAP", "OUT_OF_TABLE", "VERSION_DUPLICATE"]);
    assert_eq!((holed.version(), holed.waiting_for()), (2, Some(WaitingFor::Human)));
}

#[test]
fn what_is_blank_long_or_large_is_refused_by_its_name() {
    let task = task(Full, Gate::Open);
    let field = |publish: Publish| match task.publish(publish, at(1)).unwrap_err() {
        Refusal::Invalid { field, .. } => field,
        other => format!("{other:?}"),
    };
    assert_eq!(field(record(" ", "note", json!({}))), "role");
    assert_eq!(field(record("x", "", json!({}))), "content_type");
    assert_eq!(field(record("x", "note", json!({ "summary": " " }))), "payload.summary");
    assert_eq!(field(record("x", "note", json!({ "body": 1 }))), "payload.body");
    for deceiving in ["a\nb", "a\0", "\u{202e}bob", "a\u{2028}b", "a\u{e0041}"] {
        assert_eq!(field(record(deceiving, "note", json!({}))), "role");
        let name = || Some(deceiving.to_owned());
        assert_eq!(field(Publish { agent: name(), ..record("x", "note", json!({})) }), "agent");
        assert_eq!(field(Publish { model: name(), ..record("x", "note", json!({})) }), "model");
    }
    let large = record("x", "note", json!({ "body": "b".repeat(2_000) }));
    let refused = task.publish(large, at(1)).unwrap_err();
    assert!(matches!(refused, Refusal::PayloadTooLarge { bytes, limit: 1_000, .. } if bytes > 2_000));
    let create = Create {
        title: "Parser".to_owned(),
        description: "d".repeat(1_001),
        creator: "@user".to_owned(),
        role: "human".to_owned(),
        max_bytes: 1_000,
        ..Create::default()
    };
    let refused = open(create, at(1)).unwrap_err();
    assert!(
        refused.to_string().starts_with("`description` takes 1007 bytes in an answer, and 1000 are allowed"),
        "{refused}"
    );
}

fn any_publish() -> impl Strategy<Value = Publish> {
    let role = prop::sample::select(vec!["architect", "executor", "reviewer", "human", "x"]);
    let content = prop::sample::select(vec![
        "design",
        "code_changes",
        "review",
        "revision",
        "note",
        "decision",
        "Design",
        "other",
    ]);
    let more = prop::sample::select(vec![
        json!({}),
        json!({ "verdict": "pass" }),
        json!({ "verdict": "fail_code" }),
        json!({ "verdict": "fail_design" }),
        json!({ "verdict": "PASS" }),
        json!({ "decision": "approve" }),
        json!({ "decision": "reject" }),
        json!({ "decision": "close" }),
        json!({ "ack": true }),
    ]);
    let person = prop::option::of(prop::sample::select(vec!["@user", "@Bob"]));
    (role, content, more, person).prop_map(|(role, content, more, person)| Publish {
        person: person.map(|person| Handle::parse(person).unwrap()),
        ..record(role, content, more)
    })
}

proptest! {
    #[test]
    fn a_task_is_the_fold_of_its_events_and_counts_without_gaps(
        records in prop::collection::vec(any_publish(), 0..40),
        flow in prop::sample::select(vec![Full, Direct, Solo]),
        gate in prop::sample::select(vec![Gate::Human, Gate::Open]),
    ) {
        let mut live = task(flow, gate);
        let mut replayed = task(flow, gate);
        for (number, publish) in (1..).zip(records) {
            let is_vouched_for = publish.person.is_some();
            let publish = Publish { expected_version: Some(live.version()), ..publish };
            let before = live.status();
            let events = live.publish(publish, at(number)).unwrap();
            for event in &events {
                let stored: Event = serde_json::from_value(serde_json::to_value(event).unwrap()).unwrap();
                prop_assert_eq!(&stored, event);
                live.apply(event);
                replayed.apply(&stored);
            }
            prop_assert_eq!(live.version(), u64::try_from(number).unwrap());
            let has_passed = before != live.status() && matches!(live.status(), Some(Approved | Closed));
            prop_assert!(!has_passed || is_vouched_for || gate == Gate::Open, "only a person opens the gate");
            prop_assert_eq!(before == Some(Closed), before == Some(Closed) && live.status() == Some(Closed));
        }
        prop_assert_eq!(live.status(), replayed.status());
        prop_assert_eq!(live.warnings(), replayed.warnings());
        prop_assert_eq!(live.proposals(), replayed.proposals());
    }
}

#[test]
fn a_turn_begins_with_the_record_that_changes_who_has_to_act() {
    let mut task = task(Full, Gate::Human);
    assert_eq!(task.turn(), 0);
    let steps = [
        (record("architect", "note", json!({})), 0),
        (record("architect", "design", json!({})), 2),
        (record("human", "note", json!({})), 2),
        (record("reviewer", "review", json!({ "verdict": "pass" })), 4),
        (record("human", "note", json!({ "ack": true })), 5),
        (record("executor", "code_changes", json!({})), 6),
        (record("reviewer", "review", json!({ "verdict": "fail_code" })), 7),
    ];
    for (publish, turn) in steps {
        task.take(publish);
        assert_eq!(task.turn(), turn);
    }
}
