//! The shapes of answers.

use std::time::Duration;

use super::*;
use crate::hub::{Given, Receipt, WaitingFor};
use crate::tools::message::tests::{at, named, said};

fn quiet(status: TurnStatus) -> Answer {
    let turn = TurnResult {
        status,
        room: "design-review".into(),
        active_turn: Some(named("@Alice")),
        new_messages: Vec::new(),
        current_queue: vec![named("@Bob")],
        active_participants: vec![named("@Alice"), named("@Bob")],
        system_notice: None,
        last_seq_id: 123_456,
        remaining_unread: 0,
        posted: None,
        agent_turns_until_pause: Some(3),
        waited: Duration::from_secs(45),
        waiting_for: None,
        other_rooms: Vec::new(),
        key: None,
        next: "x".repeat(100),
        warning: None,
    };
    Answer { turn, receipt: Receipt(1) }
}

fn fields(json: &Value) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

fn some_posted(recipients: usize) -> Posted {
    let recipients: Vec<_> = (0..recipients).map(|n| named(&format!("@Agent{n}"))).collect();
    let delivery = recipients.iter().map(|handle| Delivery {
        handle: handle.clone(),
        state: DeliveryState::Woken,
        since: None,
    });
    Posted {
        seq_id: 12,
        unknown: vec!["@Zed".into()],
        delivery: delivery.collect(),
        recipients,
        repeated: false,
    }
}

#[test]
fn names_that_nobody_has_are_cut_and_counted() {
    let mut answer = quiet(TurnStatus::Posted);
    let unknown = (0..5_000).map(|number| format!("@nobody{number}")).collect();
    answer.turn.posted = Some(Posted { unknown, ..some_posted(1) });
    let json = post(&answer).json;
    assert_eq!(json["posted"]["unknown"].as_array().unwrap().len(), 30);
    assert_eq!(json["posted"]["unknown_total"], 5_000);
}

#[test]
fn an_answer_without_news_is_short() {
    let mut answer = quiet(TurnStatus::Timeout);
    let json = turn(&answer).json;
    assert_eq!(fields(&json), ["active_turn", "last_seq_id", "next", "room", "status"]);
    assert!(json.to_string().len() <= 300);

    answer.turn.waiting_for = Some(WaitingFor { handle: named("@user"), since: at() });
    let json = turn(&answer).json;
    assert_eq!(json["waiting_for"], "@user");
    assert_eq!(json["since"], "2026-01-02T03:04:05.000+00:00");
    assert!(json.to_string().len() <= 300, "{json}");
}

#[test]
fn an_answer_with_news_has_every_field_of_the_seed() {
    let mut answer = quiet(TurnStatus::MessageReceived);
    answer.turn.new_messages = vec![Given { message: said(5, "@Bob hi"), redelivered: false }];
    let json = turn(&answer).json;
    for field in [
        "status",
        "room",
        "active_turn",
        "new_messages",
        "current_queue",
        "active_participants",
        "system_notice",
        "last_seq_id",
        "next",
    ] {
        assert!(json.get(field).is_some(), "{field}");
    }
    assert_eq!(json["system_notice"], Value::Null);
    assert_eq!(json["waited_ms"], 45_000);
    assert_eq!(json["agent_turns_until_pause"], 3);
    for field in ["remaining_unread", "posted", "warning", "waiting_for", "other_rooms"] {
        assert!(json.get(field).is_none(), "{field}");
    }
}

#[test]
fn a_post_always_tells_whether_the_message_stands() {
    for status in [TurnStatus::NotYourTurn, TurnStatus::Waiting, TurnStatus::Paused] {
        assert_eq!(post(&quiet(status)).json["posted"], Value::Null);
        assert!(post(&quiet(status)).json.as_object().unwrap().contains_key("posted"));
    }
    let mut answer = quiet(TurnStatus::Posted);
    answer.turn.posted = Some(some_posted(2));
    let json = post(&answer).json;
    assert_eq!(fields(&json), ["active_turn", "last_seq_id", "next", "posted", "room", "status"]);
    let expected = json!({
        "seq_id": 12,
        "recipients": ["@Agent0", "@Agent1"],
        "unknown": ["@Zed"],
        "delivery": [{ "handle": "@Agent0", "state": "woken" }, { "handle": "@Agent1", "state": "woken" }],
    });
    assert_eq!(json["posted"], expected);
}

#[test]
fn a_call_that_says_nothing_tells_of_no_post() {
    assert!(turn(&quiet(TurnStatus::YourTurn)).json.get("posted").is_none());
}

#[test]
fn a_key_and_other_rooms_are_told_in_every_answer() {
    let mut answer = quiet(TurnStatus::Timeout);
    answer.turn.key = Some("abc".into());
    answer.turn.other_rooms = vec!["r2".into()];
    let json = turn(&answer).json;
    assert_eq!(json["key"], "abc");
    assert_eq!(json["other_rooms"], json!(["r2"]));
}

#[test]
fn a_delivery_to_many_is_cut_and_counted_by_state() {
    let mut told = some_posted(100);
    told.delivery[50].state = DeliveryState::Away;
    told.delivery[0] = Delivery { state: DeliveryState::Away, since: Some(at()), ..told.delivery[0].clone() };
    let json = posted(&told);
    assert_eq!(json["delivery"].as_array().unwrap().len(), 30);
    assert_eq!(json["delivery"][0]["since"], "2026-01-02T03:04:05.000+00:00");
    assert_eq!(json["delivery_total"], json!({ "away": 2, "woken": 98 }));
    assert_eq!(json["recipients_total"], 100);
}

#[test]
fn a_room_with_keys_is_started_with_one_invite_for_each() {
    let mut started = Initialized {
        room: "r".into(),
        filepath: "/t/r.md".into(),
        topic: "T".into(),
        participants: vec![named("@Alice")],
        policy: crate::room::Policy::default(),
        invites: Vec::new(),
        message: "started".into(),
    };
    let json = initialized(&started);
    assert_eq!(json["status"], "initialized");
    assert_eq!(json["filepath"], "/t/r.md");
    assert_eq!(json["participants"], json!(["@Alice"]));
    assert!(json.get("invites").is_none());
    started.invites = vec![(named("@Alice"), "k".into())];
    assert_eq!(initialized(&started)["invites"], json!([{ "handle": "@Alice", "key": "k" }]));
}

#[test]
fn hits_carry_numbers_and_snippets_only() {
    let hit = crate::hub::Hit { message: said(5, "a long text"), snippet: "long".into() };
    let json = hits(&Hits { room: "r".into(), hits: vec![hit] });
    assert_eq!(
        json["hits"][0],
        json!({ "seq_id": 5, "sender": "@Alice", "timestamp": "2026-01-02T03:04:05.000+00:00", "snippet": "long" })
    );
}

#[test]
fn a_page_says_whether_there_is_more() {
    let json = page(&Page { room: "r".into(), messages: vec![said(5, "a")], last_seq_id: 9, more: true });
    assert_eq!(json["messages"][0]["seq_id"], 5);
    assert_eq!(json["more"], true);
    assert!(json["next"].as_str().unwrap().contains("read again"));
}
