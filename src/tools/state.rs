//! Rooms, participants and rules, as JSON. Nothing here shows what a message says.

use serde_json::{Value, json};

use super::message::{put_handles, time};
use super::why::{put_act, put_wait};
use crate::hub::{Member, RoomState, RoomSummary};
use crate::room::{Barrier, Policy, Status};

/// So many rooms are listed, the newest first; the rest is counted.
const ROOMS: usize = 100;

/// A room and everyone in it.
pub(crate) fn room_state(room: &RoomState) -> Value {
    let mut json = json!({
        "room": room.room,
        "topic": room.topic,
        "filepath": room.filepath.display().to_string(),
        "phase": room.phase,
        "participants": room.participants.iter().map(|member| of_member(member, room)).collect::<Vec<_>>(),
        "active_turn": room.active_turn,
        "message_count": room.message_count,
        "last_seq_id": room.last_seq_id,
        "last_activity": time(room.last_activity),
        "policy": policy(&room.policy),
    });
    put_handles(&mut json, "active_participants", &room.active_participants);
    put_handles(&mut json, "turn_queue", &room.turn_queue);
    if let Some(since) = room.turn_since {
        json["turn_since"] = time(since);
    }
    put_act(&mut json, room);
    json
}

/// The rooms there are.
pub(crate) fn room_list(rooms: &[RoomSummary]) -> Value {
    let mut json = json!({ "rooms": rooms.iter().take(ROOMS).map(summary).collect::<Vec<_>>() });
    if rooms.len() > ROOMS {
        json["rooms_total"] = rooms.len().into();
    }
    json
}

fn summary(room: &RoomSummary) -> Value {
    json!({
        "room": room.room,
        "topic": room.topic,
        "filepath": room.filepath.display().to_string(),
        "phase": room.phase,
        "active_turn": room.active_turn,
        "participants": room.participants,
        "message_count": room.message_count,
        "last_activity": time(room.last_activity),
    })
}

fn of_member(member: &Member, room: &RoomState) -> Value {
    let mut json = json!({
        "handle": member.handle,
        "name": member.name,
        "kind": if member.is_human { "human" } else { "agent" },
        "status": status(member.status),
        "joined_at": member.joined_at.map(time),
        "last_read_seq_id": member.last_read_seq_id,
        "last_given_seq_id": member.last_given_seq_id,
        "is_declared": member.is_declared,
        "is_waiting": member.is_waiting,
        "unread": member.unread,
    });
    if let Some(since) = member.unread_since {
        json["unread_since"] = time(since);
    }
    put_wait(&mut json, &room.why.waits);
    json
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Expected => "expected",
        Status::Active => "active",
        Status::Away => "away",
        Status::Left => "left",
    }
}

/// The rules of a room, in the names of the arguments that set them.
pub(super) fn policy(policy: &Policy) -> Value {
    let mut json = json!({
        "barrier": match policy.barrier {
            Barrier::All => "all".into(),
            Barrier::Count(count) => Value::from(count),
        },
        "barrier_timeout_seconds": policy.barrier_timeout.as_secs(),
        "floor": policy.floor,
        "wake": policy.wake,
        "turn_lease_seconds": policy.turn_lease.as_secs(),
        "human_hold_seconds": policy.human_hold.as_secs(),
        "human_first": policy.human_first,
        "max_agent_turns": policy.max_agent_turns,
        "language": policy.language,
        "invite_only": policy.invite_only,
        "identity": policy.identity,
        "humans_verified_only": policy.humans_verified_only,
    });
    if let Some(first) = &policy.first_speaker {
        json["first_speaker"] = first.as_str().into();
    }
    if !policy.aliases.is_empty() {
        let aliases = policy.aliases.iter().map(|(handle, names)| (handle.to_string(), json!(names)));
        json["aliases"] = Value::Object(aliases.collect());
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Act, WaitReason, WaitsFor, Why};
    use crate::tools::message::tests::{at, named};

    fn alice() -> Member {
        Member {
            handle: named("@Alice"),
            name: None,
            is_human: false,
            is_declared: true,
            status: Status::Active,
            joined_at: Some(at()),
            last_read_seq_id: 3,
            last_given_seq_id: 4,
            is_waiting: true,
            unread: 2,
            unread_since: Some(at()),
        }
    }

    fn room() -> RoomState {
        RoomState {
            room: "r".into(),
            topic: "T".into(),
            filepath: "/t/r.md".into(),
            participants: vec![alice()],
            active_participants: vec![named("@Alice")],
            active_turn: None,
            turn_since: None,
            turn_until: None,
            turn_queue: Vec::new(),
            message_count: 5,
            last_seq_id: 8,
            phase: "open",
            pause: None,
            tasks: Vec::new(),
            policy: Policy::default(),
            last_activity: at(),
            why: stuck(),
            at: at(),
        }
    }

    /// Two that wait for each other.
    fn stuck() -> Why {
        let wait = |who, on, reason| WaitsFor { who: named(who), on: named(on), reason, since: at() };
        Why {
            waits: vec![
                wait("@Alice", "@Bob", WaitReason::Listens),
                wait("@Bob", "@Alice", WaitReason::Floor),
            ],
            cycles: vec![vec![named("@Alice"), named("@Bob")]],
            is_stuck: true,
            act: Some(Act::Say { by: named("@user"), to: vec![named("@Alice")] }),
        }
    }

    #[test]
    fn who_waits_for_whom_is_told_with_the_act_that_frees_them() {
        insta::assert_json_snapshot!(crate::tools::why(&room(), &[]));
    }

    #[test]
    fn a_room_is_shown_with_the_fields_of_the_seed_and_the_rules() {
        insta::assert_json_snapshot!(room_state(&room()));
    }

    #[test]
    fn a_long_list_of_rooms_is_cut_and_counted() {
        let summary = RoomSummary {
            room: "r".into(),
            topic: "T".into(),
            filepath: "/t/r.md".into(),
            phase: "open",
            active_turn: Some(named("@Alice")),
            turn_since: None,
            last_seq_id: 5,
            participants: 2,
            message_count: 5,
            last_activity: at(),
        };
        let json = room_list(&vec![summary; 250]);
        assert_eq!(json["rooms"].as_array().unwrap().len(), 100);
        assert_eq!(json["rooms_total"], 250);
        assert_eq!(json["rooms"][0]["active_turn"], "@Alice");
    }
}
