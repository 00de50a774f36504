//! Puzzles and what has happened to them, as JSON.

use serde_json::{Map, Value, json};

use super::next::{after_refusal, next};
use super::uri::document_uri;
use crate::hub::{DamagedPuzzle, Happened, HubError, PuzzleState};
use crate::puzzle::event::{Added, Given, Moved, Refused};
use crate::puzzle::{Event, Finding, Pending, Refusal, Waiting, Warning};
use crate::room::Handle;
use crate::tools::message::time;

/// What every answer about a puzzle carries.
pub(super) fn brief(of: &PuzzleState) -> Value {
    let snapshot = &of.snapshot;
    json!({
        "currentState": snapshot.current_state,
        "availableActions": snapshot.available_actions,
        "version": snapshot.version,
    })
}

/// The same, for a call that has changed something.
pub(super) fn success(of: &PuzzleState) -> Value {
    let mut json = brief(of);
    json["success"] = true.into();
    json["next"] = next(of).into();
    json
}

/// How a puzzle stands, and what to do now.
pub(super) fn state_and_next(of: &PuzzleState) -> Value {
    let mut json = state(of);
    json["next"] = next(of).into();
    json
}

/// How a puzzle stands.
pub(crate) fn state(of: &PuzzleState) -> Value {
    let snapshot = &of.snapshot;
    let mut json = brief(of);
    json["puzzleId"] = json!(of.puzzle);
    json["name"] = json!(snapshot.name);
    json["since"] = time(snapshot.since);
    json["isFinal"] = json!(snapshot.is_final);
    json["pending"] = snapshot.pending.iter().map(waiting).collect();
    json["who"] = json!(of.who);
    put(&mut json, "due", of.due.map(time));
    if !of.context.is_empty() {
        put_readable_context(&mut json, &of.context);
    }
    if let Some(description) = &of.description {
        json["description"] = json!(description);
    }
    if of.has_resource {
        json["resource"] = json!(document_uri(&of.puzzle, &snapshot.current_state));
    }
    if let Some(room) = &of.room {
        json["room"] = json!(room);
    }
    json
}

/// A context that is longer than this would fill every answer.
const CONTEXT_BYTES: usize = 16 << 10;

/// The context, or how long it is.
fn put_readable_context(json: &mut Value, context: &Map<String, Value>) {
    let bytes = serde_json::to_string(context).map_or(usize::MAX, |text| text.len());
    if bytes <= CONTEXT_BYTES {
        json["context"] = json!(context);
    } else {
        json["contextBytes"] = bytes.into();
    }
}

/// How a puzzle stands, for a list.
pub(super) fn listed(of: &PuzzleState) -> Value {
    let mut json = brief(of);
    json["puzzleId"] = json!(of.puzzle);
    json["name"] = json!(of.snapshot.name);
    json["since"] = time(of.snapshot.since);
    json["isFinal"] = json!(of.snapshot.is_final);
    if !of.snapshot.pending.is_empty() {
        json["pending"] = json!(of.snapshot.pending.len());
    }
    json
}

/// A puzzle that cannot be read, for a list.
pub(super) fn damaged(of: &DamagedPuzzle) -> Value {
    json!({ "puzzleId": of.puzzle, "problem": of.problem })
}

fn waiting(waiting: &Waiting) -> Value {
    let mut json = json!({
        "guardId": waiting.guard_id,
        "action": waiting.action,
        "asks": waiting.asks,
        "question": waiting.question,
        "since": time(waiting.since),
    });
    put(&mut json, "actor", waiting.actor.as_ref());
    put(&mut json, "expires", waiting.expires.map(time));
    if waiting.asks.is_empty() {
        json["next"] = json!("all have agreed; whoever acts has to act once more");
    }
    json
}

/// What an action waits for.
pub(super) fn asked(pending: &Pending) -> Value {
    let mut json = json!({ "guardId": pending.id, "asks": pending.open_to(), "question": pending.question });
    put(&mut json, "expires", pending.expires.map(time));
    json
}

pub(super) fn warning(warning: &Warning) -> Value {
    json!({ "path": warning.path, "problem": warning.problem })
}

/// Puts beside an error what a caller of a puzzle needs: every fault with its place, and how the puzzle stands now.
pub(in crate::tools) fn put_refusal(json: &mut Value, error: &HubError) {
    let HubError::Puzzle { refusal, state } = error else { return };
    put_failure(json);
    if let Refusal::Invalid(faults) | Refusal::LimitExceeded(faults) = refusal {
        let faults = faults.iter().take(FAULTS);
        json["error"]["faults"] =
            faults.map(|fault| json!({ "path": fault.path, "problem": fault.problem })).collect();
    }
    if let Some(state) = state {
        if let Some(next) = after_refusal(refusal, state) {
            json["error"]["next"] = next.into();
        }
        if let (Value::Object(json), Value::Object(state)) = (json, brief(state)) {
            json.extend(state);
        }
    }
}

/// Says of every call of a puzzle that came to nothing that it did, and why.
pub(in crate::tools) fn put_failure(json: &mut Value) {
    json["success"] = false.into();
    json["reason"] = json["error"]["message"].clone();
}

/// So many faults are told one by one.
const FAULTS: usize = 100;

/// Something that has happened.
pub(super) fn event(happened: &Happened) -> Value {
    let mut json = json!({ "version": happened.version, "at": time(happened.event.at()) });
    let Value::Object(what) = (match &happened.event {
        Event::PuzzleAdded(added) => of_added(added),
        Event::GuardAsked { pending } => of_asked(pending),
        Event::VerdictGiven(given) => of_given(given),
        Event::ActionRefused(refused) => of_refused(refused),
        Event::PuzzleMoved(moved) => of_moved(moved),
        Event::PuzzleRemoved { by, .. } => of_removed(by.as_ref()),
    }) else {
        return json;
    };
    if let Value::Object(json) = &mut json {
        json.extend(what);
    }
    json
}

fn of_added(added: &Added) -> Value {
    let to = added.through.last().map(|step| step.to.as_str());
    let mut json = json!({ "what": "added", "name": added.about.name, "to": to });
    put(&mut json, "actor", added.about.by.as_ref());
    put_context(&mut json, &added.set);
    json
}

fn of_asked(pending: &Pending) -> Value {
    let mut json = json!({
        "what": "asked",
        "guardId": pending.id,
        "guard": pending.guard,
        "action": pending.cause.name(),
        "asks": pending.asks,
        "question": pending.question,
        "from": pending.state,
        "to": pending.target,
    });
    put(&mut json, "actor", pending.actor.as_ref());
    put(&mut json, "quorum", pending.quorum);
    put(&mut json, "expires", pending.expires.map(time));
    json
}

fn of_given(given: &Given) -> Value {
    let mut json = json!({
        "what": "answered",
        "guardId": given.guard,
        "actor": given.by,
        "verdict": verdict(given.pass),
        "verified": given.verified,
    });
    put(&mut json, "reason", given.reason.as_ref());
    json
}

fn of_refused(refused: &Refused) -> Value {
    let mut json = json!({
        "what": "refused",
        "action": refused.cause.name(),
        "guard": refused.guard,
        "reason": refused.why,
    });
    put(&mut json, "actor", refused.actor.as_ref());
    put(&mut json, "guardId", refused.pending.as_ref());
    put(&mut json, "by", refused.by.as_ref());
    json
}

fn of_moved(moved: &Moved) -> Value {
    let mut json = json!({
        "what": "moved",
        "action": moved.cause.name(),
        "from": moved.from,
        "to": moved.to,
        "verdicts": moved.verdicts.iter().map(finding).collect::<Vec<_>>(),
        "unguarded": moved.unguarded,
    });
    put(&mut json, "actor", moved.actor.as_ref());
    put_context(&mut json, &moved.set);
    json
}

fn of_removed(by: Option<&Handle>) -> Value {
    let mut json = json!({ "what": "removed" });
    put(&mut json, "actor", by);
    json
}

fn finding(finding: &Finding) -> Value {
    let mut json = json!({
        "guard": finding.guard,
        "asked": finding.asked,
        "verdict": verdict(finding.pass),
        "verified": finding.verified,
        "at": time(finding.at),
    });
    put(&mut json, "by", finding.by.as_ref());
    put(&mut json, "reason", finding.reason.as_ref());
    json
}

fn verdict(pass: bool) -> &'static str {
    if pass { "pass" } else { "refuse" }
}

fn put(json: &mut Value, field: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        json[field] = json!(value);
    }
}

fn put_context(json: &mut Value, set: &Map<String, Value>) {
    if !set.is_empty() {
        json["set"] = json!(set);
    }
}
