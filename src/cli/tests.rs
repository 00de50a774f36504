//! The command line itself: its help, and what it makes of words.

use clap::{CommandFactory, Parser};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::command::Cli;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn help_says_what_the_user_needs() {
    let mut root = Cli::command();
    root.build();
    let mut texts = vec![root.render_help().to_string()];
    push_help(&mut root, "", &mut texts);
    assert_snapshot!("help", texts.join("\n"));
}

/// The help of all commands below one.
fn push_help(of: &mut clap::Command, path: &str, texts: &mut Vec<String>) {
    for command in of.get_subcommands_mut().filter(|command| command.get_name() != "help") {
        let name = format!("{path}{}", command.get_name());
        texts.push(format!("=== {name}\n\n{}", command.render_help()));
        push_help(command, &format!("{name} "), texts);
    }
}

/// The arguments that words lead to.
fn arguments(words: &[&str]) -> (String, Value) {
    let cli = Cli::try_parse_from([&["turnroom"], words].concat()).unwrap();
    let call = cli.question().unwrap().call().unwrap();
    (call.path, Value::Object(call.arguments))
}

#[test]
fn send_has_the_arguments_of_the_tool() {
    let words = [
        "send",
        "Done, @Bob.",
        "--as",
        "@Alice",
        "--private",
        "--to",
        "@Bob,@Carol",
        "--to",
        "@user",
        "--reply-to",
        "3",
        "--no-reply",
        "--request-id",
        "r1",
        "--no-wait",
        "--room",
        "review",
        "--key",
        "k",
        "--choice",
        "yes",
        "--after",
        "7",
    ];
    let expected = json!({
        "sender": "@Alice", "content": "Done, @Bob.", "is_private": true, "recipients": ["@Bob", "@Carol", "@user"],
        "reply_to": 3, "expects_reply": false, "request_id": "r1", "block": false, "room": "review", "key": "k",
        "choices": ["yes"], "after_seq_id": 7,
    });
    assert_eq!(arguments(&words), ("tools/send_message".to_owned(), expected));
}

#[test]
fn what_is_not_given_is_left_to_the_hub() {
    assert_eq!(
        arguments(&["send", "Hi", "--as", "@Alice"]).1,
        json!({ "sender": "@Alice", "content": "Hi" })
    );
    assert_eq!(arguments(&["join", "--as", "@Alice"]).1, json!({ "handle": "@Alice" }));
    assert_eq!(arguments(&["list"]), ("tools/list_participants".to_owned(), json!({})));
}

#[test]
fn new_has_the_rules_of_the_tool() {
    let words = [
        "new",
        "x.md",
        "@Alice",
        "@Bob",
        "--topic",
        "T",
        "--human",
        "@Carol",
        "--barrier",
        "all",
        "--floor",
        "open",
        "--wake",
        "batched",
        "--turn-lease-seconds",
        "60",
        "--max-agent-turns",
        "0",
        "--first-speaker",
        "@Bob",
        "--alias",
        "@Bob=Robert",
        "--alias",
        "@Bob=Rob",
        "--language",
        "fr",
        "--invite-only",
        "--identity",
        "keyed",
        "--human-first",
        "--human-hold-seconds",
        "5",
        "--barrier-timeout-seconds",
        "9",
        "--humans-verified-only",
        "--force",
    ];
    let expected = json!({
        "filepath": "x.md", "participants": ["@Alice", "@Bob"], "topic": "T", "humans": ["@Carol"], "barrier": "all",
        "floor": "open", "wake": "batched", "turn_lease_seconds": 60, "max_agent_turns": 0, "first_speaker": "@Bob",
        "aliases": { "@Bob": ["Robert", "Rob"] }, "language": "fr", "invite_only": true, "identity": "keyed",
        "human_first": true, "human_hold_seconds": 5, "barrier_timeout_seconds": 9, "force": true,
        "humans_verified_only": true,
    });
    assert_eq!(arguments(&words), ("tools/init_conversation".to_owned(), expected));
}

#[test]
fn a_search_is_a_way_to_read() {
    let expected = json!({ "handle": "@Alice", "query": "parser bug", "limit": 5 });
    let words = ["read", "--as", "@Alice", "--search", "parser bug", "--limit", "5"];
    assert_eq!(arguments(&words), ("tools/search_messages".to_owned(), expected));
}

#[test]
fn people_have_commands_of_their_own() {
    let room = json!({ "room": "review" });
    for command in ["resume", "start", "log"] {
        assert_eq!(arguments(&[command, "--room", "review"]), (format!("commands/{command}"), room.clone()));
    }
    assert_eq!(arguments(&["why", "review"]), ("commands/why".to_owned(), room));
    let handle = json!({ "room": "review", "handle": "@Bob" });
    for command in ["remove", "key"] {
        assert_eq!(
            arguments(&[command, "@Bob", "--room", "review"]),
            (format!("commands/{command}"), handle.clone())
        );
    }
    assert_eq!(
        arguments(&["allow", "/srv/notes"]),
        ("commands/allow".to_owned(), json!({ "folder": "/srv/notes" }))
    );
}

#[test]
fn people_need_not_say_who_they_are() {
    let pass = json!({ "handle": "@user", "to": "@Bob", "room": "review" });
    assert_eq!(arguments(&["give", "@Bob", "--room", "review"]), ("tools/pass_turn".to_owned(), pass));
    assert_eq!(
        arguments(&["pass", "--as", "@user"]),
        ("tools/pass_turn".to_owned(), json!({ "handle": "@user" }))
    );
    assert_eq!(arguments(&["pause", "--room", "review"]).0, "commands/pause");
    let said = json!({ "sender": "@Carol", "content": "Hi, @Bob", "room": "review", "block": false });
    assert_eq!(
        arguments(&["say", "review", "Hi, @Bob", "--as", "@Carol"]),
        ("tools/send_message".to_owned(), said)
    );
    let said = json!({ "sender": "@user", "content": "Hi", "block": false, "expects_reply": false });
    assert_eq!(arguments(&["say", "Hi", "--no-reply"]).1, said);
}

#[test]
fn commands_of_tasks_have_the_arguments_of_the_tools() {
    let words = "task new --title T --description D --cast architect=@Alice,executor=@Bob --cast reviewer=@Carol \
                 --flow direct --gate open --room r --request-id i";
    let expected = json!({
        "title": "T", "description": "D", "creator": "@user", "role": "human", "flow": "direct", "gate": "open",
        "cast": { "architect": "@Alice", "executor": "@Bob", "reviewer": "@Carol" }, "room": "r", "request_id": "i",
    });
    assert_eq!(split(words), ("tools/context_create".to_owned(), expected));
    let words = "task publish p --role reviewer --content-type review --summary S --body B --verdict pass \
                 --commits a1,b2 --commits c3 --ref-version 2 --expected-version 3 --agent @Carol --model m --request-id i";
    let payload = json!({
        "summary": "S", "body": "B", "verdict": "pass", "commits": ["a1", "b2", "c3"], "ref_version": 2,
    });
    let expected = json!({
        "task_id": "p", "role": "reviewer", "content_type": "review", "payload": payload, "expected_version": 3,
        "agent": "@Carol", "model": "m", "request_id": "i",
    });
    assert_eq!(split(words), ("tools/context_publish".to_owned(), expected));
    let expected = json!({ "task_id": "p", "since_version": 4, "limit": 5 });
    let read = ("tools/context_read".to_owned(), expected);
    assert_eq!(split("task read p --since-version 4 --limit 5"), read);
    let expected = json!({ "status": "closed", "include_closed": true });
    let list = ("tools/context_list".to_owned(), expected);
    assert_eq!(split("task list --status closed --include-closed"), list);
    let expected =
        json!({ "task_id": "p", "decision": "reject", "by": "@user", "reason": "R", "expected_version": 7 });
    let decide = ("tools/context_decide".to_owned(), expected);
    assert_eq!(split("task decide p reject --reason R --expected-version 7"), decide);
    let expected = json!({ "task_id": "p", "note": "N", "handle": "@user", "expected_version": 3 });
    let ack = ("commands/ack_task".to_owned(), expected);
    assert_eq!(split("task ack p --note N --expected-version 3"), ack);
}

/// The arguments that words without spaces in them lead to.
fn split(words: &str) -> (String, Value) {
    arguments(&words.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn words_that_make_no_sense_are_refused_before_any_hub_is_asked() {
    let wrong: [&[&str]; 15] = [
        &["fly"],
        &["send", "no name"],
        &["wait", "--as", "@Alice", "--timeout", "-1"],
        &["wait", "--as", "@Alice", "--timeout", "nan"],
        &["send", "x", "--as", "@Alice", "--no-wait", "--timeout", "3"],
        &["new", "x.md"],
        &["new", "x.md", "@Alice", "--barrier", "most"],
        &["new", "x.md", "@Alice", "--alias", "Robert"],
        &["task", "new", "--title", "T"],
        &["task", "new", "--title", "T", "--description", "D", "--cast", "tester=@Bob"],
        &["task", "publish", "p", "--role", "executor", "--content-type", "note", "--summary", "S"],
        &["task", "decide", "p", "maybe"],
        &["serve", "--toolsets", "rooms"],
        &["stdio", "--toolsets", "room,"],
        &["task", "watch", "p", "--follow", "--role", "executor"],
    ];
    for words in wrong {
        let error = Cli::try_parse_from([&["turnroom"], words].concat()).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{words:?}");
    }
}
