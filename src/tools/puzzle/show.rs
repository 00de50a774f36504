//! Puzzles and what has happened to them, as JSON.

use serde_json::{Map, Value, json};

use super::next::{after_refusal, agreed, next};
use super::uri::document_uri;
use crate::hub::{Calls, DamagedPuzzle, Happened, HubError, PuzzleState};
use crate::puzzle::event::{Added, Given, Microstep, Moved, Refused, between};
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
    json["pending"] = snapshot.pending.iter().map(|one| waiting(of, one)).collect();
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
    if let Some(room) = of.room.as_ref().filter(|room| room.calls != Calls::Deleted) {
        json["room"] = json!(room.id);
    }
    put(&mut json, "fault", snapshot.fault.as_ref());
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

fn waiting(of: &PuzzleState, waiting: &Waiting) -> Value {
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
        json["next"] = agreed(of, &waiting.action, waiting.actor.as_ref()).into();
    }
    json
}

/// What an action waits for.
pub(super) fn asked(waiting: &Waiting) -> Value {
    let (guard, asks, question) = (&waiting.guard_id, &waiting.asks, &waiting.question);
    let mut json = json!({ "guardId": guard, "asks": asks, "question": question });
    put(&mut json, "expires", waiting.expires.map(time));
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
        put_brief(json, state);
    }
}

/// Puts how a puzzle stands beside an error.
pub(super) fn put_brief(json: &mut Value, of: &PuzzleState) {
    if let (Value::Object(json), Value::Object(brief)) = (json, brief(of)) {
        json.extend(brief);
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
        Event::RequestJoined(joined) => json!({ "what": "acted_again", "guardId": joined.guard }),
        Event::VerdictGiven(given) => of_given(given),
        Event::GuardsPassed { guard, findings, .. } => {
            json!({ "what": "passed", "guardId": guard, "verdicts": findings.iter().map(finding).collect::<Vec<_>>() })
        }
        Event::ActionRefused(refused) => of_refused(refused),
        Event::PuzzleMoved(moved) => of_moved(moved),
        Event::PuzzleRemoved { by, verified, .. } => of_removed(by.as_ref(), *verified),
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
    put_actor(&mut json, added.about.by.as_ref(), added.about.verified);
    put_through(&mut json, &added.through);
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
    put_actor(&mut json, pending.actor.as_ref(), pending.verified);
    put(&mut json, "quorum", pending.quorum);
    put(&mut json, "expires", pending.expires.map(time));
    json
}

fn of_given(given: &Given) -> Value {
    let mut json = json!({
        "what": "answered",
        "guardId": given.guard,
        "verdict": verdict(given.pass),
    });
    put_actor(&mut json, Some(&given.by), given.verified);
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
    put_actor(&mut json, refused.actor.as_ref(), refused.verified);
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
    put_actor(&mut json, moved.actor.as_ref(), moved.verified);
    put_through(&mut json, &moved.through);
    put_context(&mut json, &moved.set);
    json
}

fn of_removed(by: Option<&Handle>, verified: bool) -> Value {
    let mut json = json!({ "what": "removed" });
    put_actor(&mut json, by, verified);
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

/// Who has done it, and whether a person vouches for that.
fn put_actor(json: &mut Value, actor: Option<&Handle>, verified: bool) {
    if let Some(actor) = actor {
        json["actor"] = json!(actor);
        json["verified"] = verified.into();
    }
}

/// The states between, through which `always` has led.
fn put_through(json: &mut Value, through: &[Microstep]) {
    let between = between(through);
    if !between.is_empty() {
        json["through"] = json!(between);
    }
}

fn put_context(json: &mut Value, set: &Map<String, Value>) {
    if !set.is_empty() {
        json["set"] = json!(set);
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::puzzle::{Act, Add, Doer, Puzzle, Step, add};

    /// Draft, check and review: a person submits, `always` goes on.
    fn played(is_person_verified: bool) -> (Puzzle, Vec<Value>) {
        let at = DateTime::UNIX_EPOCH;
        let config = json!({ "initialState": "begin", "states": {
            "begin": { "always": "draft" },
            "draft": { "actions": { "submit": { "targetState": "check" } } },
            "check": { "always": "review" },
            "review": { "final": true },
        } });
        let user = Handle::user();
        let by = Some(user.clone());
        let (added, _) = add(Add { config, by, is_person_verified, ..Add::default() }, at).unwrap();
        let mut puzzle = Puzzle::default();
        puzzle.apply(&added);
        let act = Act {
            action: "submit".to_owned(),
            actor: Some(user.clone()),
            is_person_verified,
            ..Act::default()
        };
        let Ok(Step::Done(mut events)) = puzzle.act(&act, at) else { panic!("it is done") };
        events.push(puzzle.remove(Doer { handle: Some(&user), is_person_verified }, at).unwrap());
        events.insert(0, added);
        events.iter().skip(1).for_each(|event| puzzle.apply(event));
        let told =
            events.into_iter().zip(1..).map(|(event, version)| super::event(&Happened { version, event }));
        (puzzle, told.collect())
    }

    #[test]
    fn the_past_says_who_is_vouched_for_and_which_states_lay_between() {
        for is_verified in [false, true] {
            let (_, told) = played(is_verified);
            for event in &told {
                assert_eq!(
                    (&event["actor"], &event["verified"]),
                    (&json!("@user"), &json!(is_verified)),
                    "{event}"
                );
            }
            assert_eq!(told[0]["through"], json!(["begin"]));
            assert_eq!((&told[1]["to"], &told[1]["through"]), (&json!("review"), &json!(["check"])));
        }
    }
}
