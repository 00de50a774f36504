//! What waits for people.

use chrono::{DateTime, Utc};

use super::agent;
use super::words::{Names, beginning, own_look};
use crate::hub::{self, Item};
use crate::room::{Act, Handle};
use crate::task::Status;
use crate::transcript::one_line;
use crate::web::page::puzzle_path;
use crate::web::page::view::{self, Elsewhere, Html, Inbox, Moment, Name, Remedy, Want};

/// So many cards are shown, and so many titles of other rooms. The oldest come first: whoever settles them sees the
/// next ones.
const CARDS: usize = 50;

/// What waits in all rooms.
pub(in crate::web::page) fn inbox_of_all(items: &[Item], token: &str, now: DateTime<Utc>) -> Inbox {
    let more = items.len().saturating_sub(CARDS);
    let items = items.iter().take(CARDS).map(|item| card(item, None, token, now)).collect();
    Inbox { items, more, ..Inbox::default() }
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
    let more = here.len().saturating_sub(CARDS);
    let more_elsewhere = elsewhere.len().saturating_sub(CARDS);
    let items = here.into_iter().take(CARDS).map(|item| card(item, Some(names), token, now)).collect();
    let elsewhere = elsewhere.into_iter().take(CARDS).map(|item| Elsewhere {
        id: item.id.clone(),
        room: item.room.clone(),
        title: one_line(&item.title()),
    });
    Inbox { items, more, elsewhere: elsewhere.collect(), more_elsewhere, is_of_room: true }
}

/// With `names` it stands on the page of its room.
fn card(item: &Item, names: Option<&Names>, token: &str, now: DateTime<Utc>) -> view::Item {
    view::Item {
        id: item.id.clone(),
        room: item.room.clone(),
        topic: one_line(&item.topic),
        to: item.to.to_string(),
        since: Moment::ago(item.since, now),
        title: one_line(&item.title()),
        command: item.command(),
        want: want(item, names, token),
        is_of_room: names.is_some(),
        token: token.to_owned(),
    }
}

fn want(item: &Item, names: Option<&Names>, token: &str) -> Want {
    match &item.want {
        hub::Want::Question { seq, asker, text, choices, is_private } => {
            let (asker, words, is_cut) = question(asker, text, names);
            let (choices, is_private) = (choices.clone(), *is_private);
            Want::Question { seq: *seq, asker, words, is_cut, choices, is_private }
        }
        hub::Want::Barrier { missing } => Want::Barrier { missing: texts(missing) },
        hub::Want::Paused { .. } => Want::Paused { reason: item.body() },
        hub::Want::Stuck { waiting, act } => Want::Stuck { waiting: texts(waiting), remedy: remedy(act) },
        hub::Want::Undelivered { handle } => Want::Undelivered { handle: handle.to_string() },
        hub::Want::Decision { task, version, status, .. } => Want::Decision {
            task: task.clone(),
            version: *version,
            sentence: one_line(&[vec![format!("{}.", item.topic)], item.about_decision()].concat().join(" ")),
            is_at_gate: *status == Status::PendingApproval,
            is_approved: *status == Status::Approved,
        },
        hub::Want::Attention { task, version, .. } => Want::Attention {
            task: task.clone(),
            version: *version,
            warnings: item.body().lines().map(str::to_owned).collect(),
        },
        hub::Want::TaskTurn { task, .. }
        | hub::Want::StartFailed { task, .. }
        | hub::Want::WentRound { task, .. }
        | hub::Want::RunsOn { task, .. }
        | hub::Want::Stalled { task, .. }
        | hub::Want::Blocked { task, .. }
        | hub::Want::Stopped { task, .. }
        | hub::Want::TaskDamaged { task, .. } => {
            let (words, start) = (agent::words(item), agent::button(item, token));
            Want::Turn { task: task.clone(), words, start }
        }
        hub::Want::Guard { puzzle, guard, question, state, target, .. } => Want::Guard {
            path: puzzle_path(puzzle),
            puzzle: puzzle.clone(),
            guard: guard.clone(),
            words: Html::of_markdown(beginning(question)),
            way: format!("{} → {}", one_line(state), one_line(target)),
        },
        hub::Want::NoteUnwritten { problem } => Want::NoteUnwritten { problem: problem.clone() },
        hub::Want::PuzzleDamaged { .. } | hub::Want::Stranded(_) | hub::Want::Settings(_) => {
            Want::Told { sentence: one_line(&item.body()) }
        }
    }
}

/// A question, in the words of who asks.
fn question(asker: &Handle, text: &str, names: Option<&Names>) -> (Name, Html, bool) {
    let unknown = || Name::agent(asker.as_str(), own_look(asker));
    let asker = names.map_or_else(unknown, |names| names.name(asker.as_str()));
    (asker, Html::of_markdown(beginning(text)), beginning(text).len() < text.len())
}

fn remedy(act: &Act) -> Option<Remedy> {
    Some(match act {
        // Its page is the place for that.
        Act::See { .. } => return None,
        Act::Start => Remedy::Start,
        Act::Resume => Remedy::Resume,
        Act::Say { to, .. } => Remedy::Say(texts(to)),
        Act::Pass { .. } => Remedy::Pass,
        Act::Close { .. } => Remedy::Close,
    })
}

pub(super) fn texts(handles: &[Handle]) -> Vec<String> {
    handles.iter().map(ToString::to_string).collect()
}
