//! What the programs around an agent ask for: reminders, and how long calls may block. As JSON.

use serde_json::{Value, json};

use crate::hub::{Reminded, Reminder, SafeWait};

/// What a hook is told.
pub(crate) fn reminded(reminded: &Reminded) -> Value {
    let (status, reminders) = match reminded {
        Reminded::News(reminders) => ("news", reminders.as_slice()),
        Reminded::Nothing => ("nothing", &[][..]),
        Reminded::Replaced => ("replaced", &[][..]),
        Reminded::TimedOut => ("timeout", &[][..]),
        Reminded::Stopping => ("stopping", &[][..]),
    };
    json!({ "status": status, "reminders": reminders.iter().map(reminder).collect::<Vec<_>>() })
}

fn reminder(reminder: &Reminder) -> Value {
    json!({
        "room": reminder.room,
        "handle": reminder.handle,
        "is_turn": reminder.is_turn,
        "unread": reminder.unread,
        "senders": reminder.senders,
    })
}

/// How long calls of clients may block when they name no time. What is learned comes first, and counts.
pub(crate) fn safe_waits(waits: &[SafeWait]) -> Value {
    let one = |safe: &SafeWait| {
        let source = if safe.is_learned { "learned" } else { "settings" };
        json!({ "client": safe.client, "seconds": safe.wait.as_secs(), "from": source })
    };
    waits.iter().map(one).collect()
}
