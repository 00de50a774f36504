//! Views in which all words want to be more than words.

use super::room::{closed, message, notice, paused, said};
use super::{frame, item, new_room, row, search, started};
use crate::web::page::started::prompt;
use crate::web::page::view::{
    Addressees, Composer, Hint, Html, Item, Message, Name, NewRoom, NewRoomPage, Problem, ReplyTo, RoomPage,
    Rooms, Search, SearchPage, Stage, StartedPage, Status, Want,
};

/// Views in which all words are `words`.
pub(in crate::web::page) fn hostile(words: &str) -> Vec<(&'static str, String)> {
    let text = || words.to_owned();
    let hostile = Message {
        via: Some(text()),
        choices: vec![text()],
        delivery: Some(text()),
        ..message(1, Name::agent(words, 0), &[words], 0, words)
    };
    let question = Want::Question {
        seq: 1,
        asker: Name::person(words),
        words: Html::of_markdown(words),
        is_cut: true,
        choices: vec![text()],
        is_private: true,
    };
    let asks = Item { topic: text(), to: text(), command: text(), ..item(words, words, words, 1, question) };
    let composer = Composer {
        room: text(),
        speakers: vec![text(), text()],
        addressees: Addressees { handles: vec![text()] },
        hint: Hint { sentence: text() },
        request_id: text(),
        draft: text(),
        reply_to: Some(ReplyTo { seq: 1, sender: text() }),
        ..Composer::default()
    };
    let status =
        Status { queue: vec![text()], missing: vec![text()], paused: Some(text()), ..paused().status };
    let room = RoomPage {
        frame: frame(words, Some(words), 1),
        room: text(),
        topic: text(),
        file: text(),
        unsaid: Some(text()),
        ..closed()
    };
    let form = NewRoom { topic: text(), participants: text(), filepath: text(), ..NewRoom::default() };
    let mut views = vec![
        ("message", said(hostile).to_string()),
        ("notice", notice(1, 0, words).to_string()),
        ("question", asks.to_string()),
        ("composer", composer.to_string()),
        ("status", status.to_string()),
        (
            "rooms",
            Rooms { rows: vec![row(words, words, Stage::Open, Some(words), 1, 1)], more: 1, is_first: false }
                .to_string(),
        ),
        ("room", room.to_string()),
        ("new", NewRoomPage { form, folder: text(), ..new_room() }.to_string()),
        (
            "started",
            StartedPage { room: text(), prompts: vec![prompt(words, words, Some(words))], ..started() }
                .to_string(),
        ),
        (
            "search",
            SearchPage {
                search: Search { words: text(), sender: text(), day: text(), ..Search::default() },
                ..search(None)
            }
            .to_string(),
        ),
        ("problem", Problem { message: text(), allowed: vec![text()], next: text() }.to_string()),
    ];
    views.extend(super::task::hostile(words));
    views.extend(super::puzzle::hostile(words));
    views
}
