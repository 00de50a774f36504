//! Messages and times, as JSON.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::hub::Given;
use crate::room::{About, Handle, Message, Sender};

/// A list of plain handles says no more than so many; the rest is counted.
const LISTED: usize = 30;

/// A time: RFC 3339, in UTC, with `+00:00`.
pub(super) fn time(at: DateTime<Utc>) -> Value {
    at.to_rfc3339_opts(SecondsFormat::Millis, false).into()
}

/// Puts a list of handles into an answer; beside it `…_total` if not all are in it.
pub(super) fn put_handles(into: &mut Value, field: &str, handles: &[Handle]) {
    put_names(into, field, handles.iter().map(Handle::as_str));
}

/// Puts a list of names into an answer; beside it `…_total` if not all are in it.
pub(super) fn put_names<'n>(into: &mut Value, field: &str, names: impl ExactSizeIterator<Item = &'n str>) {
    let total = names.len();
    into[field] = names.take(LISTED).collect::<Vec<_>>().into();
    if total > LISTED {
        into[format!("{field}_total")] = total.into();
    }
}

/// A message as it is given to a participant.
pub(super) fn given(given: &Given) -> Value {
    let mut json = message(&given.message);
    if given.redelivered {
        json["redelivered"] = true.into();
    }
    json
}

/// A message.
pub(super) fn message(message: &Message) -> Value {
    let mut json = json!({
        "id": message.seq_id,
        "seq_id": message.seq_id,
        "sender": sender(&message.sender),
        "content": message.content,
        "is_private": message.is_private,
        "timestamp": time(message.at),
    });
    put_handles(&mut json, "recipients", &message.recipients);
    if let Some(reply_to) = message.reply_to {
        json["reply_to"] = reply_to.into();
    }
    if !message.choices.is_empty() {
        json["choices"] = json!(message.choices);
    }
    if message.is_verified {
        json["verified"] = true.into();
    }
    match &message.about {
        Some(About::Task { id, version }) => json["task"] = json!({ "task_id": id, "version": version }),
        Some(About::Puzzle { id, version, guard: None }) => {
            json["puzzle"] = json!({ "puzzleId": id, "version": version });
        }
        Some(About::Puzzle { id, version, guard: Some(guard) }) => {
            json["puzzle"] = json!({ "puzzleId": id, "version": version, "guardId": guard });
        }
        None => {}
    }
    json
}

/// Who said it; notices are said by `@System`.
pub(super) fn sender(sender: &Sender) -> &str {
    match sender {
        Sender::Participant(handle) => handle.as_str(),
        Sender::System => "@System",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::room::Via;
    use chrono::TimeZone;

    pub(in crate::tools) fn at() -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 1, 2, 3, 4, 5).unwrap()
    }

    pub(in crate::tools) fn named(name: &str) -> Handle {
        Handle::parse(name).unwrap()
    }

    pub(in crate::tools) fn said(seq_id: u64, content: &str) -> Arc<Message> {
        Arc::new(Message {
            seq_id,
            sender: Sender::Participant(named("@Alice")),
            recipients: vec![named("@Bob")],
            content: content.to_owned(),
            is_private: false,
            at: at(),
            reply_to: None,
            choices: Vec::new(),
            via: Via::Mcp,
            is_verified: false,
            origin: "a1".to_owned(),
            about: None,
        })
    }

    #[test]
    fn a_plain_message_has_the_fields_of_the_seed_and_no_others() {
        let expected = json!({
            "id": 7, "seq_id": 7, "sender": "@Alice", "recipients": ["@Bob"], "content": "@Bob hi",
            "is_private": false, "timestamp": "2026-01-02T03:04:05.000+00:00",
        });
        assert_eq!(message(&said(7, "@Bob hi")), expected);
    }

    #[test]
    fn what_a_message_has_beyond_that_is_told() {
        let mut full = (*said(8, "which?")).clone();
        full.reply_to = Some(7);
        full.choices = vec!["a".into(), "b".into()];
        full.is_verified = true;
        let json = given(&Given { message: Arc::new(full), redelivered: true });
        assert_eq!(json["reply_to"], 7);
        assert_eq!(json["choices"], json!(["a", "b"]));
        assert_eq!(json["verified"], true);
        assert_eq!(json["redelivered"], true);
    }

    #[test]
    fn a_notice_is_said_by_the_system() {
        let notice = Message { sender: Sender::System, ..(*said(9, "@Bob has joined")).clone() };
        assert_eq!(message(&notice)["sender"], "@System");
    }

    #[test]
    fn long_lists_of_handles_are_cut_and_counted() {
        let many: Vec<Handle> = (0..100).map(|n| named(&format!("@Agent{n}"))).collect();
        let mut json = json!({});
        put_handles(&mut json, "current_queue", &many);
        assert_eq!(json["current_queue"].as_array().unwrap().len(), 30);
        assert_eq!(json["current_queue_total"], 100);
    }
}
