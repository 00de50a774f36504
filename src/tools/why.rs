//! Who waits for whom, as JSON: short in a list of participants, whole for a person who asks.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::message::time;
use crate::hub::{Item, RoomState, Want};
use crate::room::{Status, WaitReason, WaitsFor};

/// All of it, with what tasks and puzzles of the room want of a person, which stands in the inbox.
pub(crate) fn why(room: &RoomState, inbox: &[Item]) -> Value {
    let of_room = || inbox.iter().filter(|item| item.room == room.room);
    let is_of_task = |item: &&Item| matches!(item.want, Want::Decision { .. } | Want::Attention { .. });
    let tasks: Vec<&Item> = of_room().filter(is_of_task).collect();
    let puzzles: Vec<(&Item, String)> = of_room().filter_map(of_puzzle).collect();
    let by_lodger = || tasks.iter().copied().chain(puzzles.iter().map(|(item, _)| *item)).next();
    json!({
        "room": room.room,
        "phase": room.phase,
        "active_turn": room.active_turn,
        "waits": room.why.waits.iter().map(|wait| waits_for(wait, room.at)).collect::<Vec<_>>(),
        "cycles": room.why.cycles,
        "is_stuck": room.why.is_stuck,
        "tasks": tasks.iter().map(|item| item.title()).collect::<Vec<_>>(),
        "puzzles": puzzles.iter().map(|(_, words)| words).collect::<Vec<_>>(),
        "act": Some(act(room)).filter(|act| !act.is_null()).unwrap_or_else(|| by_lodger().map(Item::command).into()),
    })
}

/// A guard of a puzzle that waits for a person, with what it asks; or a puzzle that waits for who is not here.
fn of_puzzle(item: &Item) -> Option<(&Item, String)> {
    match &item.want {
        Want::Guard { question, .. } => Some((item, format!("{}: {question}", item.title()))),
        Want::Stranded(_) => Some((item, item.title())),
        _ => None,
    }
}

/// What a list of participants says of one of them: for whom it waits first.
pub(super) fn put_wait(member: &mut Value, waits: &[WaitsFor]) {
    let Some(wait) = waits.iter().find(|wait| wait.who.as_str() == member["handle"]) else { return };
    member["waiting_for"] = wait.on.as_str().into();
    member["waiting_since"] = time(wait.since);
    member["why"] = words(wait).into();
}

/// What frees those who wait, in a room that is stuck.
pub(super) fn put_act(json: &mut Value, room: &RoomState) {
    if room.why.is_stuck {
        json["is_stuck"] = true.into();
        json["act"] = act(room);
    }
    if !room.why.cycles.is_empty() {
        json["cycles"] = json!(room.why.cycles);
    }
}

fn act(room: &RoomState) -> Value {
    room.why.act.as_ref().map(|act| act.command_line(&room.room)).into()
}

fn waits_for(wait: &WaitsFor, now: DateTime<Utc>) -> Value {
    json!({
        "who": wait.who,
        "on": wait.on,
        "why": words(wait),
        "since": time(wait.since),
        "seconds": (now - wait.since).num_seconds().max(0),
    })
}

/// Why, in a sentence.
fn words(wait: &WaitsFor) -> String {
    let (who, on) = (&wait.who, &wait.on);
    match wait.reason {
        WaitReason::Question(seq) => format!("{on} was asked in message {seq}"),
        WaitReason::Barrier(0) => format!("{on} has not joined, and the room is not open yet"),
        WaitReason::Barrier(others) => {
            format!("{on} and {others} more have not joined, and the room is not open yet")
        }
        WaitReason::Pause => format!("the room is paused until {on} acts"),
        WaitReason::Floor => format!("{on} has the floor"),
        WaitReason::Queue => format!("{on} comes first in the queue"),
        WaitReason::Listens => format!("{who} has the floor, and waits instead of speaking"),
        WaitReason::Work => format!("{on} has to act in a task or a puzzle of this room"),
        WaitReason::Guard { status, needed, asked } => {
            let must = format!("must answer a guard of a puzzle before {who} can go on");
            let absence = absence(status);
            if needed < asked {
                format!("{needed} of {asked} {must}; {on} is one of them{absence}")
            } else {
                format!("{on} {must}{absence}")
            }
        }
        WaitReason::Gone(status) => format!("{on} has to act in a puzzle of this room{}", absence(status)),
        WaitReason::Absent => format!("{on} comes next, and is not here"),
    }
}

fn absence(status: Status) -> &'static str {
    match status {
        Status::Active => "",
        Status::Expected | Status::Away => ", and is not here",
        Status::Left => ", and has left",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Handle;

    #[test]
    fn of_a_panel_it_is_said_how_many_must_answer() {
        let words = |needed, asked| {
            let reason = WaitReason::Guard { status: Status::Away, needed, asked };
            let [who, on] = ["@Alice", "@Bob"].map(|name| Handle::parse(name).unwrap());
            super::words(&WaitsFor { who, on, reason, since: DateTime::UNIX_EPOCH })
        };
        let must = "must answer a guard of a puzzle before @Alice can go on";
        assert_eq!(words(1, 1), format!("@Bob {must}, and is not here"));
        assert_eq!(words(2, 2), format!("@Bob {must}, and is not here"));
        assert_eq!(words(1, 3), format!("1 of 3 {must}; @Bob is one of them, and is not here"));
    }
}
