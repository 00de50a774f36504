//! Everything above the conversation.

use chrono::{DateTime, Utc};

use super::super::escape;
use super::super::labels::Labels;
use super::super::view::{Head, Stage};
use crate::room::Handle;

/// Stands where there is nothing.
const NONE: &str = "–";
/// How many handles of a row are shown.
const SHOWN_HANDLES: usize = 30;
/// How many questions, how many tasks, and how many puzzles are shown that wait for a person.
const SHOWN_QUESTIONS: usize = 3;
/// How many puzzles are shown.
const SHOWN_MACHINES: usize = 5;

/// A moment, to the second.
pub(super) fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}

/// The time of a moment; with its day, unless it is the day on which the room was started.
pub(super) fn short_moment(at: DateTime<Utc>, head: &Head) -> String {
    let is_first_day = at.date_naive() == head.started.date_naive();
    if is_first_day { at.format("%H:%M:%S").to_string() } else { moment(at) }
}

/// Handles with commas between them; of many, the first.
pub(super) fn handles(handles: &[Handle], labels: &Labels) -> String {
    if handles.is_empty() {
        return NONE.to_owned();
    }
    let mut shown: Vec<String> = handles.iter().take(SHOWN_HANDLES).map(escape::handle).collect();
    if handles.len() > SHOWN_HANDLES {
        shown.push(format!("{} {}", handles.len() - SHOWN_HANDLES, labels.more));
    }
    shown.join(", ")
}

/// The title, and what never changes.
pub(super) fn title(head: &Head) -> String {
    let labels = Labels::of(head.language);
    let topic = escape::inline(&head.topic);
    let topic = if topic.is_empty() { NONE } else { &topic };
    let colon = labels.colon;
    format!(
        "# {}\n\n- **{}{colon}** {}\n- **{}{colon}** {topic}\n- **{}{colon}** {} UTC\n",
        labels.title,
        labels.file,
        escape::code_span(&head.file),
        labels.topic,
        labels.started,
        moment(head.started),
    )
}

/// Who is here, whose turn it is, what waits for a person, and where to answer.
pub(super) fn state(head: &Head, reply: Option<&str>) -> String {
    let link = reply.map_or_else(String::new, |file| {
        format!(" · [{}]({})", Labels::of(head.language).reply_link, escape::link_target(file))
    });
    format!("{}\n{}\n\n{}{link}\n{}", table(head), turns(head), questions(head), machines(head))
}

/// The puzzles that live here, each with a drawing of where it stands.
fn machines(head: &Head) -> String {
    let Labels { puzzle: word, colon, .. } = Labels::of(head.language);
    let mut shown = String::new();
    for machine in head.puzzles.iter().take(SHOWN_MACHINES) {
        let (puzzle, state) = (escape::code_span(&machine.puzzle), escape::code_span(&machine.state));
        shown.extend(["\n**", word, "** ", &puzzle, colon, " ", &state, "\n"]);
        if let Some(drawing) = machine.drawing.as_deref().filter(|drawing| !drawing.contains("```")) {
            shown.extend(["\n```mermaid\n", drawing.trim_end(), "\n```\n"]);
        }
    }
    shown
}

fn table(head: &Head) -> String {
    let labels = Labels::of(head.language);
    let mut table = format!(
        "\n## {}\n\n| {} | {} | {} | {} |\n|---|---|---|---|\n",
        labels.participants, labels.handle, labels.name, labels.status, labels.joined
    );
    for row in &head.participants {
        let name = escape::inline(&row.name);
        let cells = [
            escape::handle(&row.handle),
            if name.is_empty() { NONE.to_owned() } else { name },
            labels.status_word(row.status).to_owned(),
            row.joined_at.map_or_else(|| NONE.to_owned(), moment),
        ];
        table.extend(["| ", &cells.join(" | "), " |\n"]);
    }
    table
}

fn turns(head: &Head) -> String {
    let labels = Labels::of(head.language);
    let colon = labels.colon;
    let floor = head.floor.as_ref().map_or_else(|| NONE.to_owned(), escape::handle);
    let queue = handles(&head.queue, labels);
    let stage = match head.stage {
        Stage::Open => String::new(),
        Stage::Gathering => format!(" · **{}**", labels.gathering),
        Stage::Paused => format!(" · **{}**", labels.paused),
        Stage::Closed => format!(" · **{}**", labels.closed),
    };
    format!("**{}{colon}** {floor} · **{}{colon}** {queue}{stage}", labels.floor, labels.queue)
}

/// Always one line, so that the page does not jump.
fn questions(head: &Head) -> String {
    let labels = Labels::of(head.language);
    let asked = head.waiting.iter().map(|question| {
        let (asker, human) = (escape::handle(&question.asker), escape::handle(&question.human));
        let since = short_moment(question.since, head);
        format!("{asker} {} {human} {} {since} UTC", labels.asks, labels.since)
    });
    let mut words: Vec<String> = asked.take(SHOWN_QUESTIONS).collect();
    if head.waiting.len() > SHOWN_QUESTIONS {
        words.push(format!("{} {}", head.waiting.len() - SHOWN_QUESTIONS, labels.more));
    }
    let work = [(labels.puzzles_for_people, &head.puzzles_for_people), (labels.work_for_people, &head.tasks)];
    for (what, ids) in work.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        words.insert(0, format!("{what}{} {}", labels.colon, some(ids, labels)));
    }
    let line =
        if words.is_empty() { labels.nothing_waits.to_owned() } else { format!("⏳ {}.", words.join("; ")) };
    if let Some(latest) = &head.latest {
        let who = latest.who.as_ref().map_or_else(|| labels.system.to_owned(), escape::handle);
        let at = short_moment(latest.at, head);
        return format!("{line} {}{} {}, {who}, {at} UTC", labels.latest, labels.colon, latest.seq);
    }
    line
}

/// The tasks, or the puzzles, in which a person has to act; of many, the first.
fn some(ids: &[String], labels: &Labels) -> String {
    let mut shown: Vec<String> = ids.iter().take(SHOWN_QUESTIONS).map(|id| escape::code_span(id)).collect();
    if ids.len() > SHOWN_QUESTIONS {
        shown.push(format!("{} {}", ids.len() - SHOWN_QUESTIONS, labels.more));
    }
    shown.join(", ")
}
