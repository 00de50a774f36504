//! From what is asked to what happens.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::PROJECT;
use super::command::{Create, Publish, Report};
use super::effect::{Effect, effect};
use super::event::{Created, Event};
use super::flow::{Gate, WaitingFor};
use super::record::{Content, Decision, Payload, Record, Standing};
use super::refusal::Refusal;
use super::report::Reported;
use super::state::State;
use crate::room::{imitates, is_blank, is_plain_line, is_unseen, mark, one_line};

/// How many bytes a payload and a description may take in an answer. Together, and with all that is short, they stay
/// under the 1 MiB that official clients read at once.
const MAX_PAYLOAD: usize = 768 << 10;
const MAX_DESCRIPTION: usize = 128 << 10;
/// How many characters a title may have.
const MAX_TITLE: usize = 200;
/// How many characters a role, a type, an agent, a model or an id may have.
const MAX_NAME: usize = 200;

/// Makes a task.
///
/// # Errors
/// A field that is blank or too long.
pub fn open(create: Create, now: DateTime<Utc>) -> Result<Event, Refusal> {
    let mark = mark(&said(&create));
    for (field, text) in
        [("title", &create.title), ("description", &create.description), ("creator", &create.creator)]
    {
        not_blank(field, text)?;
    }
    name("role", &create.role)?;
    // The system itself makes the task of the project.
    if create.task == PROJECT {
        name("creator", &create.creator)?;
    } else {
        who("creator", &create.creator)?;
    }
    if create.title.chars().count() > MAX_TITLE || create.title.contains(['\n', '\r']) {
        let problem =
            format!("it must be one line of at most {MAX_TITLE} characters; put the rest into `description`");
        return Err(Refusal::invalid("title", problem));
    }
    if let Some(id) = &create.request_id {
        name("request_id", id)?;
    }
    within("description", &json!(create.description), create.max_bytes.min(MAX_DESCRIPTION))?;
    let title = one_line(&create.title);
    not_blank("title", &title)?;
    let created = Created {
        task: create.task,
        title,
        description: create.description,
        creator: create.creator,
        role: create.role,
        flow: create.flow,
        cast: create.cast,
        gate: create.gate,
        room: create.room,
        room_stream: create.room_stream,
        has_own_room: create.has_own_room,
        at: now,
        request: create.request_id.map(|id| (id, mark)),
    };
    Ok(Event::TaskCreated(Box::new(created)))
}

/// All that a request to make a task says. The room counts if it was asked for.
fn said(create: &Create) -> Value {
    let Create { title, description, creator, role, cast, flow, gate, .. } = create;
    match create.room.as_ref().filter(|_| !create.has_own_room) {
        None => json!([title, description, creator, role, cast, flow, gate]),
        Some(room) => json!([title, description, creator, role, cast, flow, gate, room]),
    }
}

/// Publishes a record; nothing happens if it was published before.
pub(super) fn publish(state: &State, publish: Publish, now: DateTime<Utc>) -> Result<Vec<Event>, Refusal> {
    check(&publish)?;
    let payload = Payload::new(publish.payload)?;
    let text = match &publish.person {
        None => json!([publish.role, publish.content_type, payload, publish.agent, publish.model]),
        // What a person vouches for is not the same in the mouth of anybody else.
        person => json!([publish.role, publish.content_type, payload, publish.agent, publish.model, person]),
    };
    let request = publish.request_id.map(|id| (id, mark(&text)));
    if let Some((id, mark)) = &request
        && let Some((before, version)) = state.request(id)
    {
        return if before == mark {
            Ok(Vec::new())
        } else {
            Err(Refusal::RequestIdReused { id: id.clone(), what: format!("record {version}") })
        };
    }
    if let Some(expected) = publish.expected_version.filter(|expected| *expected != state.version) {
        return Err(Refusal::VersionConflict { expected, actual: state.version });
    }
    let mut record = Record {
        version: state.version + 1,
        role: publish.role,
        content_type: publish.content_type,
        at: now,
        agent: publish.agent,
        model: publish.model,
        payload,
        standing: publish.person.map_or(Standing::Plain, Standing::Verified),
        request,
    };
    if !counts(state, &record, publish.is_known_person) {
        record.standing = Standing::Proposed;
    }
    if publish.expected_version.is_none() && opens_gate(state, &record) {
        let problem =
            format!("it is missing; say which version you have looked at: it is {} now", state.version);
        return Err(Refusal::invalid("expected_version", problem));
    }
    Ok(vec![Event::RecordPublished(Box::new(record))])
}

/// Takes in what an agent tells of its turn; nothing happens if it has told just that before.
pub(super) fn report(state: &State, report: &Report, now: DateTime<Utc>) -> Result<Vec<Event>, Refusal> {
    if report.role.is_none() && report.handle.is_none() {
        return Err(Refusal::invalid("handle", "it is missing; say who you are, or which role you play"));
    }
    let refusal =
        |whose: String| Refusal::NotYourTurn { task: state.made.task.clone(), who: report.who(), whose };
    let role = match state.waiting_for() {
        Some(WaitingFor::Agent(role)) => role,
        Some(WaitingFor::Human) => return Err(refusal("a person".to_owned())),
        Some(WaitingFor::Nobody) | None => return Err(refusal("nobody".to_owned())),
    };
    let handle = state.made.cast.get(&role).ok_or_else(|| refusal(format!("the {role}")))?;
    let is_role = report.role.is_none_or(|of| of == role);
    if !is_role || report.handle.as_ref().is_some_and(|by| by != handle) {
        return Err(refusal(format!("{handle} ({role})")));
    }
    let reason = report.reason.as_deref().map(one_line).filter(|reason| !reason.is_empty());
    let known = state.report.as_ref();
    if known.is_some_and(|known| (known.activity, &known.reason) == (report.activity, &reason)) {
        return Ok(Vec::new());
    }
    let (activity, handle, turn) = (report.activity, handle.clone(), state.turn);
    Ok(vec![Event::AgentReported(Box::new(Reported { activity, role, handle, turn, reason, at: now }))])
}

/// Whether a record counts: a decision at a gate for people does only if a person vouches for it, who does not approve
/// what is his own work. Of somebody who is known to be a person that is what he has vouched for; of anybody else, what
/// was published in his name, or for his part.
fn counts(state: &State, record: &Record, is_known_person: bool) -> bool {
    if Content::of(&record.content_type) != Some(Content::Decision)
        || state.made.flow.is_none()
        || state.made.gate == Gate::Open
    {
        return true;
    }
    match &record.standing {
        Standing::Verified(person) => {
            let is_own = if is_known_person {
                state.has_vouched_for_work(person)
            } else {
                state.has_worked(person.as_str())
            };
            record.decision() != Decision::Approve || !is_own
        }
        Standing::Plain | Standing::Proposed => false,
    }
}

/// Whether a person decides with it about work: not about what came in after that was looked at.
fn opens_gate(state: &State, record: &Record) -> bool {
    let decides = matches!(record.decision(), Decision::Approve | Decision::Reject);
    let moves = |flow| {
        let status = state.status().unwrap_or_default();
        matches!(effect(flow, status, record.entry()), Effect::To(_))
    };
    let is_vouched_for = matches!(record.standing, Standing::Verified(_));
    is_vouched_for && decides && state.made.gate == Gate::Human && state.made.flow.is_some_and(moves)
}

fn check(publish: &Publish) -> Result<(), Refusal> {
    name("role", &publish.role)?;
    name("content_type", &publish.content_type)?;
    publish.agent.as_deref().map_or(Ok(()), |agent| who("agent", agent))?;
    for (field, text) in [("model", &publish.model), ("request_id", &publish.request_id)] {
        text.as_deref().map_or(Ok(()), |text| name(field, text))?;
    }
    within("payload", &json!(publish.payload), publish.max_bytes.min(MAX_PAYLOAD))
}

/// Counts what a value takes in an answer: JSON, as text within JSON.
fn within(field: &'static str, value: &Value, limit: usize) -> Result<(), Refusal> {
    let bytes = json!(value.to_string()).to_string().len();
    if bytes > limit { Err(Refusal::PayloadTooLarge { field, bytes, limit }) } else { Ok(()) }
}

fn not_blank(field: &'static str, text: &str) -> Result<(), Refusal> {
    if is_blank(text) { Err(Refusal::invalid(field, "it is blank; say something")) } else { Ok(()) }
}

fn name(field: &'static str, text: &str) -> Result<(), Refusal> {
    not_blank(field, text)?;
    if text.chars().count() > MAX_NAME || !is_plain_line(text) || text.chars().any(is_unseen) {
        let problem = format!("it must be one line of at most {MAX_NAME} characters, none of them hidden");
        return Err(Refusal::invalid(field, problem));
    }
    Ok(())
}

/// Who it is: any name, but none that looks like that of the person, or of the system.
fn who(field: &'static str, text: &str) -> Result<(), Refusal> {
    name(field, text)?;
    if imitates(text) {
        let problem = format!("`{text}` can be taken for `@user`, `@system` or `@all`; take another name");
        return Err(Refusal::invalid(field, problem));
    }
    Ok(())
}
