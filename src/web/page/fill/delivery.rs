//! What became of the newest messages, in words: each of them something that the hub knows.

use std::collections::BTreeMap;

use crate::hub::{Member, RoomState};
use crate::room::{Message, Status};

/// Of so many of the newest entries it is told.
const NEWEST: usize = 20;
/// So many recipients are named; the others are counted.
const NAMED: usize = 4;

/// The words for each of the newest messages that address somebody, by their numbers; none when all is over.
pub(in crate::web::page) fn delivery<'m>(
    state: &RoomState,
    newest: impl DoubleEndedIterator<Item = &'m Message>,
) -> BTreeMap<u64, String> {
    if state.phase == "closed" {
        return BTreeMap::new();
    }
    let told = newest.rev().take(NEWEST).filter(|said| !said.is_notice() && !said.recipients.is_empty());
    told.filter_map(|said| Some((said.seq_id, words(state, said)?))).collect()
}

fn words(state: &RoomState, said: &Message) -> Option<String> {
    let recipients = said.recipients.iter();
    let agents = recipients.filter_map(|handle| {
        state.participants.iter().find(|member| member.handle == *handle && !member.is_human)
    });
    let mut parts: Vec<String> =
        agents.clone().take(NAMED).map(|member| of(state, member, said.seq_id)).collect();
    let more = agents.skip(NAMED);
    let (all, read) = more.fold((0, 0), |(all, read), member| {
        (all + 1, read + usize::from(member.last_read_seq_id >= said.seq_id))
    });
    if all > 0 {
        parts.push(format!("{all} more, {read} have read it"));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn of(state: &RoomState, member: &Member, seq: u64) -> String {
    let handle = &member.handle;
    let has_turn = state.active_turn.as_ref() == Some(handle);
    match member.status {
        Status::Left => format!("{handle} has left"),
        _ if member.last_read_seq_id >= seq && has_turn && !member.is_waiting => {
            format!("{handle} is working on it")
        }
        _ if member.last_read_seq_id >= seq => format!("read by {handle}"),
        Status::Expected => format!("stored, {handle} has not joined"),
        Status::Away => format!("stored, {handle} is away"),
        Status::Active if member.last_given_seq_id >= seq && has_turn => {
            format!("given to {handle}, which works")
        }
        Status::Active if member.last_given_seq_id >= seq => format!("given to {handle}"),
        Status::Active if member.is_waiting => format!("{handle} is listening"),
        Status::Active => format!("queued, {handle} is not listening"),
    }
}
