//! What a caller should do now, in one short sentence. It is in every answer, because some models read only it.

use super::answer::TurnStatus;
use crate::room::event::PuzzleQuestion;
use crate::room::{Handle, Phase, Room};

/// Longer sentences cost every caller at every call.
const MAX_CHARS: usize = 100;

/// An answer, as far as it matters for what to do now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub status: TurnStatus,
    /// Messages that did not fit.
    pub remaining: u64,
    /// Whether it carries messages or notices.
    pub has_words: bool,
    /// Whether it answers a message that was not posted. Who reads only this sentence must learn it here.
    pub is_refused: bool,
    /// Whether several answers in a row told nothing new.
    pub is_stuck: bool,
}

/// What to do now.
pub(super) fn next(room: &Room, who: &Handle, told: Told) -> String {
    let text = if told.is_refused { refused(room, told) } else { sentence(room, who, told) };
    debug_assert!(text.chars().count() <= MAX_CHARS, "{text}");
    text.chars().take(MAX_CHARS).collect()
}

fn sentence(room: &Room, who: &Handle, told: Told) -> String {
    let holder = room.active_turn();
    let is_free = holder.is_none() && room.phase() == Phase::Open;
    match told.status {
        TurnStatus::Closed if told.remaining > 0 => {
            "the conversation is over; wait_for_turn gives the rest of it".to_owned()
        }
        TurnStatus::Closed => "the conversation is over; stop".to_owned(),
        TurnStatus::Replaced => "another caller waits as you; do not call again".to_owned(),
        TurnStatus::Stopping => "the hub restarts; call wait_for_turn again".to_owned(),
        TurnStatus::Paused => "paused until a person speaks; call wait_for_turn, or finish".to_owned(),
        TurnStatus::Waiting => format!("waiting until {}; call wait_for_turn", missing(room)),
        _ if told.remaining > 0 => "there is more to read: call wait_for_turn".to_owned(),
        _ if holder.as_ref() == Some(who) => your_turn(room, who),
        TurnStatus::Timeout | TurnStatus::Posted
            if told.is_stuck && holder.as_ref().is_some_and(|h| is_human(room, h)) =>
        {
            "only a person can move the room; call wait_for_turn or finish: `turnroom wait` wakes you"
                .to_owned()
        }
        TurnStatus::Posted if is_free => {
            "posted; nobody has the floor: speak if you must, else wait_for_turn".to_owned()
        }
        _ if is_free => {
            "nobody has the floor: send_message if you have something, else wait_for_turn".to_owned()
        }
        TurnStatus::Posted => "posted; call wait_for_turn for the answer".to_owned(),
        TurnStatus::Timeout if told.has_words => {
            "not your turn; read new_messages, then call wait_for_turn again".to_owned()
        }
        TurnStatus::Timeout => "no news, which is normal; call wait_for_turn again".to_owned(),
        TurnStatus::NotYourTurn => {
            format!("nothing to pass: {} has the floor; call wait_for_turn", named(holder.as_ref()))
        }
        TurnStatus::Joined | TurnStatus::MessageReceived | TurnStatus::YourTurn => {
            format!("{} has the floor; call wait_for_turn", named(holder.as_ref()))
        }
    }
}

/// To whom has the floor.
fn your_turn(room: &Room, who: &Handle) -> String {
    if let Some((question, is_nobody_here)) = room.only_waits_for(who) {
        return while_asked(question, is_nobody_here);
    }
    if room.has_to_act_in_a_puzzle(who) {
        return "your turn in a puzzle of this room: get_puzzle_snapshot, then act or answer_guard"
            .to_owned();
    }
    "your turn: call send_message and mention who must answer, or call pass_turn".to_owned()
}

/// To whom has the floor and can do nothing with it in its puzzle before others have answered.
fn while_asked(question: &PuzzleQuestion, is_nobody_here: bool) -> String {
    const SHORT: usize = 18;
    let PuzzleQuestion { action, asks: asked, needed, .. } = question;
    let is_short = (1..=SHORT).contains(&action.chars().count());
    let what = if is_short { format!("`{action}`") } else { "action".to_owned() };
    let whom = match &asked[..] {
        [one] if one.as_str().chars().count() <= SHORT => one.to_string(),
        [_] => "another".to_owned(),
        [] => "a program".to_owned(),
        asked if *needed < asked.len() => format!("{needed} of {} others", asked.len()),
        asked => format!("{} others", asked.len()),
    };
    if is_nobody_here && !asked.is_empty() {
        let are = if asked.len() == 1 { "is" } else { "are" };
        format!("your {what} waits for {whom}, who {are} not here; pass_turn, or tell @user")
    } else {
        format!("your {what} waits for {whom}; call wait_for_turn")
    }
}

/// After a message that was not posted.
fn refused(room: &Room, told: Told) -> String {
    let holder = room.active_turn();
    match told.status {
        TurnStatus::Paused => {
            "nothing was posted: paused until a person speaks; call wait_for_turn, or finish".to_owned()
        }
        TurnStatus::Waiting => format!("nothing was posted until {}; call wait_for_turn", missing(room)),
        _ if told.remaining > 0 => "nothing was posted; there is more to read: call wait_for_turn".to_owned(),
        _ if holder.as_ref().is_some_and(|holder| is_human(room, holder)) => {
            "nothing was posted; call wait_for_turn with request_turn=true, then send it again".to_owned()
        }
        _ => format!("nothing was posted: {} has the floor; call wait_for_turn", named(holder.as_ref())),
    }
}

/// Who must join, so that a room opens.
fn missing(room: &Room) -> String {
    match room.missing().as_slice() {
        [one] if short(one) => format!("{one} joins"),
        missing => format!("{} more join", missing.len().max(1)),
    }
}

fn named(holder: Option<&Handle>) -> String {
    match holder {
        Some(handle) if short(handle) => handle.to_string(),
        Some(_) => "somebody else".to_owned(),
        None => "nobody".to_owned(),
    }
}

fn short(handle: &Handle) -> bool {
    handle.as_str().chars().count() <= 40
}

fn is_human(room: &Room, handle: &Handle) -> bool {
    room.participant(handle).is_some_and(crate::room::Participant::is_human)
}
