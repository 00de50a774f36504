//! The terminal commands: exit codes, output, and how they reach the hub.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{FakeHub, Reply, err, out, run, turnroom};

/// Long enough for every machine; reached only when something is wrong.
const LONG: Duration = Duration::from_mins(1);

fn turn(status: &str, messages: &Value) -> Value {
    json!({ "status": status, "room": "review", "active_turn": "@Alice", "new_messages": messages, "next": "Speak." })
}

fn refusal() -> Value {
    json!({ "error": { "code": "not_joined", "message": "`@Alice` is not here", "allowed": ["@Bob"], "next": "Join." } })
}

#[test]
fn help_and_version_need_no_hub() {
    let nowhere = Path::new("/proc/nowhere");
    assert!(out(&run(nowhere, &["--version"])).starts_with("turnroom 0."));
    assert_eq!(run(nowhere, &["wait", "--help"]).status.code(), Some(0));
}

#[test]
fn words_that_make_no_sense_end_with_2() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["fly"][..], &["send", "hello"], &["wait", "--as", "@Alice", "--timeout", "soon"]] {
        assert_eq!(run(folder.path(), words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn without_a_hub_every_command_ends_with_3_and_says_how_to_start_one() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["status"][..], &["wait", "--as", "@Alice"], &["send", "hello", "--as", "@Alice"]] {
        let output = run(folder.path(), words);
        assert_eq!(output.status.code(), Some(3), "{words:?}");
        assert!(err(&output).contains("turnroom serve"), "{}", err(&output));
    }
}

#[test]
fn a_hub_that_died_counts_as_no_hub() {
    let hub = FakeHub::answering(200, json!({}));
    std::fs::remove_file(hub.data().join("first.sock")).unwrap();
    let output = run(hub.data(), &["status"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("does not answer"), "{}", err(&output));
}

#[test]
fn a_refusal_ends_with_1_and_says_what_to_do() {
    let hub = FakeHub::answering(422, refusal());
    let output = run(hub.data(), &["send", "hello", "--as", "@Alice"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(out(&output), "");
    assert_eq!(
        err(&output),
        "refused  not_joined\nwhy      `@Alice` is not here\nallowed  @Bob\nnext     Join.\n"
    );
}

#[test]
fn a_refusal_with_json_is_json() {
    let hub = FakeHub::answering(422, refusal());
    let output = run(hub.data(), &["send", "hello", "--as", "@Alice", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(serde_json::from_str::<Value>(&out(&output)).unwrap(), refusal());
}

#[test]
fn what_a_command_finds_by_itself_is_json_too_with_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.json");
    std::fs::write(&file, "{").unwrap();
    let file = file.to_str().unwrap();
    for (words, code, exit_code) in [
        (&["puzzle", "add", "/nowhere/m.json"][..], "file_unreadable", 1),
        (&["puzzle", "add", file], "usage", 2),
        (&["puzzle", "remove", "p"], "usage", 2),
        (&["answer", "nothing", "yes"], "usage", 2),
        (&["rooms"], "no_hub", 3),
        (&["puzzle", "show", "p"], "no_hub", 3),
        (&["inbox", "--watch"], "no_hub", 3),
        (&["wait", "--as", "@Alice"], "no_hub", 3),
        (&["task", "watch", "t"], "no_hub", 3),
        (&["puzzle", "fly"], "usage", 2),
        (&["wait", "--as", "@Alice", "--timeout", "soon"], "usage", 2),
    ] {
        let output = run(folder.path(), &[words, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(exit_code), "{words:?}");
        let told: Value =
            serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{words:?}: {output:?}"));
        let error = &told["error"];
        assert_eq!(error["code"], code, "{words:?}: {told}");
        assert!(error["message"].is_string() && error["next"].is_string(), "{told}");
        assert!(err(&output).starts_with("error: "), "{}", err(&output));
        let plain = run(folder.path(), words);
        assert_eq!(out(&plain), "", "{words:?}");
    }
}

#[test]
fn an_answer_with_json_is_the_hubs_own() {
    let rooms = json!({ "rooms": [{ "room": "review", "topic": "\u{9b}31m" }] });
    let hub = FakeHub::answering(200, rooms.clone());
    let output = run(hub.data(), &["rooms", "--json"]);
    assert!(!out(&output).contains('\u{9b}'));
    assert_eq!(serde_json::from_str::<Value>(&out(&output)).unwrap(), rooms);
}

#[test]
fn what_others_said_cannot_move_the_terminal() {
    let messages =
        json!([{ "seq_id": 1, "sender": "@Bob", "content": "\u{1b}[2J\u{1b}]0;x\u{7}hello\rbye" }]);
    let hub = FakeHub::answering(200, turn("your_turn", &messages));
    let output = run(hub.data(), &["wait", "--as", "@Alice"]);
    assert!(!out(&output).contains(['\u{1b}', '\u{7}', '\r']), "{}", out(&output));
    assert!(out(&output).contains("hello"));
}

#[test]
fn send_takes_its_text_from_a_pipe() {
    let posted = json!({ "status": "posted", "posted": { "seq_id": 1, "delivery": [] }, "next": "Wait." });
    let hub = FakeHub::answering(200, posted);
    let mut child =
        turnroom(hub.data(), &["send", "--as", "@Alice", "--no-wait"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("two\nlines, @Bob\n".as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let (path, arguments) = hub.calls.recv_timeout(LONG).unwrap();
    assert_eq!(path, "/api/tools/send_message");
    assert_eq!(arguments, json!({ "sender": "@Alice", "content": "two\nlines, @Bob", "block": false }));
}

#[test]
fn what_was_not_posted_ends_with_1() {
    let mut answer = turn("not_your_turn", &json!([]));
    answer["posted"] = Value::Null;
    let hub = FakeHub::answering(200, answer);
    assert_eq!(run(hub.data(), &["send", "hello", "--as", "@Alice"]).status.code(), Some(1));
}

#[test]
fn a_wait_goes_on_until_there_is_something() {
    let mut answers = vec![
        turn("your_turn", &json!([{ "seq_id": 2, "sender": "@Bob", "content": "hello" }])),
        turn("waiting", &json!([{ "seq_id": 1, "sender": "@System", "content": "@Bob joined" }])),
        turn("waiting", &json!([])),
    ];
    let hub = FakeHub::new(move |_, _| Reply::Json(200, answers.pop().unwrap()));
    let output = run(hub.data(), &["wait", "--as", "@Alice", "--after", "7"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("@Bob joined") && out(&output).contains("hello"), "{}", out(&output));
    let seen: Vec<Value> =
        hub.calls.try_iter().map(|(_, arguments)| arguments["after_seq_id"].clone()).collect();
    assert_eq!(seen, [json!(7), Value::Null, Value::Null]);
}

#[test]
fn a_wait_whose_time_is_over_ends_with_4_and_says_what_to_do() {
    let hub = FakeHub::answering(200, turn("timeout", &json!([])));
    let output = run(hub.data(), &["wait", "--as", "@Alice", "--timeout", "0"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(out(&output).contains("next    Speak."), "{}", out(&output));
    assert_eq!(hub.calls.try_iter().count(), 1);
}

#[test]
fn a_wait_in_a_closed_room_ends_with_1() {
    let hub = FakeHub::answering(200, turn("closed", &json!([])));
    assert_eq!(run(hub.data(), &["wait", "--as", "@Alice"]).status.code(), Some(1));
}

#[test]
fn a_wait_survives_a_restart_of_the_hub() {
    let mut calls = 0;
    let hub = FakeHub::new(move |_, _| {
        calls += 1;
        match calls {
            1 => Reply::Restart(turn("stopping", &json!([]))),
            _ => Reply::Json(200, turn("your_turn", &json!([]))),
        }
    });
    assert_eq!(run(hub.data(), &["wait", "--as", "@Alice"]).status.code(), Some(0));
    assert_eq!(hub.calls.try_iter().count(), 2);
}

#[test]
fn a_wait_survives_a_crash_of_the_hub_in_its_first_round() {
    let mut calls = 0;
    let hub = FakeHub::new(move |_, _| {
        calls += 1;
        if calls == 1 { Reply::Crash } else { Reply::Json(200, turn("your_turn", &json!([]))) }
    });
    assert_eq!(run(hub.data(), &["wait", "--as", "@Alice"]).status.code(), Some(0));
    assert_eq!(hub.calls.try_iter().count(), 2);
}

#[test]
fn ctrl_c_ends_a_wait_with_130_and_takes_it_back() {
    let hub = FakeHub::new(|_, _| Reply::Never);
    let mut child = turnroom(hub.data(), &["wait", "--as", "@Alice"]).spawn().unwrap();
    hub.calls.recv_timeout(LONG).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    hub.gone.recv_timeout(LONG).unwrap();
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let events: Vec<Value> =
        (0..20_000).map(|number| json!({ "kind": "posted", "version": number })).collect();
    let hub = FakeHub::answering(200, json!({ "room": "review", "events": events }));
    let mut child = turnroom(hub.data(), &["log"]).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "{\"kind\":\"posted\",\"version\":0}\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), ""));
}

#[test]
fn handle_and_room_may_come_from_the_environment() {
    let hub = FakeHub::answering(200, turn("your_turn", &json!([])));
    let mut command = turnroom(hub.data(), &["join"]);
    let output = command.env("TURNROOM_HANDLE", "@Alice").env("TURNROOM_ROOM", "review").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let expected = json!({ "handle": "@Alice", "room": "review" });
    assert_eq!(hub.calls.recv_timeout(LONG).unwrap(), ("/api/tools/join_conversation".to_owned(), expected));
}
