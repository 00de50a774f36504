//! Tasks in words.

use std::iter;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::agent::{self, Agents};
use super::words::own_look;
use crate::hub::{Item, TaskState, is_commit_name};
use crate::room::Handle;
use crate::task::{
    Content, Decision, Flow, Gate, Record, Reported, Role, Standing, Status, WaitingFor, Warning,
};
use crate::transcript::{one_line, plain_text};
use crate::web::page::task_path;
use crate::web::page::view::{
    self, Board, Column, Html, Moment, Name, TaskCard, TaskForms, TaskLine, TasksHere, Tone, Turn, Waiting,
};

/// What a record is known to hold; what else stands in it is shown as it is.
const KNOWN: [&str; 7] = ["summary", "body", "verdict", "decision", "commits", "ref_version", "ack"];
/// So many commits of a record are shown.
const COMMITS: usize = 100;

/// What waits anywhere, for a page that shows none of it.
pub(in crate::web::page) fn waiting(items: &[Item]) -> Waiting {
    Waiting { items: items.iter().map(|item| (item.id.clone(), one_line(&item.title()))).collect() }
}

/// The board of tasks that are not over, with the buttons of the agents that can be started.
pub(in crate::web::page) fn board(
    tasks: &[TaskState],
    (agents, token): (&Agents, &str),
    now: DateTime<Utc>,
) -> Board {
    let card = |task: &&TaskState| {
        let start = agent::button_of(agents, &task.task, token);
        TaskCard { start, ..card(task, now) }
    };
    let column = |status: &Status| {
        let mut here: Vec<_> = tasks.iter().filter(|task| task.status == Some(*status)).collect();
        here.sort_by_key(|task| task.since);
        let tasks = here.iter().map(card).collect();
        Column { id: status.as_str(), status: word(*status), tasks }
    };
    let open = Status::ALL.iter().filter(|status| **status != Status::Closed);
    Board { columns: open.map(column).collect(), has_more: false, has_project: false }
}

/// One task of a list.
pub(in crate::web::page) fn card(task: &TaskState, now: DateTime<Utc>) -> TaskCard {
    let is_over = task.status == Some(Status::Closed);
    TaskCard {
        task: task.task.clone(),
        title: one_line(&task.title),
        turn: turn(task),
        status: task.status.map_or("", word),
        since: if is_over { Moment::ago(task.since, now) } else { Moment::lasting(task.since, now) },
        needs_attention: task.waits_for_a_look(),
        is_proposed: task.proposal().is_some(),
        version: task.version,
        start: None,
    }
}

/// The tasks whose turns are taken in a room. Those that are over give way to those that are not.
pub(in crate::web::page) fn tasks_here(tasks: &[TaskState], now: DateTime<Utc>) -> TasksHere {
    let is_open = |task: &&TaskState| task.status != Some(Status::Closed);
    let mut here: Vec<_> = tasks.iter().filter(is_open).collect();
    if here.is_empty() {
        here.extend(tasks.iter().max_by_key(|task| task.since));
    }
    TasksHere { tasks: here.into_iter().map(|task| card(task, now)).collect() }
}

/// Where a task stands.
pub(in crate::web::page) fn task_line(task: &TaskState, now: DateTime<Utc>) -> TaskLine {
    let is_over = task.status == Some(Status::Closed);
    let wanted = match task.status {
        _ if task.waits_for_a_look() => Some("to look at what did not fit"),
        Some(Status::PendingApproval) => Some("to approve or reject it"),
        Some(Status::Approved) => Some("to close it"),
        _ => None,
    };
    TaskLine {
        status: task.status.map(word),
        since: if is_over { Moment::ago(task.since, now) } else { Moment::lasting(task.since, now) },
        turn: turn(task),
        wanted: wanted.map(str::to_owned),
        told: task.reported.as_ref().map(|reported| (told(reported), Moment::ago(reported.at, now))),
        version: task.version,
        needs_attention: task.waits_for_a_look(),
    }
}

/// What an agent has told of its turn: `blocked: which port?`
fn told(reported: &Reported) -> String {
    let activity = reported.activity.as_str();
    match &reported.reason {
        Some(reason) => format!("{activity}: {}", one_line(reason)),
        None => activity.to_owned(),
    }
}

/// What a person can do with a task, about its records up to `seen`.
pub(in crate::web::page) fn task_forms(
    task: &TaskState,
    seen: u64,
    agents: &Agents,
    token: &str,
) -> TaskForms {
    let is_open = task.status.is_some_and(|status| status != Status::Closed);
    let warnings = task.warnings.iter().filter(|_| is_open);
    TaskForms {
        task: task.task.clone(),
        token: token.to_owned(),
        key: forms_key(task),
        version: seen,
        warnings: warnings.map(|warning| (warning.version, warning.code.message())).collect(),
        agent: agent::told(agents, &task.task, token),
        proposed: task
            .proposals
            .iter()
            .rev()
            .map(|proposal| {
                let decision = proposed(proposal.decision, proposal.decision.as_str());
                (format!("{} {decision}", one_line(&proposal.by)), proposal.version)
            })
            .collect(),
        can_decide: task.status == Some(Status::PendingApproval),
        can_close: is_open,
        is_approved: task.status == Some(Status::Approved),
        reason: String::new(),
    }
}

/// What the forms of a task depend on, beside the version: they are others when this changes.
pub(in crate::web::page) fn forms_key(task: &TaskState) -> String {
    let status = task.status.map_or_else(String::new, |status| status.as_str().to_owned());
    let warnings = task.warnings.iter().map(|warning| format!("warning {}", warning.version));
    let proposals = task.proposals.iter().map(|proposal| format!("proposal {}", proposal.version));
    iter::once(status).chain(warnings).chain(proposals).collect::<Vec<_>>().join(", ")
}

/// Who plays which part.
pub(in crate::web::page) fn cast(task: &TaskState) -> Vec<(&'static str, Name)> {
    let is_played = |role: &Role| *role != Role::Reviewer || task.flow != Some(Flow::Solo);
    let is_played =
        |role: &Role| is_played(role) && (*role != Role::Architect || task.flow != Some(Flow::Direct));
    let played = task.cast.iter().filter(|(role, _)| is_played(role));
    played.map(|(role, handle)| (role.as_str(), name(handle))).collect()
}

/// What a task is called.
pub(in crate::web::page) fn title(task: &TaskState) -> String {
    one_line(&task.title)
}

/// Who wants it.
pub(in crate::web::page) fn creator(task: &TaskState) -> String {
    one_line(&task.creator)
}

/// A record in a few words: `3 review (reviewer)`.
pub(in crate::web::page) fn record_line(record: &Record) -> String {
    format!("record {}, {} of {}", record.version, kind(record).to_lowercase(), one_line(&record.role))
}

/// The way of a task, as a sentence.
pub(in crate::web::page) fn flow(flow: Flow) -> &'static str {
    match flow {
        Flow::Full => "It is designed, implemented, reviewed, and approved.",
        Flow::Direct => "A design exists; it is implemented, reviewed, and approved.",
        Flow::Solo => "It is designed, implemented, and approved; nobody reviews it.",
    }
}

/// Who may decide, as a sentence.
pub(in crate::web::page) fn gate(gate: Gate) -> &'static str {
    match gate {
        Gate::Human => "Only a person decides; what an agent decides is a proposal.",
        Gate::Open => "Anybody may decide, agents too.",
    }
}

/// One record. `warnings` are those of the task that nobody has acknowledged.
pub(in crate::web::page) fn record(task: &str, record: &Record, warnings: &[Warning]) -> view::Record {
    let payload = &record.payload;
    let own = warnings.iter().filter(|warning| warning.version == record.version);
    let rest: Map<_, _> = payload
        .fields()
        .iter()
        .filter(|(name, _)| !KNOWN.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let more = (!rest.is_empty()).then(|| format!("{:#}", Value::Object(rest)));
    let (summary, body) = (one_line(payload.summary()), payload.text("body").unwrap_or_default());
    view::Record {
        version: record.version,
        kind: kind(record),
        agent: record.agent.as_deref().map(writer),
        role: one_line(&record.role),
        model: record.model.as_deref().map(one_line),
        at: Moment::clock(record.at),
        words: (one_line(body) != summary).then(|| Html::of_markdown(body)),
        summary,
        markdown: plain_text(body).into_owned(),
        outcome: outcome(record),
        verified_by: match &record.standing {
            Standing::Verified(person) => Some(person.to_string()),
            Standing::Plain | Standing::Proposed => None,
        },
        is_proposed: record.standing == Standing::Proposed,
        is_unverified: record.is_said_for_person() && record.standing == Standing::Plain,
        about: payload.fields().get("ref_version").and_then(Value::as_u64).filter(|about| *about > 0),
        commits: payload.commits().into_iter().take(COMMITS).map(|name| commit(task, name)).collect(),
        more: more.map(|more| plain_text(&more).into_owned()),
        warnings: own.map(|warning| warning.code.message()).collect(),
    }
}

/// A commit that a record names; its page, if that can be the name of one.
fn commit(task: &str, name: &str) -> (String, Option<String>) {
    let path = || format!("{}/commits/{name}", task_path(task));
    (one_line(name), is_commit_name(name).then(path))
}

fn kind(record: &Record) -> String {
    match Content::of(&record.content_type) {
        Some(Content::Design) => "Design".to_owned(),
        Some(Content::CodeChanges) => "Code changes".to_owned(),
        Some(Content::Review) => "Review".to_owned(),
        Some(Content::Revision) => "Revision".to_owned(),
        Some(Content::Note) if record.payload.acknowledges() => "Seen".to_owned(),
        Some(Content::Note) => "Note".to_owned(),
        Some(Content::Decision) => "Decision".to_owned(),
        None => one_line(&record.content_type),
    }
}

/// What a record comes to: the verdict of a review, or what a decision decides.
fn outcome(record: &Record) -> Option<(Tone, String)> {
    let given = |field: &str| record.payload.text(field).map(one_line).filter(|text| !text.is_empty());
    match Content::of(&record.content_type)? {
        Content::Review => Some(match given("verdict").as_deref() {
            Some("pass") => (Tone::Good, "passed".to_owned()),
            Some("fail_code") => (Tone::Bad, "the code has to be mended".to_owned()),
            Some("fail_design") => (Tone::Bad, "the design has to be mended".to_owned()),
            Some("blocked_external") => (Tone::Plain, "good, but blocked from outside".to_owned()),
            Some(other) => (Tone::Plain, format!("unknown verdict “{other}”")),
            None => (Tone::Plain, "no verdict".to_owned()),
        }),
        Content::Decision => {
            let given = given("decision").unwrap_or_default();
            let decision = Decision::of(&given).unwrap_or(Decision::Other);
            let tone = match (decision, &record.standing) {
                (_, Standing::Proposed) | (Decision::Close | Decision::Other, _) => Tone::Plain,
                (Decision::Approve, _) => Tone::Good,
                (Decision::Reject, _) => Tone::Bad,
            };
            let words = match (&record.standing, decision) {
                (Standing::Proposed, _) => proposed(decision, &given),
                (_, Decision::Approve) => "approved".to_owned(),
                (_, Decision::Reject) => "rejected".to_owned(),
                (_, Decision::Close) => "closed".to_owned(),
                (_, Decision::Other) => format!("unknown decision “{given}”"),
            };
            Some((tone, words))
        }
        Content::Design | Content::CodeChanges | Content::Revision | Content::Note => None,
    }
}

fn proposed(decision: Decision, given: &str) -> String {
    match decision {
        Decision::Approve => "proposes to approve".to_owned(),
        Decision::Reject => "proposes to reject".to_owned(),
        Decision::Close => "proposes to close".to_owned(),
        Decision::Other => format!("proposes “{given}”"),
    }
}

fn turn(task: &TaskState) -> Turn {
    match task.waiting_for {
        Some(WaitingFor::Human) => Turn::You,
        Some(WaitingFor::Agent(role)) => match task.cast.get(&role) {
            Some(handle) => Turn::Agent(name(handle), role.as_str()),
            None => Turn::Agent(Name::person(role.as_str()), role.as_str()),
        },
        Some(WaitingFor::Nobody) | None => Turn::Nobody,
    }
}

fn name(handle: &Handle) -> Name {
    Name::agent(handle.as_str(), own_look(handle))
}

/// Whoever a record names as its writer: `@user` looks like a person, and nobody else does, whatever it is called.
fn writer(name: &str) -> Name {
    match Handle::parse(name) {
        Ok(handle) if handle == Handle::user() => Name::person(&one_line(name)),
        Ok(handle) => Name::agent(&one_line(name), own_look(&handle)),
        Err(_) => Name::agent(&one_line(name), 0),
    }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Designing => "designing",
        Status::Implementing => "implementing",
        Status::Reviewing => "reviewing",
        Status::Revising => "revising",
        Status::PendingApproval => "pending approval",
        Status::Approved => "approved",
        Status::Closed => "closed",
    }
}
