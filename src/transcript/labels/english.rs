//! English, the default.

use super::super::view::Notice;
use super::{Ink, Labels};
use crate::room::Handle;
use crate::room::event::PuzzleStep;

pub(super) const LABELS: Labels = Labels {
    colon: ":",
    title: "Multi-Agent Room",
    file: "File",
    topic: "Topic",
    started: "Started",
    participants: "Participants",
    handle: "Handle",
    name: "Name",
    status: "Status",
    joined: "Joined",
    floor: "Floor",
    queue: "Queue",
    gathering: "Waiting for participants",
    paused: "Paused",
    closed: "Closed",
    nothing_waits: "Nothing waits for you.",
    work_for_people: "Tasks that wait for a person",
    puzzles_for_people: "Puzzles that wait for a person",
    asks: "asks",
    since: "since",
    more: "more",
    latest: "Latest",
    conversation: "Conversation",
    earlier: "Earlier",
    newest: "Newest",
    private: "Private message",
    puzzle: "Puzzle",
    system: "System",
    expected: "expected",
    active: "active",
    away: "away",
    left: "left",
    via_mcp: "via MCP",
    via_terminal: "via terminal",
    via_page: "via page",
    via_note: "via note",
    reply_title: "Answer",
    reply_link: "Answer here",
    reply_place: "Your words",
    reply_choose: "*Tick an answer, or write here and tick “send”.*",
    reply_write: "*Write here, then tick “send”.*",
    reply_speak: "*No question waits for you. To say something, write here, then tick “send”.*",
    reply_send: "send",
    reply_unsent: "Not sent",
    reply_over: "*The conversation is closed; nothing is taken here any more.*",
    reply_unverified: "*Only verified words count in this room, and words from a note are not. Answer on the page or in a terminal: `turnroom inbox` tells how.*",
    reply_two_choices: "several answers are ticked; tick one",
    reply_empty: "nothing is written yet; write above, then tick again",
    reply_decide: "*To decide, tick a decision above, write here why, and tick “send”. Without one, what you write is said in the room.*",
    reply_said: "*What you write here is said in the room; it decides nothing.*",
    reply_no_reason: "a rejection needs a reason: write above what has to be mended, then tick “send” again",
    gate_task: "Task",
    gate_pending: "waits for your decision",
    gate_approved: "is approved, and not closed yet",
    gate_proposes: "proposes",
    gate_approve: "Approve",
    gate_reject: "Reject",
    gate_close: "Close",
    gate_elsewhere: "Only verified decisions count here, and those of a note are not. Decide on the page, or at a terminal:",
};

pub(super) fn said(notice: &Notice, ink: Ink) -> String {
    let at = |handle| ink.handle(handle);
    match notice {
        Notice::Joined { handle } => format!("{} joined the conversation", at(handle)),
        Notice::Overdue { missing } => {
            let (have, them) = if missing.len() == 1 { ("has", "it") } else { ("have", "them") };
            let (names, start) = (ink.handles(missing), ink.code("turnroom start"));
            format!("{names} {have} not joined yet; a person may start without {them}: {start}")
        }
        Notice::Started { by } => format!("{} opened the conversation without those missing", at(by)),
        Notice::Left { handle } => format!("{} left the conversation", at(handle)),
        Notice::Removed { handle } => format!("{} was removed; the handle is free", at(handle)),
        Notice::TakenOver { handle } => format!("{} goes on in another session", at(handle)),
        Notice::Lapsed { handle } => format!("{} was silent for too long; the turn moves on", at(handle)),
        Notice::Unanswered { handle } => {
            format!("{} was called long ago and has not answered yet", at(handle))
        }
        Notice::Passed { by, to: Some(to), .. } => format!("{} passed the turn to {}", at(by), at(to)),
        Notice::Passed { by, to: None, .. } => format!("{} passed the turn on", at(by)),
        Notice::TaskMoved { .. } => task_moved(notice, ink),
        Notice::Puzzle { puzzle, what, to, relieved } => puzzle_news(puzzle, what, (to, relieved), ink),
        Notice::Paused { by: Some(by) } => format!("{} paused the conversation", at(by)),
        Notice::Paused { by: None } => {
            "The conversation is paused: the agents have talked for long without a person".to_owned()
        }
        Notice::Resumed { by } => format!("{} ended the pause", at(by)),
        Notice::Closed { by: Some(by), .. } => format!("{} closed the conversation", at(by)),
        Notice::Closed { by: None, .. } => "The conversation is closed".to_owned(),
        Notice::Kept { file } => {
            format!("The note had been changed by somebody else; their version is kept in {}", ink.code(file))
        }
        Notice::TaskStalled { task, handle, minutes } => stalled(task, handle, *minutes, ink),
        Notice::NoReplyNote { file } => {
            format!("There is no reply note: {} was there before and is left as it is", ink.code(file))
        }
    }
}

/// What happened to a task.
fn task_moved(notice: &Notice, ink: Ink) -> String {
    let Notice::TaskMoved { task, version, content, is_proposed, status, to, .. } = notice else {
        return String::new();
    };
    let (task, content, status) = (ink.code(task), ink.code(content), ink.code(status));
    let proposed = if *is_proposed { " (proposed, not verified)" } else { "" };
    let moved = if *version == 0 {
        format!("Task {task} is here; it is {status}")
    } else {
        format!("Task {task}, record {version}: {content}{proposed}; now {status}")
    };
    let turn = to.as_ref().map(|to| format!("; it is the turn of {}", ink.handle(to)));
    moved + &turn.unwrap_or_default()
}

fn stalled(task: &str, handle: &Handle, minutes: u64, ink: Ink) -> String {
    format!(
        "Task {}: nothing for {minutes} {}; it is the turn of {}",
        ink.code(task),
        if minutes == 1 { "minute" } else { "minutes" },
        ink.handle(handle)
    )
}

/// What happened to a puzzle, and whose turn it is now.
fn puzzle_news(puzzle: &str, what: &PuzzleStep, (to, relieved): (&[Handle], &[Handle]), ink: Ink) -> String {
    puzzle_step(&ink.code(puzzle), what, ink) + &turns(to, relieved, ink)
}

/// What happened to a puzzle.
fn puzzle_step(puzzle: &str, what: &PuzzleStep, ink: Ink) -> String {
    let at = |handle: &Handle| ink.handle(handle);
    let did = |action: &str, by: Option<&Handle>| {
        let action = ink.code(action);
        by.map_or(action.clone(), |by| format!("{action} of {}", at(by)))
    };
    match what {
        PuzzleStep::Added { place, .. } => {
            format!("Puzzle {puzzle} is here; it is {}", ink.code(&place.state))
        }
        PuzzleStep::Moved { from, place, action, by } => {
            let did = did(action, by.as_ref());
            format!("Puzzle {puzzle}: {} → {} by {did}", ink.code(from), ink.code(&place.state))
        }
        PuzzleStep::Asked { action, by, asked, .. } => {
            let did = did(action, by.as_ref());
            format!("Puzzle {puzzle}: {did} waits for a word of {}", ink.handles(asked))
        }
        PuzzleStep::Answered { action, by, pass, again, .. } => {
            let who = by.as_ref().map_or("a program".to_owned(), &at);
            let did = ink.code(action);
            let said = if *pass { "lets" } else { "would not let" };
            let said = format!("Puzzle {puzzle}: {who} {said} {did} pass");
            again
                .as_ref()
                .map_or(said.clone(), |again| format!("{said}; {} has to do it once more", at(again)))
        }
        PuzzleStep::Refused { state, action, by: Some(by), .. } => {
            let (did, who) = (ink.code(action), at(by));
            format!("Puzzle {puzzle} stays {}: {did} was refused by {who}", ink.code(state))
        }
        PuzzleStep::Refused { state, action, by: None, .. } => {
            let did = ink.code(action);
            format!("Puzzle {puzzle}: {did} was refused; it stays {}", ink.code(state))
        }
        PuzzleStep::Removed => format!("Puzzle {puzzle} was removed"),
    }
}

/// Whose turn it is now, and whose it was.
fn turns(to: &[Handle], relieved: &[Handle], ink: Ink) -> String {
    let turn = (!to.is_empty()).then(|| format!("; it is the turn of {}", ink.handles(to)));
    let stop = (!relieved.is_empty()).then(|| format!("; {} may stop", ink.handles(relieved)));
    turn.into_iter().chain(stop).collect()
}
