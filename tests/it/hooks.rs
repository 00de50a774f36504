//! `turnroom hook` as a client runs it: it tells its agent what waits, and does no harm whatever is missing.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{FakeHub, Reply, err, out, run, turnroom};

/// Runs a hook with this on standard input.
fn hook(data: &Path, words: &[&str], input: &str) -> Output {
    let mut child = turnroom(data, words).stdin(Stdio::piped()).spawn().expect("the binary starts");
    // A hook that does not need it may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn news() -> Value {
    json!({ "status": "news", "reminders": [
        { "room": "review", "handle": "@Alice", "is_turn": true, "unread": 1, "senders": ["@Bob"] },
    ] })
}

fn assert_silent(output: &Output) {
    assert_eq!((output.status.code(), out(output), err(output)), (Some(0), String::new(), String::new()));
}

const HOOKS: [&[&str]; 3] = [
    &["hook", "stop", "--as", "@Alice"],
    &["hook", "wake", "--as", "@Alice"],
    &["hook", "note", "--as", "@Alice"],
];

#[test]
fn without_a_hub_a_hook_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    for words in HOOKS {
        assert_silent(&hook(folder.path(), words, r#"{"session_id":"s"}"#));
    }
    let hub = FakeHub::answering(200, news());
    std::fs::remove_file(hub.data().join("first.sock")).unwrap();
    for words in HOOKS {
        assert_silent(&hook(hub.data(), words, ""));
    }
}

#[test]
fn a_refusal_and_an_answer_of_another_hub_are_silent() {
    let refusal = json!({ "error": { "code": "invalid_handle", "message": "no", "next": "no" } });
    for (status, answer) in
        [(422, refusal), (200, json!({ "status": "nothing", "reminders": [] })), (200, json!([]))]
    {
        let hub = FakeHub::answering(status, answer);
        for words in HOOKS {
            assert_silent(&hook(hub.data(), words, "no json"));
        }
    }
}

#[test]
fn a_hub_that_does_not_answer_is_not_waited_for() {
    let hub = FakeHub::new(|_, _| Reply::Never);
    assert_silent(&hook(hub.data(), HOOKS[0], "{}"));
}

#[test]
fn what_waits_ends_a_hook_with_2_and_a_reason() {
    let hub = FakeHub::answering(200, news());
    let output = hook(hub.data(), &["hook", "stop", "--as", "@Alice", "--room", "review"], "{}");
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(2), ""));
    assert!(err(&output).starts_with("turnroom: it is your turn, and you have a message from @Bob"));
    let (path, arguments) = hub.calls.recv_timeout(Duration::from_mins(1)).unwrap();
    assert_eq!(path, "/api/commands/remind");
    assert_eq!(arguments, json!({ "handle": "@Alice", "room": "review" }));
}

#[test]
fn an_agent_that_a_hook_has_held_may_end() {
    let hub = FakeHub::answering(200, news());
    assert_silent(&hook(hub.data(), HOOKS[0], r#"{"stop_hook_active":true}"#));
}

#[test]
fn three_sessions_with_the_same_settings_are_told_apart() {
    let hub = FakeHub::answering(200, news());
    assert_silent(&hook(hub.data(), &["hook", "stop"], r#"{"session_id":"s1"}"#));
    for (session, input) in [
        ("s1", json!({ "handle": "@Alice" })),
        ("s2", json!({ "sender": "@Bob", "content": "x" })),
        ("s3", json!({ "handle": "@Carol", "room": "review" })),
    ] {
        let input = json!({ "session_id": session, "tool_name": "mcp__turnroom__x", "tool_input": input });
        assert_silent(&hook(hub.data(), &["hook", "note"], &input.to_string()));
    }
    for (session, handle) in [("s3", "@Carol"), ("s1", "@Alice"), ("s2", "@Bob")] {
        let output = hook(hub.data(), &["hook", "stop"], &json!({ "session_id": session }).to_string());
        assert_eq!(output.status.code(), Some(2));
        let (_, arguments) = hub.calls.recv_timeout(Duration::from_mins(1)).unwrap();
        assert_eq!(arguments, json!({ "handle": handle }));
    }
}

#[test]
fn a_hook_in_the_background_outlives_a_restart_of_the_hub() {
    let mut answers = vec![
        Reply::Json(200, news()),
        Reply::Restart(json!({ "status": "stopping", "reminders": [] })),
        Reply::Json(200, json!({ "status": "timeout", "reminders": [] })),
    ];
    let hub = FakeHub::new(move |_, _| answers.pop().expect("no more calls"));
    let output = hook(hub.data(), HOOKS[1], "{}");
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("wait_for_turn"));
}

#[test]
fn words_that_make_no_sense_hold_no_agent() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["hook", "fly"][..], &["hook"], &["hook", "stop", "--how"]] {
        assert_eq!(run(folder.path(), words).status.code(), Some(1), "{words:?}");
    }
}

/// `turnroom hooks` with a home of its own.
fn install(home: &Path, words: &[&str]) -> Output {
    let mut command = turnroom(&home.join("data"), &[&["hooks", "install"], words].concat());
    command.env("HOME", home).env_remove("CLAUDE_CONFIG_DIR").env_remove("CODEX_HOME").current_dir(home);
    command.output().expect("the binary starts")
}

#[test]
fn hooks_are_written_only_after_they_were_shown() {
    let home = tempfile::tempdir().unwrap();
    let settings = home.path().join(".claude/settings.json");
    let shown = install(home.path(), &["--client", "claude-code", "--dry-run"]);
    assert_eq!(shown.status.code(), Some(0), "{}", err(&shown));
    assert!(out(&shown).contains("+ ") && out(&shown).contains("hook stop"), "{}", out(&shown));
    let unasked = install(home.path(), &["--client", "claude-code"]);
    assert_eq!(unasked.status.code(), Some(1));
    assert!(!settings.exists());
    assert_eq!(install(home.path(), &["--client", "claude-code", "--yes"]).status.code(), Some(0));
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    assert_eq!(written["hooks"]["Stop"][0]["hooks"][1]["asyncRewake"], true);
    assert!(out(&install(home.path(), &["--yes"])).contains("nothing to change"), "found by its folder");
    assert_eq!(install(home.path(), &["--uninstall", "--yes"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "{}\n");
}

#[test]
fn without_a_client_nothing_is_guessed() {
    let home = tempfile::tempdir().unwrap();
    let output = install(home.path(), &["--yes"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("--client claude-code"), "{}", err(&output));
}

#[test]
fn a_handle_for_all_sessions_goes_into_the_settings_of_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let words = ["--client", "claude-code", "--as", "@Alice", "--yes"];
    assert_eq!(install(home.path(), &words).status.code(), Some(0));
    let written = std::fs::read_to_string(home.path().join(".claude/settings.local.json")).unwrap();
    assert!(written.contains("hook stop --as @Alice") && !written.contains("PostToolUse"), "{written}");
}
