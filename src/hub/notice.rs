//! Events as messages: what was said, and the system's lines in words.

use crate::room::event::PauseReason;
use crate::room::{Event, Handle, Message, Sender, Via};

/// The message that an event is, if it is one.
pub(super) fn message(event: &Event) -> Option<Message> {
    if let Event::Posted(posted) = event {
        return Some(Message {
            seq_id: posted.seq,
            sender: Sender::Participant(posted.sender.clone()),
            recipients: posted.recipients.clone(),
            content: posted.content.clone(),
            is_private: posted.is_private,
            at: posted.at,
            reply_to: posted.reply_to,
            choices: posted.choices.clone(),
            via: posted.via,
            is_verified: posted.is_verified,
            origin: posted.origin.clone(),
        });
    }
    let (content, at) = words(event)?;
    Some(Message {
        seq_id: event.seq()?,
        sender: Sender::System,
        recipients: Vec::new(),
        content,
        is_private: false,
        at,
        reply_to: None,
        choices: Vec::new(),
        via: Via::System,
        is_verified: false,
        origin: String::new(),
    })
}

fn words(event: &Event) -> Option<(String, chrono::DateTime<chrono::Utc>)> {
    let said = match event {
        Event::Joined { handle, at, .. } => (format!("{handle} joined the conversation"), *at),
        Event::BarrierOverdue { missing, at, .. } => {
            (format!("still missing: {}; a person may start without them", list(missing)), *at)
        }
        Event::Lapsed { handle, at, .. } => {
            (format!("{handle} was silent for too long; the turn moves on"), *at)
        }
        Event::Passed { by, holder, to, reason, at, .. } => {
            let whose = holder.as_ref().filter(|holder| *holder != by);
            let mut text = match whose {
                Some(holder) => format!("{by} passed the turn of {holder}"),
                None => format!("{by} passed the turn"),
            };
            if let Some(to) = to {
                text += &format!(" to {to}");
            }
            if let Some(reason) = reason {
                text += &format!(": {reason}");
            }
            (text, *at)
        }
        Event::Paused { reason, at, .. } => {
            let why = match reason {
                PauseReason::ManyTurns(turns) => format!("{turns} turns of agents without a human word"),
                PauseReason::ShortMessages => "only short messages between two agents".to_owned(),
            };
            (format!("the room is paused ({why}); a person's word goes on"), *at)
        }
        Event::Resumed { by, at, .. } => (format!("{by} ended the pause"), *at),
        Event::Left { handle, removed_by: Some(by), at, .. } => (format!("{by} removed {handle}"), *at),
        Event::Left { handle, at, .. } => (format!("{handle} left the conversation"), *at),
        Event::Closed { by, summary, at, .. } => {
            let who = by.as_ref().map_or_else(|| "a new room".to_owned(), Handle::to_string);
            let summary = summary.as_ref().map(|summary| format!(": {summary}")).unwrap_or_default();
            (format!("{who} closed the conversation{summary}"), *at)
        }
        Event::Noted { text, at, .. } => (text.clone(), *at),
        _ => return None,
    };
    Some(said)
}

fn list(handles: &[Handle]) -> String {
    handles.iter().map(Handle::as_str).collect::<Vec<_>>().join(", ")
}
