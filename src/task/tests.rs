//! The table, row by row, and what is decided beside it.

mod reports;

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
        let publish = Publish { expected_version: publish.expected_version.or(seen), ..publish };
        for event in self.publish(publish, at(1)).unwrap() {
            self.apply(&event);
        }
    }
}

/// The table of the rules, as it stands there: a record, where the task stands, and what comes of it in each flow.
#[test]
fn every_row_of_the_table_holds() {
    let review = Entry::Review;
    let note = |recalls| Entry::Note { recalls };
    let decide = Entry::Decision;
    let out = Warn(OutOfTable);
    let rows = [
        (Entry::Design, Designing, To(Implementing), out, To(Implementing)),
        (Entry::Design, Implementing, out, Stay, out),
        (Entry::CodeChanges, Implementing, To(Reviewing), To(Reviewing), To(PendingApproval)),
        (review(Verdict::Pass), Reviewing, To(PendingApproval), To(PendingApproval), out),
        (review(Verdict::FailCode), Reviewing, To(Revising), To(Revising), out),
        (review(Verdict::FailDesign), Reviewing, To(Designing), out, out),
        (review(Verdict::BlockedExternal), Reviewing, To(PendingApproval), To(PendingApproval), out),
        (review(Verdict::Other), Reviewing, Warn(InvalidVerdict), Warn(InvalidVerdict), out),
        (review(Verdict::Pass), Implementing, out, out, out),
        (Entry::Revision, Revising, To(Reviewing), To(Reviewing), out),
        (Entry::Revision, Implementing, To(Reviewing), out, out),
        (note(true), Reviewing, To(Revising), To(Revising), Stay),
        (note(false), Reviewing, Stay, Stay, Stay),
        (note(true), Implementing, Stay, Stay, Stay),
        (decide(Decision::Approve), PendingApproval, To(Approved), To(Approved), To(Approved)),
        (decide(Decision::Reject), PendingApproval, To(Revising), To(Revising), To(Implementing)),
        (decide(Decision::Approve), Reviewing, out, out, out),
        (decide(Decision::Close), Designing, To(Closed), To(Closed), To(Closed)),
        (decide(Decision::Close), Closed, To(Closed), To(Closed), To(Closed)),
        (decide(Decision::Other), PendingApproval, out, out, out),
        (note(true), Closed, Stay, Stay, Stay),
        (Entry::Design, Closed, Warn(ClosedAbsorb), Warn(ClosedAbsorb), Warn(ClosedAbsorb)),
        (decide(Decision::Approve), Closed, Warn(ClosedAbsorb), Warn(ClosedAbsorb), Warn(ClosedAbsorb)),
        (Entry::CodeChanges, Revising, out, out, out),
        (Entry::Other, Designing, out, out, out),
        (Entry::Proposal, PendingApproval, Stay, Stay, Stay),
    ];
    for (entry, status, full, direct, solo) in rows {
        for (flow, expected) in [(Full, full), (Direct, direct), (Solo, solo)] {
            assert_eq!(effect(flow, status, entry), expected, "{entry:?} while {status:?} in {flow:?}");
        }
    }
}

#[test]
fn a_decision_that_nobody_vouches_for_waits_for_a_person() {
    let mut task = task(Solo, Gate::Human);
    task.take(record("architect", "design", json!({})));
    task.take(record("executor", "code_changes", json!({})));
    task.take(Publish { agent: Some("pi".to_owned()), ..decision("approve", None) });
    assert_eq!((task.status(), task.version()), (Some(PendingApproval), 3));
    let proposal = task.proposal().unwrap();
    assert_eq!((proposal.decision, proposal.by.as_str(), proposal.version), (Decision::Approve, "pi", 3));
    assert!(!task.needs_attention(), "it is no mistake");
    task.take(decision("reject", Some("@user")));
    assert_eq!((task.status(), task.proposal()), (Some(Implementing), None));
}

#[test]
fn a_proposal_that_somebody_has_seen_and_not_taken_up_waits_no_longer() {
    let mut task = task(Full, Gate::Human);
    task.take(decision("close", None));
    assert!(task.proposal().is_some());
    task.take(record("human", "note", json!({})));
    assert!(task.proposal().is_some(), "a note alone is no answer");
    task.take(record("human", "note", json!({ "ack": true })));
    assert_eq!((task.proposal(), task.status()), (None, Some(Designing)));
}

#[test]
fn nobody_approves_what_is_his_own_work() {
    for (agent, person) in [(Some("@Carol"), "@carol"), (Some("Straße"), "@STRASSE"), (None, "@Bob")] {
        let mut task = task(Solo, Gate::Human);
        task.take(record("architect", "design", json!({})));
        let agent = agent.map(ToOwned::to_owned);
        task.take(Publish { agent, ..record("executor", "code_changes", json!({})) });
        task.take(decision("approve", Some(person)));
        assert_eq!(task.status(), Some(PendingApproval), "{person} did the work");
        assert!(task.proposal().is_some());
        task.take(decision("approve", Some("@user")));
        assert_eq!(task.status(), Some(Approved));
    }
}

#[test]
fn a_decision_is_bound_to_the_version_that_was_seen() {
    let mut task = task(Direct, Gate::Human);
    task.take(record("executor", "code_changes", json!({})));
    task.take(record("reviewer", "review", json!({ "verdict": "pass" })));
    task.take(record("executor", "note", json!({})));
    let late = Publish { expected_version: Some(2), ..decision("approve", Some("@user")) };
    let refused = task.publish(late, at(2)).unwrap_err();
    assert_eq!(refused, Refusal::VersionConflict { expected: 2, actual: 3 });
    for word in ["approve", "reject"] {
        let refused = task.publish(decision(word, Some("@user")), at(2)).unwrap_err();
        assert_eq!(refused.code(), "validation_error");
        assert!(refused.to_string().contains("it is 3 now"), "{refused}");
        assert!(task.publish(decision(word, None), at(2)).is_ok(), "a proposal decides nothing");
    }
    assert!(task.publish(decision("close", Some("@user")), at(2)).is_ok());
    task.take(decision("approve", Some("@user")));
    assert_eq!(task.status(), Some(Approved));
    let misfit = task.publish(decision("approve", Some("@user")), at(2));
    assert!(misfit.is_ok(), "what does not fit is kept with a warning");
}

#[test]
fn the_same_request_is_taken_once_and_another_with_its_id_is_refused() {
    let mut task = task(Full, Gate::Human);
    let first = Publish { request_id: Some("r".to_owned()), ..record("architect", "design", json!({})) };
    task.take(first.clone());
    assert_eq!(task.publish(first.clone(), at(9)).unwrap(), []);
    let other = Publish { content_type: "note".to_owned(), ..first };
    let refused = task.publish(other, at(9)).unwrap_err();
    assert_eq!(refused, Refusal::RequestIdReused { id: "r".to_owned(), version: 1 });
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
    assert_eq!(field(Publish { agent: Some("a\nb".to_owned()), ..record("x", "note", json!({})) }), "agent");
    let large = record("x", "note", json!({ "body": "b".repeat(2_000) }));
    let refused = task.publish(large, at(1)).unwrap_err();
    assert!(matches!(refused, Refusal::PayloadTooLarge { bytes, limit: 1_000 } if bytes > 2_000));
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
        prop_assert_eq!(live.proposal(), replayed.proposal());
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
