//! What waits for people, as JSON: for the terminal. Agents have no inbox.

use serde_json::{Value, json};

use super::message::{message, put_handles, time};
use crate::hub::{Item, Page, Want};
use crate::room::Stranded;
use crate::task::Proposal;

/// The items, the oldest first. `revision` is another one when anything has changed.
pub(crate) fn inbox(items: &[Item]) -> Value {
    let items: Vec<Value> = items.iter().map(item).collect();
    json!({ "revision": revision(&items), "items": items })
}

/// What was said in a room, for a person: how each message came stands with it.
pub(crate) fn said(page: &Page) -> Value {
    let messages = page.messages.iter().map(|said| {
        let mut json = message(said);
        json["via"] = json!(said.via);
        json
    });
    json!({
        "room": page.room,
        "messages": messages.collect::<Vec<_>>(),
        "last_seq_id": page.last_seq_id,
        "more": page.more,
    })
}

fn item(item: &Item) -> Value {
    let mut json = json!({
        "id": item.id,
        "room": item.room,
        "topic": item.topic,
        "to": item.to,
        "since": time(item.since),
        "kind": item.want.kind(),
        "title": item.title(),
        "body": item.body(),
        "command": item.command(),
    });
    put_want(&mut json, &item.want);
    json
}

/// What only one kind of item has.
fn put_want(json: &mut Value, want: &Want) {
    match want {
        Want::Question { seq, asker, choices, is_private, .. } => {
            json["seq_id"] = (*seq).into();
            json["asker"] = asker.as_str().into();
            json["choices"] = json!(choices);
            json["is_private"] = (*is_private).into();
        }
        Want::Barrier { missing } => put_handles(json, "missing", missing),
        Want::Stuck { waiting, .. } => put_handles(json, "waiting", waiting),
        Want::Undelivered { handle } => json["handle"] = handle.as_str().into(),
        Want::Stranded(stranded) => put_stranded(json, stranded),
        Want::Decision { task, version, proposals, .. } => {
            json["task_id"] = task.as_str().into();
            json["version"] = (*version).into();
            put_proposal(json, proposals.last());
        }
        Want::Attention { task, version, .. } => {
            json["task_id"] = task.as_str().into();
            json["version"] = (*version).into();
        }
        Want::TaskTurn { task, role, handle, .. }
        | Want::StartFailed { task, role, handle, .. }
        | Want::WentRound { task, role, handle, .. }
        | Want::RunsOn { task, role, handle, .. }
        | Want::Stalled { task, role, handle, .. }
        | Want::Blocked { task, role, handle, .. }
        | Want::Stopped { task, role, handle, .. } => {
            json["task_id"] = task.as_str().into();
            json["role"] = role.as_str().into();
            json["handle"] = handle.as_str().into();
        }
        Want::TaskDamaged { task, .. } => json["task_id"] = task.as_str().into(),
        Want::PuzzleDamaged { puzzle, .. } => json["puzzle_id"] = puzzle.as_str().into(),
        Want::Settings(fault) => {
            json["file"] = json!(fault.file);
            json["line"] = json!(fault.line);
        }
        Want::Guard { puzzle, guard, action, actor, .. } => {
            json["puzzle_id"] = puzzle.as_str().into();
            json["guard_id"] = guard.as_str().into();
            json["action"] = action.as_str().into();
            if let Some(actor) = actor {
                json["actor"] = actor.as_str().into();
            }
        }
        Want::Paused { .. } | Want::NoteUnwritten { .. } => {}
    }
}

fn put_stranded(json: &mut Value, stranded: &Stranded) {
    json["puzzle_id"] = stranded.puzzle.as_str().into();
    put_handles(json, "handles", &stranded.handles);
}

fn put_proposal(json: &mut Value, proposal: Option<&Proposal>) {
    let Some(Proposal { decision, by, reason, .. }) = proposal else { return };
    json["proposed"] = json!({ "decision": decision.as_str(), "by": by });
    if let Some(reason) = reason {
        json["proposed"]["reason"] = reason.as_str().into();
    }
}

/// A mark of what a list holds.
fn revision(items: &[Value]) -> String {
    let ids: Vec<String> = items.iter().map(|item| format!("{} {}", item["id"], item["body"])).collect();
    format!("{:016x}", fnv(ids.join("\n").as_bytes()))
}

/// FNV-1a: the same on every machine and in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
