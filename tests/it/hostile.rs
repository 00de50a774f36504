//! The binary, and somebody who means it harm: at its port, its socket, its stdin and its command line.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use turnroom::paths::{DataFolder, Environment};

use crate::rmcp_clients::house::House;
use crate::support::{err, run, turnroom};

const TOO_MUCH: usize = (8 << 20) + 1;

fn rpc(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
}

/// The params of a request without a session.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "hostile", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

/// One request to `/mcp` without a session; gives status and body.
async fn post(house: &House, body: String, name: &str) -> (u16, String) {
    let post =
        reqwest::Client::new().post(house.url()).header("accept", "application/json, text/event-stream");
    let post = post.header("content-type", "application/json").header("mcp-protocol-version", "2026-07-28");
    let response = post
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
        .body(body)
        .send()
        .await
        .expect("an answer");
    (response.status().as_u16(), response.text().await.expect("text"))
}

/// One request over the local socket; gives the whole answer.
fn post_locally(data: &Path, path: &str, body: &[u8]) -> String {
    let folder = DataFolder::open(Some(data), &Environment::read()).expect("it holds here");
    let mut stream = UnixStream::connect(folder.socket()).expect("it holds here");
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    )
    .expect("it holds here");
    stream.write_all(body).expect("it holds here");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer
}

/// What a bridge answers to one line.
fn over_a_bridge(data: &Path, line: &str) -> String {
    let mut bridge = turnroom(data, &["stdio"]).stdin(Stdio::piped()).spawn().expect("the binary starts");
    let mut input = bridge.stdin.take().expect("a pipe");
    let mut output = BufReader::new(bridge.stdout.take().expect("a pipe"));
    let mut answer = String::new();
    let client = json!({ "name": "hostile", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    writeln!(input, "{}", rpc("initialize", &hello)).expect("it holds here");
    output.read_line(&mut answer).expect("text");
    answer.clear();
    writeln!(input, "{ready}\n{line}").expect("it holds here");
    output.read_line(&mut answer).expect("text");
    drop(input);
    bridge.wait().expect("it ends");
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_too_long_is_told_the_limit_at_every_door() {
    let house = House::open().await;
    let blanks = " ".repeat(TOO_MUCH);
    let (status, text) = post(&house, blanks.clone(), "x").await;
    assert!(status == 413 && text.contains("more than 8 MiB"), "{status} {text}");
    let text = post_locally(&house.data(), "/api/tools/list_conversations", blanks.as_bytes());
    assert!(text.contains("413") && text.contains("more than 8 MiB"), "{text}");
    let line = rpc("tools/call", &json!({ "name": "list_conversations", "arguments": { "x": blanks } }));
    let text = over_a_bridge(&house.data(), &line);
    assert!(text.contains("\"id\":7") && text.contains("more than 8 MiB"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_one_mebibyte_gets_through_every_door_however_it_is_escaped() {
    let house = House::open().await;
    let room = json!({
        "filepath": "long.md", "room": "long", "participants": ["@Alice", "@Bob"], "barrier": 0, "floor": "open",
    });
    post_locally(&house.data(), "/api/tools/init_conversation", room.to_string().as_bytes());
    let join = json!({ "handle": "@Alice", "room": "long" });
    post_locally(&house.data(), "/api/tools/join_conversation", join.to_string().as_bytes());
    let words = |n: u8| {
        let content = format!("{n} @Bob{}", "\u{1}".repeat((1 << 20) - 6));
        json!({ "sender": "@Alice", "content": content, "room": "long", "block": false })
    };
    let call = |n: u8| json!({ "name": "send_message", "arguments": words(n) });
    let (_, text) = post(&house, rpc("tools/call", &modern(call(1))), "send_message").await;
    assert!(text.contains("posted"), "{text}");
    let text = post_locally(&house.data(), "/api/tools/send_message", words(2).to_string().as_bytes());
    assert!(text.contains("\"posted\":{"), "{text}");
    let text = over_a_bridge(&house.data(), &rpc("tools/call", &call(3)));
    assert!(text.contains("posted"), "{text}");
    let long =
        json!({ "sender": "@Alice", "content": "x".repeat((1 << 20) + 1), "room": "long", "block": false });
    let text = post_locally(&house.data(), "/api/tools/send_message", long.to_string().as_bytes());
    assert!(text.contains("message_too_long") && text.contains("1048576"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn params_that_do_not_fit_are_invalid_and_not_an_unknown_method() {
    let house = House::open().await;
    for arguments in [json!([]), json!("x"), json!(5), json!(true)] {
        let call = json!({ "name": "list_conversations", "arguments": arguments });
        for text in [
            post(&house, rpc("tools/call", &modern(call.clone())), "list_conversations").await.1,
            over_a_bridge(&house.data(), &rpc("tools/call", &call)),
        ] {
            assert!(text.contains("-32602") && text.contains("do not fit"), "{arguments}: {text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_from_other_users_of_the_machine_has_their_rights_taken_away() {
    let house = House::open().await;
    let mode = |name: &str| {
        std::fs::metadata(house.data().join(name)).expect("it holds here").permissions().mode() & 0o777
    };
    assert_eq!((mode("."), mode("token")), (0o700, 0o600));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_requires_the_token_gives_another_user_nothing() {
    let house = House::open_talkative(&["--require-token"]).await;
    let call = rpc("tools/call", &modern(json!({ "name": "list_conversations", "arguments": {} })));
    assert_eq!(post(&house, call, "list_conversations").await.0, 401);
    // Those who may enter the data folder need none.
    assert!(post_locally(&house.data(), "/api/tools/list_conversations", b"{}").contains("200 OK"));
    let answer = over_a_bridge(&house.data(), &rpc("tools/list", &json!({})));
    assert!(answer.contains("join_conversation"), "{answer}");
}

#[test]
fn a_hub_with_options_that_make_no_sense_does_not_start() {
    let folder = tempfile::TempDir::new().expect("it holds here");
    std::fs::write(folder.path().join("file"), "").expect("it holds here");
    let file = folder.path().join("file/notes");
    let file = file.to_str().expect("it holds here");
    for (option, value, word) in [
        ("--max-message", "0", "--max-message"),
        ("--max-message", "99999999", "4194304"),
        ("--transcripts", "/dev/null", "/dev/null"),
        ("--transcripts", file, "no folder"),
    ] {
        let output = run(&folder.path().join("data"), &["serve", "--port", "0", option, value]);
        assert_ne!(output.status.code(), Some(0), "{option} {value}");
        assert!(err(&output).contains(word), "{option} {value}: {}", err(&output));
    }
}
