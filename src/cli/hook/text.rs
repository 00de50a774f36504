//! What a hook tells an agent: where something waits, and what to call. Never what was said.

use serde_json::Value;

/// The reason to go on; none if nothing waits.
pub(super) fn reason(answer: &Value) -> Option<String> {
    let reminders = answer["reminders"].as_array()?;
    let lines: String = reminders.iter().filter_map(line).collect();
    (!lines.is_empty()).then_some(lines)
}

fn line(reminder: &Value) -> Option<String> {
    let (room, handle) = (reminder["room"].as_str()?, reminder["handle"].as_str()?);
    let senders: Vec<&str> = reminder["senders"].as_array()?.iter().filter_map(Value::as_str).collect();
    let unread = match reminder["unread"].as_u64()? {
        0 => String::new(),
        1 => format!("a message from {}", senders.join(", ")),
        count => format!("{count} messages from {}", senders.join(", ")),
    };
    let waits = match (reminder["is_turn"] == true, unread.is_empty()) {
        (true, true) => "it is your turn".to_owned(),
        (true, false) => format!("it is your turn, and you have {unread}"),
        (false, _) => format!("you have {unread}"),
    };
    Some(format!(
        "turnroom: {waits} in the room `{room}`. Call wait_for_turn with handle {handle} and room {room}, and follow \
         `next`; with nothing to say, call pass_turn.\n"
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reminded(is_turn: bool, unread: u64) -> String {
        let senders = if unread > 0 { vec!["@Bob", "@Carol"] } else { Vec::new() };
        let reminder = json!({
            "room": "review", "handle": "@Alice", "is_turn": is_turn, "unread": unread, "senders": senders,
        });
        reason(&json!({ "status": "news", "reminders": [reminder] })).unwrap()
    }

    #[test]
    fn a_reason_says_what_waits_and_what_to_call() {
        assert_eq!(
            reminded(true, 2),
            "turnroom: it is your turn, and you have 2 messages from @Bob, @Carol in the room `review`. Call \
             wait_for_turn with handle @Alice and room review, and follow `next`; with nothing to say, call pass_turn.\n"
        );
        assert!(reminded(true, 0).starts_with("turnroom: it is your turn in the room `review`."));
        assert!(reminded(false, 1).starts_with("turnroom: you have a message from @Bob"));
    }

    #[test]
    fn nothing_is_said_when_nothing_waits() {
        for answer in [json!({ "status": "nothing", "reminders": [] }), json!({}), json!([])] {
            assert_eq!(reason(&answer), None);
        }
    }
}
