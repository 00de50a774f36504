//! Events as messages: what was said, and the system's lines in words. Agents get English.

use super::story;
use crate::room::event::PuzzleStep;
use crate::room::{About, Event, Language, Message, Sender, Via};
use crate::transcript::notice_text;

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
            about: None,
        });
    }
    let (notice, at) = story::notice(event)?;
    Some(Message {
        seq_id: event.seq()?,
        sender: Sender::System,
        recipients: Vec::new(),
        content: notice_text(&notice, Language::En),
        is_private: false,
        at,
        reply_to: None,
        choices: Vec::new(),
        via: Via::System,
        is_verified: false,
        origin: String::new(),
        about: about(event),
    })
}

/// What a notice tells of.
fn about(event: &Event) -> Option<About> {
    match event {
        Event::TaskMoved(moved) => Some(About::Task { id: moved.task.clone(), version: moved.version }),
        Event::PuzzleTold(told) => Some(About::Puzzle {
            id: told.puzzle.clone(),
            version: told.version,
            guard: match &told.what {
                PuzzleStep::Asked { guard, .. } => Some(guard.clone()),
                _ => None,
            },
        }),
        _ => None,
    }
}
