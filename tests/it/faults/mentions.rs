//! One parser: whichever way a message comes, it means the same participants.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::rmcp_clients::house::House;
use crate::support::{out, turnroom};

/// A text, whom it addresses, and the names in it that nobody has.
const TEXTS: &[(&str, &[&str], &[&str])] = &[
    ("@Bob please", &["@Bob"], &[]),
    ("@Bob, @Carol and @bob", &["@Bob", "@Carol"], &[]),
    ("**@Bob** _@Carol_", &["@Bob", "@Carol"], &[]),
    ("@Bob's idea, @Carol.", &["@Bob", "@Carol"], &[]),
    ("mail dev@Bob.example", &[], &[]),
    ("git@Bob:repo", &[], &[]),
    ("https://x.test/@Bob/1", &[], &[]),
    ("npm i @Bob/core", &[], &[]),
    ("npm i left-pad@Bob", &[], &[]),
    ("\\@Bob", &[], &[]),
    ("such as \\@Bob or @Carol", &["@Carol"], &[]),
    ("\"@Bob\"", &["@Bob"], &[]),
    ("&#64;Bob", &[], &[]),
    ("```\n@Bob\n```", &[], &[]),
    ("~~~\n@Bob\n~~~", &[], &[]),
    ("````\n```\n@Bob\n```\n````", &[], &[]),
    ("```\n@Bob", &[], &[]),
    ("`@Bob`", &[], &[]),
    ("``@Bob ` x``", &[], &[]),
    ("text:\n\n    @Bob", &[], &[]),
    ("- item\n\n  ```\n  @Bob\n  ```", &[], &[]),
    ("```python\n@Bob\n```\n@Carol", &["@Carol"], &[]),
    ("`not closed @Bob", &["@Bob"], &[]),
    ("> @Bob said so", &[], &[]),
    ("> @Bob said so\n\n@Carol?", &["@Carol"], &[]),
    ("<!-- @Bob --> @Carol", &["@Carol"], &[]),
    ("<b>@Bob</b>", &["@Bob"], &[]),
    ("<code>@Bob</code>", &[], &[]),
    ("<a href=\"/@Bob\">x</a>", &[], &[]),
    ("[@Bob](/@Carol)", &["@Bob"], &[]),
    ("@Bob see @mentioning and @decorator", &["@Bob"], &["@mentioning", "@decorator"]),
    ("@Bob-2", &[], &["@Bob-2"]),
    ("@Bob.setter", &["@Bob"], &[]),
    ("@Bobby", &[], &["@Bobby"]),
    ("請@Bob看", &["@Bob"], &[]),
    ("@Bob@Carol", &[], &[]),
    ("# @Bob\n\n| a |\n|--|\n| @Carol |", &["@Bob", "@Carol"], &[]),
    ("@all", &["@Bob", "@Carol"], &[]),
    ("@all, @Carol first", &["@Carol", "@Bob"], &[]),
    ("nobody", &[], &[]),
];

/// What was posted: whom it addresses, and who is unknown.
fn meant(answer: &Value) -> (Value, Value) {
    assert!(answer["posted"].is_object(), "{answer}");
    (answer["posted"]["recipients"].clone(), answer["posted"]["unknown"].clone())
}

fn by_the_terminal(data: &Path, text: &str) -> Value {
    let words = ["send", "--as", "@Alice", "--room", "terminal", "--no-reply", "--no-wait", "--json"];
    let mut child = turnroom(data, &words).stdin(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    serde_json::from_str(&out(&output)).expect("JSON")
}

#[tokio::test]
async fn every_way_in_finds_the_same_mentions() {
    let house = House::open().await;
    let ways = [
        ("stdio", "@Alice", house.over_stdio().await),
        ("http", "@Alice", house.over_http().await),
        ("older", "@Alice", house.over_old_http().await),
        ("supervisor", "@user", house.over_stdio().await),
    ];
    let maker = house.over_http().await;
    for room in ways.iter().map(|(room, _, _)| *room).chain(["terminal"]) {
        let open = json!({
            "filepath": format!("{room}.md"), "room": room, "participants": ["@Alice", "@Bob", "@Carol"],
            "barrier": 0, "floor": "open", "max_agent_turns": 0,
        });
        maker.call("init_conversation", open).await;
    }
    for (text, recipients, unknown) in TEXTS {
        let data = house.data();
        let by_terminal = tokio::task::spawn_blocking(move || by_the_terminal(&data, text));
        let expected = (json!(recipients), json!(unknown));
        for (room, sender, client) in &ways {
            let post = json!({
                "sender": sender, "content": text, "room": room, "expects_reply": false, "block": false,
            });
            let (mut who, names) = meant(&client.call("send_message", post).await);
            if *sender == "@user" {
                // To the person `@all` is the agent too that speaks in the other rooms.
                who.as_array_mut().expect("a list").retain(|name| name != "@Alice");
            }
            assert_eq!((who, names), expected, "{room}: {text:?}");
        }
        assert_eq!(meant(&by_terminal.await.unwrap()), expected, "terminal: {text:?}");
    }
}
