//! A room in the words of its note.

use super::ledger::Ledger;
use crate::room::event::{Noted, PauseReason, PuzzleState, PuzzleTold, TaskMoved};
use crate::room::{Event, Participant, Phase, Room};
use crate::transcript::{Entry, Head, Latest, Machine, Notice, Row, Stage, Waiting};

/// Everything above the conversation.
pub(super) fn head(room: &Room, ledger: &Ledger) -> Head {
    Head {
        room: room.id().to_owned(),
        topic: room.topic().to_owned(),
        file: room.filepath().to_owned(),
        started: room.opened_at(),
        language: room.policy().language,
        participants: room.participants().into_iter().map(row).collect(),
        floor: room.active_turn(),
        queue: room.queue(),
        stage: match room.phase() {
            Phase::Gathering => Stage::Gathering,
            Phase::Open => Stage::Open,
            Phase::Paused => Stage::Paused,
            Phase::Closed => Stage::Closed,
        },
        waiting: room
            .questions()
            .iter()
            .map(|question| Waiting {
                asker: question.asker.clone(),
                human: question.human.clone(),
                since: question.at,
            })
            .collect(),
        tasks: room.tasks_for_people().map(str::to_owned).collect(),
        puzzles_for_people: room.puzzles_for_people().map(str::to_owned).collect(),
        puzzles: room.puzzles().map(machine).collect(),
        latest: ledger.line(room.last_seq()).map(|line| Latest {
            seq: room.last_seq(),
            who: ledger.sender(room.last_seq()).cloned(),
            at: line.at,
        }),
        last_seq: room.last_seq(),
    }
}

/// A puzzle with a drawing in which its state is marked.
fn machine((puzzle, place, drawing): (&str, &PuzzleState, Option<&str>)) -> Machine {
    Machine {
        puzzle: puzzle.to_owned(),
        state: place.state.clone(),
        drawing: drawing.map(|drawing| format!("{}\nclass {} current", drawing.trim_end(), place.node)),
    }
}

fn row(member: &Participant) -> Row {
    Row {
        handle: member.handle.clone(),
        name: member.name.clone().unwrap_or_default(),
        status: member.status,
        joined_at: member.joined_at,
    }
}

/// The line that an event is in the conversation, if it is one.
pub(super) fn entry(event: &Event, room: &Room) -> Option<Entry> {
    if let Event::Posted(posted) = event {
        let is_human = room.participant(&posted.sender).is_some_and(Participant::is_human);
        return Some(Entry::Message {
            seq: posted.seq,
            at: posted.at,
            sender: posted.sender.clone(),
            via: (is_human && !posted.is_verified).then_some(posted.via),
            recipients: posted.recipients.clone(),
            is_private: posted.is_private,
            content: posted.content.clone(),
        });
    }
    let (notice, at) = notice(event)?;
    Some(Entry::Notice { seq: event.seq()?, at, notice })
}

/// What an event is as a system line, and when it was.
pub(super) fn notice(event: &Event) -> Option<(Notice, chrono::DateTime<chrono::Utc>)> {
    let said = match event.clone() {
        Event::Joined { handle, at, .. } => (Notice::Joined { handle }, at),
        Event::StartedBy { by, at, .. } => (Notice::Started { by }, at),
        Event::BarrierOverdue { missing, at, .. } => (Notice::Overdue { missing }, at),
        Event::Lapsed { handle, at, .. } => (Notice::Lapsed { handle }, at),
        Event::Unanswered { handle, at, .. } => (Notice::Unanswered { handle }, at),
        Event::Passed { by, to, reason, at, .. } => (Notice::Passed { by, to, reason }, at),
        Event::TaskMoved(moved) => {
            let TaskMoved { task, version, content, summary, is_proposed, status, to, at, .. } = *moved;
            (Notice::TaskMoved { task, version, content, is_proposed, status, to, summary }, at)
        }
        Event::PuzzleTold(told) => {
            let PuzzleTold { puzzle, what, to, relieved, at, .. } = *told;
            (Notice::Puzzle { puzzle, what, to, relieved }, at)
        }
        Event::Paused { reason: PauseReason::Person(by), at, .. } => (Notice::Paused { by: Some(by) }, at),
        Event::Paused { at, .. } => (Notice::Paused { by: None }, at),
        Event::Resumed { by, at, .. } => (Notice::Resumed { by }, at),
        Event::Left { handle, removed_by: Some(_), at, .. } => (Notice::Removed { handle }, at),
        Event::Left { handle, at, .. } => (Notice::Left { handle }, at),
        Event::Closed { by, summary, at, .. } => (Notice::Closed { by, summary }, at),
        Event::Noted { what: Noted::TakenOver(handle), at, .. } => (Notice::TakenOver { handle }, at),
        Event::Noted { what: Noted::NoteKept(file), at, .. } => (Notice::Kept { file }, at),
        Event::Noted { what: Noted::TaskStalled { task, handle, minutes }, at, .. } => {
            (Notice::TaskStalled { task, handle, minutes }, at)
        }
        Event::Noted { what: Noted::ReplyInTheWay(file), at, .. } => (Notice::NoReplyNote { file }, at),
        _ => return None,
    };
    Some(said)
}
