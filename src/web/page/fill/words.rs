//! What was said.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::hub::{Found, Page, RoomState};
use crate::room::{About, Handle, Message, Sender, Via};
use crate::transcript::plain_text;
use crate::web::page::view::{self, Closed, Entry, Html, LOOKS, Moment, Name, Notice, Trust};
use crate::web::page::{puzzle_path, task_path};

/// Characters of a question on its card.
const QUESTION: usize = 4_000;

/// Who is who in a room, so that each has its look. A person has none.
#[derive(Debug, Default)]
pub(in crate::web::page) struct Names {
    looks: BTreeMap<String, Option<usize>>,
}

impl Names {
    /// Everyone of a room. A handle looks the same in all rooms, but where somebody before it looks like it.
    pub(in crate::web::page) fn of(state: &RoomState) -> Self {
        let mut taken = Vec::new();
        let looks = state.participants.iter().map(|member| {
            let look = (!member.is_human).then(|| free_look(own_look(&member.handle), &taken));
            taken.extend(look);
            (member.handle.to_string(), look)
        });
        Self { looks: looks.collect() }
    }

    /// A participant; one that the room does not list is a person that it only knows.
    pub(super) fn name(&self, handle: &str) -> Name {
        match self.looks.get(handle) {
            Some(Some(look)) => Name::agent(handle, *look),
            Some(None) | None => Name::person(handle),
        }
    }

    fn is_human(&self, handle: &str) -> bool {
        self.looks.get(handle).is_none_or(Option::is_none)
    }
}

/// Somebody wherever no room tells who else is there.
pub(super) fn someone(handle: &Handle) -> Name {
    if *handle == Handle::user() {
        Name::person(handle.as_str())
    } else {
        Name::agent(handle.as_str(), own_look(handle))
    }
}

/// As much of a question as has its place on a card.
pub(super) fn beginning(question: &str) -> &str {
    let end = question.char_indices().nth(QUESTION);
    end.map_or(question, |(end, _)| &question[..end])
}

/// The look of a handle wherever no room tells who else is there.
pub(super) fn own_look(handle: &Handle) -> usize {
    handle.key().bytes().map(usize::from).sum::<usize>() % LOOKS
}

fn free_look(own: usize, taken: &[usize]) -> usize {
    (0..LOOKS).map(|step| (own + step) % LOOKS).find(|look| !taken.contains(look)).unwrap_or(own)
}

/// The page of what a notice tells of.
fn path_of(about: &About) -> String {
    match about {
        About::Task { id, version: 0 } => task_path(id),
        About::Task { id, version } => format!("{}?at={version}#{version}", task_path(id)),
        About::Puzzle { id, version, .. } => format!("{}?at={version}#{version}", puzzle_path(id)),
    }
}

/// One entry of the log.
pub(in crate::web::page) fn entry(said: &Message, names: &Names, delivery: Option<String>) -> Entry {
    let at = Moment::clock(said.at);
    let Sender::Participant(sender) = &said.sender else {
        let link = said.about.as_ref().map(path_of);
        let text = plain_text(&said.content).into_owned();
        return Entry::Notice(Notice { seq: said.seq_id, at, text, link });
    };
    let is_human = names.is_human(sender.as_str());
    Entry::Message(Box::new(view::Message {
        seq: said.seq_id,
        sender: names.name(sender.as_str()),
        recipients: said.recipients.iter().map(ToString::to_string).collect(),
        at,
        words: Html::of_markdown(&said.content),
        markdown: plain_text(&said.content).into_owned(),
        via: is_human.then(|| via(said.via)).flatten().map(str::to_owned),
        trust: match (is_human, said.is_verified) {
            (false, _) => Trust::Agent,
            (true, true) => Trust::Verified,
            (true, false) => Trust::Unverified,
        },
        is_private: said.is_private,
        reply_to: said.reply_to,
        choices: said.choices.clone(),
        delivery,
    }))
}

fn via(via: Via) -> Option<&'static str> {
    match via {
        Via::Mcp => Some("via MCP"),
        Via::Terminal => Some("via terminal"),
        Via::Page => Some("via page"),
        Via::Note => Some("via note"),
        Via::System => None,
    }
}

/// One message that was found.
pub(in crate::web::page) fn hit(found: &Found, names: &Names, now: DateTime<Utc>) -> view::Hit {
    let said = &found.message;
    let sender = match &said.sender {
        Sender::Participant(handle) => names.name(handle.as_str()),
        Sender::System => Name::person("turnroom"),
    };
    view::Hit {
        room: found.room.clone(),
        seq: said.seq_id,
        sender,
        at: Moment::ago(said.at, now),
        words: Html::of_markdown(&said.content),
        is_private: said.is_private,
    }
}

/// How a room ended: its last notice tells it.
pub(in crate::web::page) fn closed(state: &RoomState, newest: &Page, now: DateTime<Utc>) -> Option<Closed> {
    let last = newest.messages.last().filter(|_| state.phase == "closed")?;
    Some(Closed {
        by: None,
        at: Moment::ago(last.at, now),
        summary: Some(Html::of_markdown(&last.content)),
        messages: state.message_count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_would_look_alike_do_not() {
        let mut taken = Vec::new();
        for _ in 0..LOOKS {
            taken.push(free_look(3, &taken));
        }
        assert_eq!(taken, [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(free_look(3, &taken), 3, "more than there are looks");
    }
}
