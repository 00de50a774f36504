//! The gates of tasks in a note: what stands there, and whether it is decided there.
//!
//! Words from a note are never verified. So a note decides where anybody may, and nowhere else: a task with an open
//! gate, in a room that takes such words.

use crate::hub::tasks::AtGate;
use crate::task::{Content, Decision, Gate, Record, Status};
use crate::transcript::{GateWhy, ReplyDecision, ReplyGate, ReplyRecord, Taking};

/// A gate as the note shows it.
pub(super) fn shown(at: &AtGate, taking: Taking) -> ReplyGate {
    let AtGate { state, item, records, has_more } = at;
    let may_decide = taking == Taking::Words && state.gate == Gate::Open;
    let decisions: &[_] = match state.status {
        Some(Status::PendingApproval) => &Decision::ALL,
        Some(Status::Approved) => &[Decision::Close],
        _ => &[],
    };
    let why = match state.proposal() {
        Some(proposal) => GateWhy::Proposed { decision: to_note(proposal.decision), by: proposal.by.clone() },
        None if state.status == Some(Status::Approved) => GateWhy::Approved,
        None => GateWhy::Pending,
    };
    ReplyGate {
        task: state.task.clone(),
        version: state.version,
        since: state.since,
        why,
        records: records.iter().map(record).collect(),
        has_more: *has_more,
        decisions: decisions.iter().filter(|_| may_decide).filter_map(|one| to_note(*one)).collect(),
        command: item.command(),
    }
}

/// What is decided, in the words of tasks.
pub(super) fn decision(decision: ReplyDecision) -> Decision {
    match decision {
        ReplyDecision::Approve => Decision::Approve,
        ReplyDecision::Reject => Decision::Reject,
        ReplyDecision::Close => Decision::Close,
    }
}

fn to_note(decision: Decision) -> Option<ReplyDecision> {
    match decision {
        Decision::Approve => Some(ReplyDecision::Approve),
        Decision::Reject => Some(ReplyDecision::Reject),
        Decision::Close => Some(ReplyDecision::Close),
        Decision::Other => None,
    }
}

fn record(record: &Record) -> ReplyRecord {
    let payload = &record.payload;
    let outcome = match Content::of(&record.content_type) {
        Some(Content::Review) => payload.text("verdict"),
        Some(Content::Decision) => payload.text("decision"),
        _ => None,
    };
    let who = match &record.agent {
        Some(agent) => format!("{agent} ({})", record.role),
        None => record.role.clone(),
    };
    let who = if record.is_said_for_person() { format!("{who}, not verified") } else { who };
    ReplyRecord {
        version: record.version,
        content: record.content_type.clone(),
        who,
        outcome: outcome.map(str::to_owned),
        summary: payload.summary().to_owned(),
        commits: payload.commits().into_iter().map(str::to_owned).collect(),
    }
}
