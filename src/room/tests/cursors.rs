//! What each participant has been given and has acknowledged; and keys.

use crate::room::command::Command;
use crate::room::event::{CursorMove, Noted};
use crate::room::tests::table::{handle, table};
use crate::room::{Event, Status};

#[test]
fn cursors_move_as_the_hub_says() {
    let mut table = table(&["@Alice", "@Bob"]);
    let cursor = |seen, handed| CursorMove { handle: handle("@Bob"), seen, handed, is_settled: false };
    for (moved, expected) in [((1, 2), (1, 2)), ((2, 2), (2, 2)), ((1, 1), (1, 2))] {
        let event = Event::CursorsMoved { cursors: vec![cursor(moved.0, moved.1)] };
        table.room.apply(&event, table.now.mono);
        let member = table.member("@Bob");
        assert_eq!((member.seen, member.handed), expected, "what was handed once stays so");
    }
}

#[test]
fn a_cursor_of_nobody_moves_nothing() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.acknowledges("@Dave", 2, true);
    assert!(table.room.participant(&handle("@Dave")).is_none());
}

#[test]
fn a_new_key_ends_the_old_one_and_an_invite_is_spent_once() {
    let mut table = table(&["@Alice", "@Bob"]);
    let key = |hash: &str, is_invite| Command::ChangeKey {
        handle: handle("@Bob"),
        hash: hash.to_owned(),
        is_invite,
    };
    table.command(key("i", true)).unwrap();
    table.command(key("k1", false)).unwrap();
    table.command(key("k2", false)).unwrap();
    let keys = |table: &super::table::Table| {
        let member = table.member("@Bob");
        (member.key.clone(), member.invite.clone())
    };
    assert_eq!(keys(&table), (Some("k2".to_owned()), Some("i".to_owned())));
    table.room.apply(&Event::InviteSpent { handle: handle("@Bob") }, table.now.mono);
    assert_eq!(keys(&table), (Some("k2".to_owned()), None));
}

#[test]
fn a_key_for_nobody_is_refused() {
    let mut table = table(&["@Alice", "@Bob"]);
    let key = Command::ChangeKey { handle: handle("@Dave"), hash: "k".to_owned(), is_invite: false };
    assert_eq!(table.refusal(key).code(), "unknown_participant");
}

#[test]
fn a_note_of_the_hub_is_a_notice_and_nothing_else() {
    let mut table = table(&["@Alice", "@Bob"]);
    let before = table.room.last_seq();
    table.command(Command::Note(Noted::NoteKept("a.md".to_owned()))).unwrap();
    assert_eq!((table.room.last_seq(), table.turns().as_str()), (before + 1, "@Alice"));
    assert_eq!(table.news("@Bob", before), None);
    assert_eq!(table.member("@Bob").status, Status::Active);
}
