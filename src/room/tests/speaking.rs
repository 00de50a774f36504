//! Who may speak, and what a message is.

use crate::room::command::Post;
use crate::room::policy::FloorRule;
use crate::room::tests::table::{last_word, post, table, table_by};
use crate::room::{Event, Refusal};

#[test]
fn the_holder_speaks_and_the_one_it_names_is_next() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@Bob what do you think?");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn an_agent_out_of_turn_posts_nothing() {
    let mut table = table(&["@Alice", "@Bob"]);
    let before = table.log.len();
    assert!(!table.takes("@Bob", "@Alice"));
    assert_eq!(table.log.len(), before);
}

#[test]
fn an_open_floor_takes_words_out_of_turn() {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.floor = FloorRule::Open);
    table.say("@Bob", "@Carol");
    assert_eq!(table.turns(), "@Alice < @Carol");
}

#[test]
fn a_word_out_of_turn_answers_the_speakers_mentions() {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.floor = FloorRule::Open);
    table.say("@Alice", "@Bob @Carol");
    table.say("@Carol", "@Alice");
    assert_eq!(table.turns(), "@Bob < @Alice");
}

#[test]
fn a_message_without_text_is_refused() {
    let mut table = table(&["@Alice", "@Bob"]);
    for text in ["", " ", "\n\t\u{a0}\u{3000}"] {
        assert_eq!(table.refused_post(post("@Alice", text)), Refusal::MessageEmpty);
    }
    assert_eq!(table.refused_post(post("@user", " ")), Refusal::MessageEmpty);
}

#[test]
fn a_message_has_a_limit_in_bytes() {
    let mut table = table(&["@Alice", "@Bob"]);
    let text = "@Bob éé";
    let limited = |max_bytes| Post { max_bytes, ..post("@Alice", text) };
    assert_eq!(table.refused_post(limited(8)), Refusal::MessageTooLong { bytes: 9, limit: 8 });
    assert!(table.post(limited(9)).is_some());
}

#[test]
fn a_message_is_kept_byte_for_byte() {
    let mut table = table(&["@Alice", "@Bob"]);
    let text = " \r\n@Bob \u{202e}e\u{301}\u{7}\r\n ";
    table.say("@Alice", text);
    let kept = table.log.iter().any(|event| matches!(event, Event::Posted(posted) if posted.content == text));
    assert!(kept);
}

#[test]
fn messages_and_notices_are_numbered_in_one_row() {
    let mut table = table(&["@Alice", "@Bob"]);
    assert_eq!(table.say("@Alice", "@Bob"), 3);
    table.join("@Dave");
    assert_eq!(table.say("@Bob", "@Alice"), 5);
    assert_eq!((table.room.last_seq(), table.room.message_count()), (5, 2));
}

#[test]
fn a_message_that_wants_no_answer_queues_nobody_and_ends_the_turn() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    table.post(last_word("@Alice", "@Bob thank you, @user"));
    assert_eq!(table.turns(), "@user");
    assert!(table.questions().is_empty());
    assert_eq!(table.recipients(), ["@Bob", "@user"]);
}

#[test]
fn a_message_that_wants_no_answer_needs_no_mention() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol");
    table.post(last_word("@Bob", "I have nothing to add")).unwrap();
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_word_is_refused_before_the_turn_is_looked_at() {
    let mut table = table(&["@Alice", "@Bob"]);
    assert_eq!(table.refused_post(post("@Bob", "nobody")).code(), "no_valid_mention");
}

#[test]
fn a_closed_room_takes_no_word() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.close("@user");
    assert_eq!(table.refused_post(post("@Alice", "@Bob")), Refusal::RoomClosed);
    assert_eq!(table.refused_post(post("@user", "@Bob")), Refusal::RoomClosed);
}
