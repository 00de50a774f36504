//! The page that was meant: told from the room alone, in plain text, without any Markdown.

use super::outline::Block;
use super::rooms::{self, Room};
use crate::room::Handle;
use crate::transcript::body::{self, Form};
use crate::transcript::clean;
use crate::transcript::labels::{Labels, notice_text};
use crate::transcript::view::{Entry, Head, Notice};

const NOBODY: &str = "–";

/// The blocks of the page of a room.
pub(super) fn page(room: &Room) -> Vec<Block> {
    let labels = Labels::of(room.head.language);
    let mut blocks = vec![Block::new("h1", labels.title), Block::new("list", facts(&room.head, labels))];
    if !room.is_part {
        blocks.push(Block::new("h2", labels.participants));
        blocks.push(Block::new("table", table(&room.head, labels)));
        let floor = room.head.floor.as_ref().map_or(NOBODY, Handle::as_str);
        blocks.push(Block::new("p", format!("{}{} {floor}", labels.floor, labels.colon)));
        let asker = room.head.waiting.first().map_or(labels.nothing_waits, |first| first.asker.as_str());
        blocks.push(Block::new("p", asker));
        blocks.extend(room.head.puzzles.iter().map(|machine| Block::new("p", clean::line(&machine.state))));
    }
    blocks.push(Block::new("h2", labels.conversation));
    if room.is_part {
        blocks.push(Block::new("p", format!("{}{} {}", labels.newest, labels.colon, room.name)));
    } else if let Some(first) = room.parts.first() {
        blocks.push(Block::new(
            "p",
            format!("{}{} {}–{}", labels.earlier, labels.colon, first.first, first.last),
        ));
    }
    conversation(&mut blocks, room, labels);
    blocks
}

fn facts(head: &Head, labels: &Labels) -> String {
    let (topic, colon) = (clean::line(&head.topic), labels.colon);
    let topic = if topic.is_empty() { NOBODY } else { &topic };
    let file = clean::line(&head.file);
    let started = head.started.format("%F %T UTC");
    format!(
        "{}{colon} {file}\n{}{colon} {topic}\n{}{colon} {started}",
        labels.file, labels.topic, labels.started
    )
}

fn table(head: &Head, labels: &Labels) -> String {
    let mut rows = vec![[labels.handle, labels.name, labels.status, labels.joined].join(" | ")];
    rows.extend(head.participants.iter().map(|row| {
        let name = clean::line(&row.name);
        let name = if name.is_empty() { NOBODY } else { &name };
        let joined = row.joined_at.map_or_else(|| NOBODY.to_owned(), |at| at.format("%F %T").to_string());
        [row.handle.as_str(), name, labels.status_word(row.status), &joined].join(" | ")
    }));
    rows.join("\n")
}

fn conversation(blocks: &mut Vec<Block>, room: &Room, labels: &Labels) {
    let mut is_in_list = false;
    for entry in &room.entries {
        match entry {
            Entry::Message { content, .. } => {
                blocks.push(Block::new("h3", heading(entry, labels)));
                blocks.push(quote(content, entry.seq(), room));
                is_in_list = false;
            }
            Entry::Notice { notice, .. } => {
                let line = line(entry, notice, &room.head);
                match blocks.last_mut() {
                    Some(list) if is_in_list => list.text.extend(["\n", &line]),
                    _ => blocks.push(Block::new("list", line)),
                }
                let words = notice.words();
                blocks.extend(words.map(|words| quote(words, entry.seq(), room)));
                is_in_list = words.is_none();
            }
        }
    }
}

fn heading(entry: &Entry, labels: &Labels) -> String {
    let Entry::Message { seq, at, sender, via, recipients, is_private, .. } = entry else {
        unreachable!("only messages have a heading")
    };
    let lock = if *is_private { format!("🔒 [{}] ", labels.private) } else { String::new() };
    let way = via.and_then(|via| labels.via_words(via)).map_or_else(String::new, |way| format!(" ({way})"));
    let to: Vec<&str> = recipients.iter().map(Handle::as_str).collect();
    let to = if to.is_empty() { NOBODY.to_owned() } else { to.join(", ") };
    format!("{lock}{sender}{way} ➔ {to} ({}) · {seq}", at.format("%F %T UTC"))
}

fn line(entry: &Entry, notice: &Notice, head: &Head) -> String {
    let Entry::Notice { at, .. } = entry else { unreachable!("only notices have a line") };
    let is_first_day = at.date_naive() == head.started.date_naive();
    let time = at.format(if is_first_day { "%T" } else { "%F %T" });
    let silent = match notice.clone() {
        Notice::Passed { by, to, .. } => Notice::Passed { by, to, reason: None },
        Notice::Closed { by, .. } => Notice::Closed { by, summary: None },
        other => other,
    };
    let said = notice_text(&silent, head.language);
    let said = match notice {
        Notice::Overdue { .. } => said.replace('`', ""),
        Notice::Kept { file } => said.replace(&format!("`{file}`"), &clean::line(file)),
        _ => clean::line(&said),
    };
    format!("🔔 {time} {said}").trim().to_owned()
}

fn quote(words: &str, seq: u64, room: &Room) -> Block {
    let shown = clean::text(words);
    let shown = shown.trim_end_matches('\n');
    if body::render(words, room.links).0 == Form::Plain {
        return Block::new("plain", shown);
    }
    let end = rooms::end(seq);
    Block::new("quote", if shown.ends_with(&format!("\n\n{end}")) { end } else { String::new() })
}
