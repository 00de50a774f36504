//! Tasks: how they stand, and the records of one.

use serde_json::Value;

use super::super::options::USER;
use super::Look;
use super::fields::{is_set, items, moment, plain, word, words};
use super::message::indented;
use super::shell::in_shell;
use super::table::{pairs, table};

/// Records that are shown before a decision; the task has them all.
const MOST: usize = 10;

/// How a task stands.
pub(in super::super) fn task(answer: &Value, look: Look) -> String {
    let known = [
        ("task", word(answer, "task_id")),
        ("title", word(answer, "title")),
        ("status", word(answer, "status").map(|status| status.replace('_', " "))),
        ("version", word(answer, "version")),
        ("waits for", word(answer, "waiting_for").filter(|whom| whom != "none")),
        ("since", moment(answer, "since")),
        ("told", answer.get("reported").and_then(told)),
        ("flow", word(answer, "flow")),
        ("gate", word(answer, "gate").filter(|gate| gate == "open")),
        ("cast", answer.get("cast").map(plain)),
        ("room", word(answer, "room")),
        ("proposed", answer.get("proposed").and_then(proposed)),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let warnings = items(answer, "warnings").iter().map(|one| ("warning", warning(one)));
    let next = word(answer, "next").map(|next| ("next", in_shell(&next)));
    pairs(known.chain(warnings).chain(next), look)
}

/// How a task stands, in one line.
pub(in super::super) fn task_line(answer: &Value, look: Look) -> String {
    let task = word(answer, "task_id").unwrap_or_default();
    let marks = [
        word(answer, "status").map(|status| status.replace('_', " ")),
        word(answer, "version").map(|version| format!("version {version}")),
        word(answer, "waiting_for").filter(|whom| whom != "none").map(|whom| format!("waits for {whom}")),
    ];
    let line = marks.into_iter().flatten().fold(task, |line, mark| format!("{line}, {mark}"));
    let warnings = items(answer, "warnings").iter().map(|one| format!("  warning: {}\n", warning(one)));
    look.faint(&line) + "\n" + &warnings.collect::<String>()
}

/// All records that were read, then how the task stands.
pub(in super::super) fn task_log(answer: &Value, look: Look) -> String {
    let records = items(answer, "versions").iter().map(|record| task_record(record, look) + "\n");
    let more = word(answer, "next_since_version")
        .map(|next| format!("there are more; --since-version {next} goes on\n\n"))
        .unwrap_or_default();
    format!("{}{more}{}", records.collect::<String>(), task(answer, look))
}

/// What is decided about: how the task stands, and in a line each what came since the last decision.
pub(in super::super) fn task_look(answer: &Value, look: Look) -> String {
    let records = items(answer, "versions");
    let is_decision = |record: &Value| record["content_type"] == "decision" && !is_set(record, "unverified");
    let after = records.iter().rposition(is_decision).map_or(0, |at| at + 1);
    let new = &records[after..];
    let left_out = new.len().saturating_sub(MOST);
    let task = word(answer, "task_id").unwrap_or_default();
    let more = (left_out > 0).then(|| format!("  {left_out} before them: turnroom task read {task}\n"));
    let lines = new[left_out..].iter().map(|record| {
        let commits = commits(record).map(|commits| format!(", {commits}")).unwrap_or_default();
        format!("  {}: {}{commits}\n", head(record), summary(record))
    });
    format!("{}{}{}", task_line(answer, look), more.unwrap_or_default(), lines.collect::<String>())
}

/// One record: a head, its summary, and under them what it says.
pub(in super::super) fn task_record(record: &Value, look: Look) -> String {
    let head = look.strong(&head(record));
    let body = record["payload"]["body"].as_str().unwrap_or_default();
    let body = if body == record["payload"]["summary"] { String::new() } else { indented(body) };
    let commits = commits(record).map(|commits| format!("    {commits}\n")).unwrap_or_default();
    format!("{head}: {}\n{body}{commits}", summary(record))
}

/// All tasks.
pub(in super::super) fn tasks(answer: &Value, look: Look) -> String {
    let tasks = items(answer, "tasks");
    if tasks.is_empty() {
        return "no tasks; `turnroom task new --help` says how to make one\n".to_owned();
    }
    let rows: Vec<_> = tasks.iter().map(row).collect();
    let table = table(["TASK", "STATUS", "VERSION", "WAITS FOR", "SINCE", "TITLE"], &rows, look);
    let more = word(answer, "next_after")
        .map(|last| format!("there are more; --after {last} goes on\n"))
        .unwrap_or_default();
    table + &more
}

fn row(task: &Value) -> [String; 6] {
    let text = |name| word(task, name).unwrap_or_default();
    let waits_for = word(task, "waiting_for").filter(|whom| whom != "none");
    let attention = if is_set(task, "needs_attention") { ", warnings" } else { "" };
    let waits_for = waits_for.map(|whom| whom + attention).unwrap_or_default();
    let since = moment(task, "since").unwrap_or_default();
    [text("task_id"), text("status").replace('_', " "), text("version"), waits_for, since, text("title")]
}

/// `3 review by reviewer @Carol, fail_code, about 2, 2026-08-18 10:20:30 UTC`
fn head(record: &Value) -> String {
    let text = |name| word(record, name).unwrap_or_default();
    let payload = &record["payload"];
    let who = word(record, "agent").map(|agent| format!(" {agent}")).unwrap_or_default();
    let is_user = |agent: &Value| {
        agent
            .as_str()
            .is_some_and(|agent| format!("@{}", agent.trim_start_matches('@')).eq_ignore_ascii_case(USER))
    };
    let is_persons = record["role"] == "human" || is_user(&record["agent"]);
    let is_unsure = is_persons && record.get("verified_by").is_none() && !is_set(record, "unverified");
    let marks = [
        is_unsure.then(|| "not verified".to_owned()),
        word(record, "model"),
        word(payload, "verdict"),
        word(payload, "decision"),
        word(payload, "ref_version").map(|version| format!("about {version}")),
        word(record, "verified_by").map(|_| "verified".to_owned()),
        is_set(record, "unverified").then(|| "only proposed, not verified".to_owned()),
        moment(record, "timestamp"),
    ];
    let head = format!("{} {} by {}{who}", text("version"), text("content_type"), text("role"));
    marks.into_iter().flatten().fold(head, |head, mark| format!("{head}, {mark}"))
}

fn summary(record: &Value) -> String {
    word(&record["payload"], "summary").unwrap_or_default()
}

fn commits(record: &Value) -> Option<String> {
    words(&record["payload"], "commits").map(|commits| format!("commits {commits}"))
}

/// `blocked: which port?, 2026-08-18 10:20:30 UTC`
fn told(reported: &Value) -> Option<String> {
    let reason = word(reported, "reason").map(|reason| format!(": {reason}")).unwrap_or_default();
    Some(format!("{}{reason}, {}", word(reported, "activity")?, moment(reported, "at")?))
}

/// `approve, by @Alice; a person confirms it on the page, or at a terminal`
fn proposed(proposed: &Value) -> Option<String> {
    let (decision, by) = (word(proposed, "decision")?, word(proposed, "by").unwrap_or_default());
    let who = "only a person decides, on the page or typed at a terminal, and approves no work of its own";
    Some(format!("{decision}, by {by}; {who}"))
}

/// `OUT_OF_TABLE, record 3: this record does not fit …`
fn warning(warning: &Value) -> String {
    let text = |name| word(warning, name).unwrap_or_default();
    format!("{}, record {}: {}", text("code"), text("version"), text("message"))
}
