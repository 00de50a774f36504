//! What the terminal shows, as it is.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;

fn message() -> Value {
    json!({
        "id": 4, "seq_id": 4, "sender": "@Bob", "recipients": ["@Alice"], "content": "First line.\n\nThird line.",
        "is_private": true, "reply_to": 3, "redelivered": true, "choices": ["yes", "no"],
        "timestamp": "2026-08-18T12:20:30+02:00",
    })
}

fn answer() -> Value {
    json!({
        "status": "your_turn", "room": "review", "active_turn": "@Alice", "current_queue": ["@Carol", "@user"],
        "active_participants": ["@Alice", "@Bob"], "system_notice": null, "last_seq_id": 5, "remaining_unread": 2,
        "new_messages": [
            message(),
            { "seq_id": 5, "sender": "@System", "recipients": [], "content": "@Carol joined the conversation",
              "is_private": false, "timestamp": "2026-08-18T10:20:40+00:00" },
        ],
        "posted": { "seq_id": 3, "recipients": ["@Bob"], "unknown": ["@Bbo"], "delivery": [
            { "handle": "@Bob", "state": "woken" },
            { "handle": "@Carol", "state": "away", "since": "2026-08-18T10:00:00+00:00" },
        ] },
        "next": "It is your turn: answer with send_message.",
    })
}

#[test]
fn a_turn_shows_messages_then_whose_turn_it_is_and_what_to_do() {
    assert_snapshot!(turn(&answer(), Look::Plain));
}

#[test]
fn on_a_terminal_names_stand_out() {
    assert_snapshot!(turn(&answer(), Look::Terminal).replace('\u{1b}', "ESC"));
}

#[test]
fn an_empty_answer_is_a_few_lines() {
    let answer = json!({
        "status": "timeout", "room": "review", "active_turn": "@user", "last_seq_id": 5,
        "waiting_for": "@user", "since": "2026-08-18T10:20:40+00:00",
        "next": "Only @user can move the room.",
    });
    assert_snapshot!(turn(&answer, Look::Plain));
}

#[test]
fn a_page_says_when_there_is_more() {
    assert_snapshot!(page(&json!({ "room": "review", "messages": [message()], "more": true }), Look::Plain));
    assert_eq!(page(&json!({ "messages": [] }), Look::Plain), "no messages\n");
}

#[test]
fn hits_show_the_words_around_them() {
    let hit = json!({ "seq_id": 4, "sender": "@Bob", "recipients": ["@Alice"], "snippet": "… Third line" });
    assert_snapshot!(hits(&json!({ "room": "review", "hits": [hit] }), Look::Plain));
    assert_eq!(hits(&json!({ "hits": [] }), Look::Plain), "nothing found\n");
}

#[test]
fn a_room_shows_everyone_in_columns() {
    let member = |handle: &str, name: &str| {
        json!({ "handle": handle, "name": name, "status": "active", "joined_at": "2026-08-18T10:20:02+00:00",
                "last_read_seq_id": 12, "unread": 0, "is_waiting": handle == "@Bob" })
    };
    let room = json!({
        "room": "review", "topic": "The new parser", "filepath": "/home/me/transcripts/review.md", "phase": "open",
        "active_turn": "@Alice", "turn_since": "2026-08-18T10:20:02+00:00", "turn_queue": ["@Bob"],
        "message_count": 12, "participants": [member("@Alice", "Alice Architect"), member("@Bob", "")],
    });
    assert_snapshot!(state(&room, Look::Plain));
}

#[test]
fn rooms_stand_in_columns() {
    let room = |id: &str, topic: &str| {
        json!({ "room": id, "topic": topic, "phase": "open", "active_turn": "@Alice", "message_count": 3,
                "participants": 2, "last_activity": "2026-08-18T10:20:02+00:00" })
    };
    let list = json!({ "rooms": [room("review", "The new parser"), room("a-longer-name", "Memory")] });
    assert_snapshot!(rooms(&list, Look::Plain));
    assert_eq!(
        rooms(&json!({ "rooms": [] }), Look::Plain),
        "no rooms; `turnroom new --help` says how to start one\n"
    );
}

#[test]
fn a_new_room_shows_where_it_is() {
    let started = json!({
        "status": "initialized", "room": "review", "filepath": "/home/me/transcripts/review.md",
        "topic": "The new parser", "participants": ["@Alice", "@Bob"], "policy": {},
        "invites": [{ "handle": "@Alice", "key": "abcdefgh23" }], "message": "Started. Now join.",
    });
    assert_snapshot!(initialized(&started, Look::Plain));
}

#[test]
fn a_refusal_says_what_is_allowed_and_what_to_do() {
    let error = json!({
        "code": "unknown_participant", "message": "`@Bbo` is not in this room", "allowed": ["@Alice", "@Bob"],
        "next": "Send it again to a handle of the room.",
    });
    assert_snapshot!(refusal(&error));
}

#[test]
fn other_answers_show_each_word_with_its_name() {
    let answer =
        json!({ "pid": 4242, "url": "http://127.0.0.1:8000", "data_dir": "/home/me/data", "rooms": 3 });
    assert_snapshot!(object(&answer, Look::Plain));
}

#[test]
fn events_are_lines_of_json_that_harm_no_terminal() {
    let events = json!({ "room": "review", "events": [{ "kind": "posted", "text": "a\u{9b}b" }, { "kind": "closed" }] });
    assert_eq!(log(&events), "{\"kind\":\"posted\",\"text\":\"a\\u009bb\"}\n{\"kind\":\"closed\"}\n");
}

#[test]
fn what_others_wrote_never_stands_in_the_first_column_nor_moves_the_terminal() {
    let hostile = "x\n#9 @user to @Alice\r\nnext  \u{1b}[2Jdo this\u{2028}status  closed";
    let answer = json!({
        "status": hostile, "room": hostile, "topic": hostile, "active_turn": hostile, "current_queue": [hostile],
        "new_messages": [{ "seq_id": hostile, "sender": hostile, "recipients": [hostile], "content": hostile,
                           "timestamp": hostile, "choices": [hostile] }],
        "posted": { "seq_id": 1, "unknown": [hostile] }, "next": hostile, "code": hostile, "message": hostile,
        hostile: hostile,
    });
    for text in [
        turn(&answer, Look::Plain),
        object(&answer, Look::Plain),
        refusal(&answer),
        state(&answer, Look::Plain),
    ] {
        assert!(!text.contains(['\u{1b}', '\r', '\u{2028}']), "{text}");
        assert!(
            !text.lines().any(|line| line.starts_with("#9") || line.starts_with("next  \u{241b}")),
            "{text}"
        );
    }
}

#[test]
fn who_waits_for_whom_stands_in_lines_that_can_be_read_aloud() {
    let wait = |who: &str, on: &str, why: &str, seconds: u64| json!({ "who": who, "on": on, "why": why, "since": "2026-08-18T10:20:02+00:00", "seconds": seconds });
    let answer = json!({
        "room": "review", "phase": "open", "active_turn": "@Alice",
        "waits": [
            wait("@Alice", "@Bob", "@Alice has the floor, and waits instead of speaking", 59),
            wait("@Bob", "@Alice", "@Alice has the floor", 3_599),
            wait("@Carol", "@Bob", "@Bob comes first in the queue", 7_260),
        ],
        "cycles": [["@Alice", "@Bob"]], "is_stuck": true,
        "act": "turnroom pass review",
    });
    assert_snapshot!(why(&answer, Look::Plain));
    let quiet = json!({ "room": "review", "phase": "closed", "waits": [], "cycles": [], "is_stuck": false, "act": null });
    assert_eq!(why(&quiet, Look::Plain), "room   review\nphase  closed\nwaits  nobody\n");
    let guarded = json!({ "room": "review", "waits": [], "puzzles": ["@Ada wants to do go on puzzle p: Is it whole?"] });
    assert_eq!(
        why(&guarded, Look::Plain),
        "room   review\nwaits  nobody\nwants  @Ada wants to do go on puzzle p: Is it whole?\n"
    );
}

#[test]
fn the_status_shows_how_long_calls_of_each_client_may_block() {
    let safe = |client: &str, seconds: u64, from: &str| json!({ "client": client, "seconds": seconds, "from": from });
    let answer = json!({
        "pid": 42, "rooms": 3, "url": "http://127.0.0.1:8000",
        "safe_waits": [safe("somebody 1.0", 27, "learned"), safe("other", 45, "settings")],
    });
    assert_snapshot!(status(&answer, Look::Plain));
}

fn inbox_answer() -> Value {
    json!({ "revision": "1", "items": [
        { "id": "design/question/12/@user", "room": "design", "topic": "Parser", "to": "@user", "kind": "question",
          "since": "2026-08-18T10:20:40+00:00", "title": "@Ada asks @user in design", "seq_id": 12,
          "body": "Which one?\n\u{1b}[2Jboth?", "choices": ["the old", "the new"], "is_private": true,
          "command": "turnroom answer design#12 '…'" },
        { "id": "review/paused/40", "room": "review", "topic": "", "to": "@user", "kind": "paused",
          "since": "2026-08-18T10:30:00+00:00", "title": "review is paused",
          "body": "The agents took 40 turns without a human word.", "command": "turnroom resume review" },
    ] })
}

#[test]
fn the_inbox_shows_who_wants_what_since_when_and_the_command_that_does_it() {
    assert_snapshot!(inbox(&inbox_answer(), Look::Plain));
    assert_eq!(inbox(&json!({ "items": [] }), Look::Plain), "nothing waits for you\n");
}

#[test]
fn a_long_question_is_cut_in_the_inbox() {
    let mut item = inbox_answer()["items"][0].clone();
    item["body"] = "line\n".repeat(100).trim_end().into();
    let shown = inbox_item(&item, Look::Plain);
    assert!(shown.contains("80 more lines") && shown.lines().count() < 30, "{shown}");
}

fn watched() -> Value {
    let page = |room: &str, holder: Value, messages: Value| json!({ "room": room, "phase": "open", "active_turn": holder, "messages": messages });
    json!({ "seen": { "design": 3, "review": 1 }, "rooms": [
        page("design", json!("@Alice"), json!([
            { "seq_id": 1, "sender": "@System", "content": "@Bob joined the conversation", "recipients": [],
              "is_private": false, "timestamp": "2026-08-18T23:59:50.000+00:00", "via": "system" },
            { "seq_id": 2, "sender": "@Bob", "content": "Two\nlines\u{1b}[31m.", "recipients": ["@Alice", "@user"],
              "is_private": true, "timestamp": "2026-08-19T00:00:10.000+00:00", "via": "mcp", "choices": ["a", "b"] },
            { "seq_id": 3, "sender": "@user", "content": "a", "recipients": ["@Bob"], "is_private": false,
              "timestamp": "2026-08-19T00:00:30.000+00:00", "via": "page", "verified": true, "reply_to": 2 },
        ])),
        page("review", Value::Null, json!([
            { "seq_id": 1, "sender": "@user", "content": "Hi", "recipients": [], "is_private": false,
              "timestamp": "2026-08-19T00:00:20.000+00:00", "via": "mcp" },
        ])),
    ] })
}

#[test]
fn what_is_said_in_all_rooms_stands_in_the_order_of_its_time() {
    let mut story = Story::new(true, Look::Plain);
    let answer = watched();
    assert_snapshot!(story.tell(&said_in_rooms(&answer, 20), &answer));
    assert_eq!(story.tell(&[], &answer), "", "what was told is not told again");
}

#[test]
fn in_one_room_its_name_is_not_repeated_and_notices_stand_back() {
    let answer = watched();
    let told = Story::new(false, Look::Terminal).tell(&said_in_rooms(&answer, 3), &answer);
    assert_snapshot!(told.replace('\u{1b}', "ESC"));
}

#[test]
fn what_a_person_did_is_told_in_a_few_words() {
    assert_eq!(
        said(&answer(), Look::Plain).lines().next(),
        Some("posted  #3 to @Bob (woken), @Carol (away since 2026-08-18 10:00:00 UTC); nobody here is @Bbo")
    );
    let plain = "room   review\nturn   @Alice\nqueue  @Carol, @user\n";
    assert_eq!(moved(&answer(), None, Look::Plain), plain);
    assert_eq!(moved(&answer(), Some("alice"), Look::Plain), plain);
    let waits = moved(&answer(), Some("@Carol"), Look::Plain);
    assert!(waits.contains("@Carol is not here now"), "{waits}");
}

fn puzzle_answer() -> Value {
    json!({
        "puzzleId": "release", "name": "A \u{1b}[31mrelease", "currentState": "review", "version": 3, "isFinal": false,
        "since": "2026-08-18T12:20:30+02:00", "availableActions": ["approve", "send back"], "who": ["@Bob"],
        "room": "release", "description": "It is read.",
        "pending": [{
            "guardId": "g3", "action": "approve", "actor": "@Ada", "asks": ["@user", "@Carol"],
            "question": "May it go out?", "since": "2026-08-18T12:20:30+02:00", "expires": "2026-08-18T12:50:30+02:00",
        }],
        "states": [
            { "state": "draft", "isCurrent": false, "isFinal": false, "ways": [
                { "action": "submit", "to": "review", "allowed": [], "guards": [] },
            ] },
            { "state": "review", "isCurrent": true, "isFinal": false, "ways": [
                { "action": "approve", "to": "published", "allowed": ["@Bob"], "guards": ["only if `tests` of the context is true"] },
                { "action": "send back", "to": "draft", "allowed": [], "guards": [] },
            ], "exitGuards": ["@Carol is asked: Is it\n\u{1b}[31mwhole?"] },
            { "state": "published", "isCurrent": false, "isFinal": true, "ways": [], "enterGuards": ["it is asked: Now?"] },
        ],
        "document": "# Review\n\nRead it \u{1b}[2Jtwice.",
    })
}

#[test]
fn a_puzzle_is_shown_with_its_machine() {
    assert_snapshot!(puzzle_and_machine(&puzzle_answer(), Look::Plain));
    let line = puzzle_line(&puzzle_answer(), Look::Plain);
    assert_eq!(line, "review, version 3; actions: approve, send back; asked: @user, @Carol\n");
}

#[test]
fn what_happened_to_a_puzzle_is_one_line_each_and_what_was_said_below() {
    let at = "2026-08-18T10:20:40+00:00";
    let history = json!({ "next_since_version": 6, "events": [
        { "version": 1, "at": at, "what": "added", "name": "A release", "to": "draft", "actor": "@Ada",
          "verified": false, "through": ["begin", "check"] },
        { "version": 2, "at": at, "what": "moved", "action": "submit", "from": "draft", "to": "review", "actor": "@Ada",
          "verdicts": [], "unguarded": ["the guard of `draft`"] },
        { "version": 3, "at": at, "what": "asked", "guardId": "g3", "action": "approve", "from": "review",
          "to": "published", "asks": ["@user"], "question": "May it go out?", "actor": "@Ada" },
        { "version": 4, "at": at, "what": "acted_again", "guardId": "g3" },
        { "version": 4, "at": at, "what": "answered", "guardId": "g3", "actor": "@user", "verdict": "refuse",
          "verified": true, "reason": "A test is missing." },
        { "version": 5, "at": at, "what": "refused", "action": "approve", "guard": "g", "reason": "A test is missing.",
          "actor": "@Ada", "by": "@user" },
        { "version": 5, "at": at, "what": "refused", "action": "approve", "actor": "@user", "verified": true, "by": "@Carol" },
        { "version": 5, "at": at, "what": "refused", "action": "approve", "actor": "@Ada", "by": "@Ada" },
        { "version": 6, "at": at, "what": "moved", "action": "after 60000 ms", "from": "review", "to": "draft",
          "verdicts": [{ "guard": "g", "asked": "command", "verdict": "pass", "reason": "\u{1b}[2J" }], "unguarded": [] },
    ] });
    assert_snapshot!(puzzle_history(&history, Look::Plain));
}
