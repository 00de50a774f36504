//! What waits for people.

use chrono::{DateTime, Utc};

use super::words::Names;
use crate::hub::{self, Item};
use crate::room::{Act, Handle};
use crate::web::page::view::{self, Elsewhere, Html, Inbox, Moment, Name, Remedy, Want};

/// What waits in all rooms.
pub(in crate::web::page) fn inbox_of_all(items: &[Item], token: &str, now: DateTime<Utc>) -> Inbox {
    let items = items.iter().map(|item| card(item, token, now, false)).collect();
    Inbox { items, elsewhere: Vec::new(), is_of_room: false }
}

/// What waits in one room, and elsewhere.
pub(in crate::web::page) fn inbox_of_room(
    items: &[Item],
    room: &str,
    names: &Names,
    token: &str,
    now: DateTime<Utc>,
) -> Inbox {
    let (here, elsewhere): (Vec<_>, Vec<_>) = items.iter().partition(|item| item.room == room);
    let card_of_room = |item: &Item| {
        let mut card = card(item, token, now, true);
        if let Want::Question { asker, .. } = &mut card.want {
            *asker = names.name(&asker.handle);
        }
        card
    };
    let items = here.into_iter().map(card_of_room).collect();
    let elsewhere = elsewhere.into_iter().map(|item| Elsewhere {
        id: item.id.clone(),
        room: item.room.clone(),
        title: item.title(),
    });
    Inbox { items, elsewhere: elsewhere.collect(), is_of_room: true }
}

fn card(item: &Item, token: &str, now: DateTime<Utc>, is_of_room: bool) -> view::Item {
    view::Item {
        id: item.id.clone(),
        room: item.room.clone(),
        topic: item.topic.clone(),
        to: item.to.to_string(),
        since: Moment::ago(item.since, now),
        title: item.title(),
        command: item.command(),
        want: want(item),
        is_of_room,
        token: token.to_owned(),
    }
}

fn want(item: &Item) -> Want {
    match &item.want {
        hub::Want::Question { seq, asker, text, choices, is_private } => Want::Question {
            seq: *seq,
            asker: Name::agent(asker.as_str(), look(asker)),
            words: Html::of_markdown(text),
            choices: choices.clone(),
            is_private: *is_private,
        },
        hub::Want::Barrier { missing } => Want::Barrier { missing: texts(missing) },
        hub::Want::Paused { .. } => Want::Paused { reason: item.body() },
        hub::Want::Stuck { waiting, act } => {
            Want::Stuck { waiting: texts(waiting), remedy: Some(remedy(act)) }
        }
        hub::Want::Undelivered { handle } => Want::Undelivered { handle: handle.to_string() },
        hub::Want::NoteUnwritten { problem } => Want::NoteUnwritten { problem: problem.clone() },
    }
}

fn remedy(act: &Act) -> Remedy {
    match act {
        Act::Start => Remedy::Start,
        Act::Resume => Remedy::Resume,
        Act::Say { to, .. } => Remedy::Say(texts(to)),
        Act::Pass { .. } => Remedy::Pass,
        Act::Close { .. } => Remedy::Close,
    }
}

/// The same look for a handle wherever no room tells its place.
fn look(handle: &Handle) -> usize {
    handle.key().bytes().map(usize::from).sum()
}

pub(super) fn texts(handles: &[Handle]) -> Vec<String> {
    handles.iter().map(ToString::to_string).collect()
}
