//! A gate in a note: a task that waits for a decision, with the records to read before it.
//!
//! What is decided is about the records that stand in the note. Where a note decides nothing, it says where.

use chrono::{DateTime, Utc};

use super::ReplyHead;
use super::marks::{Gate, Kind};
use super::page::Page;
use crate::transcript::clean;
use crate::transcript::escape;
use crate::transcript::labels::Labels;

/// Of a summary, so much is shown.
const SUMMARY_CHARS: usize = 300;
/// Of the commits that a record names, so many are shown.
const COMMITS: usize = 10;

/// A task that waits for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyGate {
    /// Which task.
    pub task: String,
    /// Its newest record: a decision is about what is shown.
    pub version: u64,
    /// Since when it stands where it stands.
    pub since: DateTime<Utc>,
    /// What it waits for.
    pub why: GateWhy,
    /// The records to read, the oldest first.
    pub records: Vec<ReplyRecord>,
    /// Whether there are more before them.
    pub has_more: bool,
    /// What can be decided here; nothing, where words from a note do not count.
    pub decisions: Vec<ReplyDecision>,
    /// The command that decides in a terminal.
    pub command: String,
}

/// What a task waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateWhy {
    /// A decision.
    Pending,
    /// The end: it is approved.
    Approved,
    /// A word about what somebody has proposed.
    Proposed {
        /// What is proposed, if it is one of those that can be taken.
        decision: Option<ReplyDecision>,
        /// By whom, as it was given.
        by: String,
    },
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyDecision {
    /// The work is good.
    Approve,
    /// It has to be mended.
    Reject,
    /// The task is over.
    Close,
}

/// A record in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyRecord {
    /// Its number.
    pub version: u64,
    /// What it is, as it was given.
    pub content: String,
    /// Who wrote it, as it was given.
    pub who: String,
    /// What it comes to, as it was given.
    pub outcome: Option<String>,
    /// What it says in a line.
    pub summary: String,
    /// The commits that it names.
    pub commits: Vec<String>,
}

impl ReplyGate {
    /// How it is known again.
    pub(super) fn mark(&self) -> Gate {
        Gate { task: self.task.clone(), version: self.version }
    }
}

impl ReplyDecision {
    fn word(self, labels: &Labels) -> &'static str {
        match self {
            Self::Approve => labels.gate_approve,
            Self::Reject => labels.gate_reject,
            Self::Close => labels.gate_close,
        }
    }
}

/// Shows a gate. Its boxes have its name when other subjects stand in the note.
pub(super) fn push_gate(
    page: &mut Page,
    head: &ReplyHead,
    gate: &ReplyGate,
    is_named: bool,
    ticked: &[(Gate, ReplyDecision)],
) {
    let labels = Labels::of(head.language);
    let kind = if gate.decisions.is_empty() { Kind::Text } else { Kind::Subject };
    page.line(kind, &title(gate, labels));
    page.gap();
    if gate.has_more {
        page.line(Kind::Text, "> …");
    }
    for record in &gate.records {
        page.line(Kind::Text, &line(record));
    }
    if !gate.records.is_empty() {
        page.gap();
    }
    if gate.decisions.is_empty() {
        let command = escape::code_span(&gate.command);
        page.block(Kind::Text, &format!("*{}* {command}", labels.gate_elsewhere));
        return;
    }
    let name = if is_named { format!(" · {}", gate.task) } else { String::new() };
    let mark = gate.mark();
    for decision in &gate.decisions {
        let is_ticked = ticked.iter().any(|(gate, ticked)| (gate, ticked) == (&mark, decision));
        let state = if is_ticked { 'x' } else { ' ' };
        page.line(Kind::Decision(*decision), &format!("- [{state}] {}{name}", decision.word(labels)));
    }
    page.gap();
}

fn title(gate: &ReplyGate, labels: &Labels) -> String {
    let why = match &gate.why {
        GateWhy::Pending => labels.gate_pending.to_owned(),
        GateWhy::Approved => labels.gate_approved.to_owned(),
        GateWhy::Proposed { decision, by } => {
            let decision = decision.map_or("?", |decision| decision.word(labels));
            format!("{} {}{} {decision}", escape::inline(&beginning(by)), labels.gate_proposes, labels.colon)
        }
    };
    let (task, since) = (escape::code_span(&gate.task), gate.since.format("%Y-%m-%d %H:%M:%S"));
    format!("## {} {task}{} {why} ({since} UTC) · {}", labels.gate_task, labels.colon, gate.version)
}

/// A record in one line, in a quote: its words are somebody's.
fn line(record: &ReplyRecord) -> String {
    let short = |text: &str| escape::code_span(&beginning(text));
    let outcome = record.outcome.as_ref().map(|outcome| format!(" {}", short(outcome)));
    let mut commits: Vec<_> = record.commits.iter().take(COMMITS).map(|commit| short(commit)).collect();
    if record.commits.len() > COMMITS {
        commits.push("…".to_owned());
    }
    let commits = if commits.is_empty() { String::new() } else { format!(" ({})", commits.join(", ")) };
    format!(
        "> - {} · {} · {}{} · {}{commits}",
        record.version,
        short(&record.content),
        escape::inline(&beginning(&record.who)),
        outcome.unwrap_or_default(),
        escape::inline(&beginning(&record.summary)),
    )
}

fn beginning(text: &str) -> String {
    let line = clean::line(text);
    match line.char_indices().nth(SUMMARY_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
