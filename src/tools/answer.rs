//! What the hub answers, as JSON. An answer without news is as short as it can be: it costs a language model
//! tokens each time.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Outcome;
use super::message::{given, message, put_handles, put_names, sender, time};
use super::state;
use crate::hub::{Answer, Delivery, DeliveryState, Hits, Initialized, Page, Posted, TurnResult, TurnStatus};

/// A delivery is told for so many recipients; the rest is counted by state.
const DELIVERIES: usize = 30;

/// The answer to a call that says nothing.
pub(super) fn turn(answer: &Answer) -> Outcome {
    outcome(answer, turn_result(&answer.turn))
}

/// The answer to a post: it always tells whether the message stands.
pub(super) fn post(answer: &Answer) -> Outcome {
    let mut json = turn_result(&answer.turn);
    json["posted"] = answer.turn.posted.as_ref().map(posted).into();
    outcome(answer, json)
}

fn outcome(answer: &Answer, json: Value) -> Outcome {
    Outcome { receipt: Some(answer.receipt), ..Outcome::answer(json) }
}

fn turn_result(turn: &TurnResult) -> Value {
    let mut json = json!({
        "status": status(turn.status),
        "room": turn.room,
        "active_turn": turn.active_turn,
        "last_seq_id": turn.last_seq_id,
        "next": turn.next,
    });
    if !turn.is_empty() {
        put_news(&mut json, turn);
    }
    if let Some(waiting) = &turn.waiting_for {
        json["waiting_for"] = waiting.handle.as_str().into();
        json["since"] = time(waiting.since);
    }
    if !turn.other_rooms.is_empty() {
        put_names(&mut json, "other_rooms", turn.other_rooms.iter().map(String::as_str));
    }
    if let Some(key) = &turn.key {
        json["key"] = key.as_str().into();
    }
    json
}

fn put_news(json: &mut Value, turn: &TurnResult) {
    json["new_messages"] = turn.new_messages.iter().map(given).collect();
    put_handles(json, "current_queue", &turn.current_queue);
    put_handles(json, "active_participants", &turn.active_participants);
    json["system_notice"] = turn.system_notice.as_deref().into();
    if turn.remaining_unread > 0 {
        json["remaining_unread"] = turn.remaining_unread.into();
    }
    if let Some(turns) = turn.agent_turns_until_pause {
        json["agent_turns_until_pause"] = turns.into();
    }
    // More milliseconds than fit are more than a wait can last.
    let waited = u64::try_from(turn.waited.as_millis()).unwrap_or(u64::MAX);
    if waited > 0 {
        json["waited_ms"] = waited.into();
    }
    if let Some(warning) = &turn.warning {
        json["warning"] = warning.as_str().into();
    }
}

fn status(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::Joined => "joined",
        TurnStatus::YourTurn => "your_turn",
        TurnStatus::MessageReceived => "message_received",
        TurnStatus::Timeout => "timeout",
        TurnStatus::Waiting => "waiting",
        TurnStatus::Posted => "posted",
        TurnStatus::NotYourTurn => "not_your_turn",
        TurnStatus::Paused => "paused",
        TurnStatus::Replaced => "replaced",
        TurnStatus::Closed => "closed",
        TurnStatus::Stopping => "stopping",
    }
}

fn posted(posted: &Posted) -> Value {
    let mut json = json!({ "seq_id": posted.seq_id });
    put_names(&mut json, "unknown", posted.unknown.iter().map(String::as_str));
    put_handles(&mut json, "recipients", &posted.recipients);
    json["delivery"] = posted.delivery.iter().take(DELIVERIES).map(delivery).collect();
    if posted.delivery.len() > DELIVERIES {
        json["delivery_total"] = totals(&posted.delivery);
    }
    if posted.repeated {
        json["repeated"] = true.into();
    }
    json
}

fn delivery(delivery: &Delivery) -> Value {
    let mut json = json!({ "handle": delivery.handle, "state": delivery_state(delivery.state) });
    if let Some(since) = delivery.since {
        json["since"] = time(since);
    }
    json
}

fn totals(deliveries: &[Delivery]) -> Value {
    let mut totals = BTreeMap::new();
    for delivery in deliveries {
        *totals.entry(delivery_state(delivery.state)).or_insert(0) += 1;
    }
    json!(totals)
}

fn delivery_state(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Woken => "woken",
        DeliveryState::Queued => "queued",
        DeliveryState::Away => "away",
        DeliveryState::Expected => "expected",
        DeliveryState::Question => "question",
        DeliveryState::Left => "left",
    }
}

/// A room that was started.
pub(super) fn initialized(started: &Initialized) -> Value {
    let mut json = json!({
        "status": "initialized",
        "room": started.room,
        "filepath": started.filepath.display().to_string(),
        "topic": started.topic,
        "participants": started.participants,
        "policy": state::policy(&started.policy),
        "message": started.message,
        "next": "have each participant call join_conversation; join too if you take part",
    });
    if !started.invites.is_empty() {
        let invites = started.invites.iter().map(|(handle, key)| json!({ "handle": handle, "key": key }));
        json["invites"] = invites.collect();
        json["next"] = "give each participant its own key for join_conversation, and no other".into();
    }
    json
}

/// Messages read.
pub(super) fn page(page: &Page) -> Value {
    let next = if page.more {
        "more in this range: read again with after_seq_id or before_seq_id"
    } else {
        "go on with send_message if it is your turn, else with wait_for_turn"
    };
    json!({
        "room": page.room,
        "messages": page.messages.iter().map(|read| message(read)).collect::<Vec<_>>(),
        "last_seq_id": page.last_seq_id,
        "more": page.more,
        "next": next,
    })
}

/// Messages found.
pub(super) fn hits(found: &Hits) -> Value {
    let hits = found.hits.iter().map(|hit| {
        json!({
            "seq_id": hit.message.seq_id,
            "sender": sender(&hit.message.sender),
            "timestamp": time(hit.message.at),
            "snippet": hit.snippet,
        })
    });
    let next = if found.hits.is_empty() {
        "try other words, or fewer"
    } else {
        "read_messages around a seq_id gives the whole text"
    };
    json!({ "room": found.room, "hits": hits.collect::<Vec<_>>(), "next": next })
}

#[cfg(test)]
mod tests;
