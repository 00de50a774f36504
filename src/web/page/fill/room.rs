//! Where rooms stand, and what a person can do with them.

use chrono::{DateTime, Utc};

use super::inbox::texts;
use super::words::Names;
use crate::hub::{Item, Member, RoomState, RoomSummary};
use crate::room::{Handle, Status as Presence};
use crate::web::page::view::{
    Addressees, Composer, Controls, Floor, Hint, Moment, People, Person, RoomRow, Rooms, Stage, Status,
    Unverified,
};

/// So many rooms are listed.
const LISTED: usize = 100;
/// So many of a queue are named.
const QUEUED: usize = 12;

/// The list of rooms.
pub(in crate::web::page) fn rooms(rooms: &[RoomSummary], items: &[Item], now: DateTime<Utc>) -> Rooms {
    rooms_after(None, rooms, items, now)
}

/// The list of rooms, after this one.
pub(in crate::web::page) fn rooms_after(
    known: Option<&str>,
    rooms: &[RoomSummary],
    items: &[Item],
    now: DateTime<Utc>,
) -> Rooms {
    let mut sorted: Vec<_> = rooms.iter().collect();
    sorted.sort_by_key(|room| (room.is_over(), std::cmp::Reverse(room.last_activity)));
    let place = known.and_then(|known| sorted.iter().position(|room| room.room == known));
    let rest = &sorted[place.map_or(0, |place| place + 1)..];
    let row = |room: &&RoomSummary| RoomRow {
        room: room.room.clone(),
        topic: room.topic.clone(),
        stage: stage(room.phase),
        floor: room.active_turn.as_ref().map(|holder| {
            let since = room.turn_since.unwrap_or(room.last_activity);
            (holder.to_string(), Moment::lasting(since, now))
        }),
        last_seq: room.last_seq_id,
        waiting: items.iter().filter(|item| item.room == room.room).count(),
        messages: room.message_count,
        last: Moment::ago(room.last_activity, now),
    };
    Rooms {
        rows: rest.iter().take(LISTED).map(row).collect(),
        more: rest.len().saturating_sub(LISTED),
        is_first: place.is_none(),
    }
}

fn stage(phase: &str) -> Stage {
    match phase {
        "gathering" => Stage::Gathering,
        "paused" => Stage::Paused,
        "closed" | "damaged" => Stage::Closed,
        _ => Stage::Open,
    }
}

/// Where a room stands.
pub(in crate::web::page) fn status(state: &RoomState, names: &Names, now: DateTime<Utc>) -> Status {
    let mut queue = texts(&state.turn_queue);
    if queue.len() > QUEUED {
        let more = queue.split_off(QUEUED).len();
        queue.push(format!("{more} more"));
    }
    Status {
        stage: stage(state.phase),
        floor: state.active_turn.as_ref().map(|holder| Floor {
            name: names.name(holder.as_str()),
            since: Moment::lasting(state.turn_since.unwrap_or(state.last_activity), now),
            lease: state.turn_until.map(|until| Moment::left(until, now)),
        }),
        queue,
        missing: missing(state),
        paused: state.pause.as_ref().map(|pause| pause.reason.sentence()),
    }
}

fn missing(state: &RoomState) -> Vec<String> {
    let missing = state.participants.iter().filter(|member| member.status == Presence::Expected);
    missing.map(|member| member.handle.to_string()).collect()
}

/// Who is in a room.
pub(in crate::web::page) fn people(state: &RoomState, names: &Names, now: DateTime<Utc>) -> People {
    let is_over = state.phase == "closed";
    let person = |member: &Member| {
        let has_floor = state.active_turn.as_ref() == Some(&member.handle);
        Person {
            name: names.name(member.handle.as_str()),
            full_name: member.name.clone(),
            // When all is over, nobody waits for anybody.
            state: if is_over { "" } else { word(member, has_floor) }.to_owned(),
            since: state
                .turn_since
                .filter(|_| has_floor && !member.is_human && !member.is_waiting)
                .map(|since| Moment::lasting(since, now)),
            unread: if member.is_human { 0 } else { member.unread },
            has_floor,
        }
    };
    People { people: state.participants.iter().map(person).collect() }
}

fn word(member: &Member, has_floor: bool) -> &'static str {
    match member.status {
        Presence::Left => "has left",
        _ if member.handle == Handle::user() => "you",
        _ if member.is_human => "a person",
        Presence::Expected => "has not joined",
        Presence::Away => "away",
        Presence::Active if member.is_waiting => "listening",
        Presence::Active if has_floor => "working",
        Presence::Active => "not listening",
    }
}

/// What a person can do with a room.
pub(in crate::web::page) fn controls(state: &RoomState, token: &str) -> Controls {
    let agents = || state.participants.iter().filter(|member| !member.is_human);
    let is_open = state.phase == "open";
    let may_act = state.phase != "closed";
    let handles = |wanted: &dyn Fn(&Member) -> bool| -> Vec<String> {
        let wanted = agents().filter(|member| may_act && wanted(member));
        wanted.map(|member| member.handle.to_string()).collect()
    };
    let holder = state.active_turn.as_ref().filter(|_| is_open);
    Controls {
        room: state.room.clone(),
        token: token.to_owned(),
        person: person(state).to_string(),
        holder: holder.map(ToString::to_string),
        give_to: handles(&|member| member.status != Presence::Left && holder != Some(&member.handle)),
        can_pause: is_open,
        can_resume: state.phase == "paused",
        can_start: state.phase == "gathering",
        removable: handles(&|member| member.status != Presence::Left),
        can_close: may_act,
    }
}

/// Where a person speaks; nowhere in a room that is over.
pub(in crate::web::page) fn composer(state: &RoomState, token: &str) -> Option<Composer> {
    if state.phase == "closed" {
        return None;
    }
    let humans = state.participants.iter().filter(|member| member.is_human);
    let mut speakers: Vec<String> = humans.map(|member| member.handle.to_string()).collect();
    if !speakers.contains(&Handle::user().to_string()) {
        speakers.insert(0, Handle::user().to_string());
    }
    Some(Composer {
        room: state.room.clone(),
        token: token.to_owned(),
        speakers,
        addressees: addressees(state),
        reply_to: None,
        hint: hint(state),
        unverified: Unverified { is_strict: state.policy.humans_verified_only },
        request_id: String::new(),
        draft: String::new(),
    })
}

/// Whom a person may address.
pub(in crate::web::page) fn addressees(state: &RoomState) -> Addressees {
    let others =
        state.participants.iter().filter(|member| member.status != Presence::Left && !member.is_human);
    Addressees { handles: others.map(|member| member.handle.to_string()).collect() }
}

/// What speaking does to the turns.
pub(in crate::web::page) fn hint(state: &RoomState) -> Hint {
    let is_persons =
        |holder: &Handle| state.participants.iter().any(|member| member.handle == *holder && member.is_human);
    let sentence = match (state.phase, &state.active_turn) {
        ("gathering", _) => "What you say opens the room, without those missing.".to_owned(),
        ("paused", _) => "What you say ends the pause.".to_owned(),
        (_, Some(holder)) if !is_persons(holder) && *holder != Handle::user() => {
            format!("{holder} keeps the floor; those you name come after those who wait already.")
        }
        _ => "Those you name get a turn, in this order.".to_owned(),
    };
    Hint { sentence }
}

/// The person who acts on this page.
fn person(state: &RoomState) -> Handle {
    let humans = || state.participants.iter().filter(|member| member.is_human);
    let is_user = |member: &&Member| member.handle == Handle::user();
    let found = humans().find(is_user).or_else(|| humans().next());
    found.map_or_else(Handle::user, |member| member.handle.clone())
}
