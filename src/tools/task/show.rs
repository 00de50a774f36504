//! Tasks and records as JSON.

use serde_json::{Map, Value, json};

use crate::hub::TaskState;
use crate::task::{Record, Reported, Standing, Status, WaitingFor, Warning};
use crate::tools::message::time;

/// So many warnings are shown: the newest.
const MAX_WARNINGS: usize = 20;

/// What every answer about a task carries.
pub(super) fn state(state: &TaskState) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("task_id", json!(state.task));
    if let Some(status) = state.status {
        put("status", json!(status.as_str()));
    } else {
        put("scope", json!("project"));
    }
    put("version", json!(state.version));
    if let Some(waiting_for) = state.waiting_for {
        put("waiting_for", json!(waiting_for.to_string()));
        put("needs_attention", json!(state.needs_attention()));
        let more = state.warnings.len().saturating_sub(MAX_WARNINGS);
        put("warnings", state.warnings[more..].iter().map(warning).collect());
        if more > 0 {
            put("older_warnings", json!(more));
        }
    }
    if let Some(proposal) = state.proposal() {
        let (decision, by) = (proposal.decision.as_str(), &proposal.by);
        put("proposed", json!({ "decision": decision, "by": by, "version": proposal.version }));
    }
    put("next", json!(next(state)));
    fields
}

/// The same, with what was told of the task when it was made.
pub(super) fn whole(of: &TaskState) -> Map<String, Value> {
    let mut fields = brief(of);
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("description", json!(of.description));
    put("creator", json!(of.creator));
    put("gate", json!(of.gate));
    if !of.cast.is_empty() {
        put("cast", json!(of.cast));
    }
    if let Some(told) = &of.reported {
        put("reported", reported(told));
    }
    fields
}

/// What the agent whose turn it is has told last.
fn reported(told: &Reported) -> Value {
    let mut json = json!({
        "activity": told.activity.as_str(),
        "role": told.role.as_str(),
        "handle": told.handle.as_str(),
        "at": time(told.at),
    });
    if let Some(reason) = &told.reason {
        json["reason"] = json!(reason);
    }
    json
}

/// The same, for a list.
pub(super) fn brief(of: &TaskState) -> Map<String, Value> {
    let mut fields = state(of);
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("title", json!(of.title));
    if let Some(flow) = of.flow {
        put("flow", json!(flow));
    }
    if let Some(room) = &of.room {
        put("room", json!(room));
    }
    put("since", json!(time(of.since)));
    put("last_activity", json!(time(of.last_activity)));
    fields
}

fn warning(warning: &Warning) -> Value {
    json!({ "version": warning.version, "code": warning.code.as_str(), "message": warning.code.message() })
}

pub(super) fn record(record: &Record) -> Value {
    let mut json = json!({
        "version": record.version,
        "role": record.role,
        "content_type": record.content_type,
        "timestamp": time(record.at),
        "payload": record.payload,
    });
    if let Some(agent) = &record.agent {
        json["agent"] = json!(agent);
    }
    if let Some(model) = &record.model {
        json["model"] = json!(model);
    }
    match &record.standing {
        Standing::Plain => {}
        Standing::Verified(person) => json["verified_by"] = json!(person),
        Standing::Proposed => json["unverified"] = json!(true),
    }
    json
}

/// What to do now, for a language model.
fn next(of: &TaskState) -> &'static str {
    match (of.status, of.waiting_for) {
        (None, _) => "publish notes and decisions of the whole project here; read them before a task",
        (Some(Status::Closed), _) => "the task is over",
        _ if of.proposal().is_some() => "a person must confirm the proposed decision; call context_wait",
        (_, Some(WaitingFor::Agent(_))) => {
            "if that role is yours, read the log and publish; else call context_wait"
        }
        _ if of.needs_attention() => {
            "a person must look at the warnings and publish a note with ack: true; call context_wait"
        }
        (Some(Status::Approved), _) => "a person closes the task; call context_wait",
        _ => "a person decides; call context_wait",
    }
}
