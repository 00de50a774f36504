//! rmcp's own client against the binary: over a child process, and over HTTP of the new and of an older revision.

mod forging;
mod forms;
pub(crate) mod house;
mod secrets;
mod time_zone;

use std::time::Duration;

use serde_json::{Value, json};

use house::{Client, House, news};

/// Long enough for every machine; reached only when something is wrong.
const LONG: Duration = Duration::from_mins(1);
const TURNS: usize = 3;

/// A message as a client got it: its number, sender, and words.
type Heard = (u64, String, String);

fn heard(message: &Value) -> Heard {
    let text = |field: &str| message[field].as_str().expect("the field is there").to_owned();
    (message["seq_id"].as_u64().expect("the field is there"), text("sender"), text("content"))
}

/// What is said in a turn; it gives the turn on.
fn words(turn: usize, next: &str) -> String {
    format!("Turn {turn}: the plan holds. What do you say, {next}?")
}

/// Speaks whenever it has the turn, until everybody has spoken; gives all that it heard and said, as it came.
async fn take_part(client: Client, handle: &str, next: &str, speakers: usize) -> Vec<Heard> {
    let (mut all, mut said) = (Vec::new(), 0);
    let mut answer = client.call("join_conversation", json!({ "handle": handle })).await;
    loop {
        all.extend(news(&answer).iter().map(heard));
        if all.len() == TURNS * speakers {
            return all;
        }
        if answer["active_turn"] == handle && said < TURNS {
            said += 1;
            let content = words(said, next);
            // After the very last word there is nothing to wait for.
            let block = all.len() + 1 < TURNS * speakers;
            let post = json!({ "sender": handle, "content": content, "block": block });
            answer = client.call("send_message", post).await;
            all.push((
                answer["posted"]["seq_id"].as_u64().expect("it was posted"),
                handle.to_owned(),
                content,
            ));
        } else {
            answer = client.call("wait_for_turn", json!({ "handle": handle })).await;
        }
    }
}

#[tokio::test]
async fn clients_of_three_kinds_hold_one_conversation_and_each_hears_everything_once() {
    let house = House::open().await;
    let ring = ["@Alice", "@Bob", "@Carol"];
    let room = json!({
        "filepath": "talk.md", "participants": ring, "barrier": "all", "first_speaker": "@Alice",
    });
    house.over_http().await.call("init_conversation", room).await;
    let clients = [house.over_stdio().await, house.over_http().await, house.over_old_http().await];
    let [old_stdio, new_http, old_http] = clients.each_ref().map(Client::revision);
    assert!(old_stdio < "2026-07-28" && new_http == "2026-07-28" && old_http < "2026-07-28");
    let [alice, bob, carol] = clients;
    let talk = async {
        tokio::join!(
            take_part(alice, "@Alice", "@Bob", 3),
            take_part(bob, "@Bob", "@Carol", 3),
            take_part(carol, "@Carol", "@Alice", 3),
        )
    };
    let (alice, bob, carol) = tokio::time::timeout(LONG, talk).await.unwrap();
    let said: Vec<(String, String)> =
        alice.iter().map(|(_, sender, words)| (sender.clone(), words.clone())).collect();
    let expected: Vec<(String, String)> = (1..=TURNS)
        .flat_map(|turn| (0..3).map(move |at| (ring[at].to_owned(), words(turn, ring[(at + 1) % 3]))))
        .collect();
    assert_eq!(said, expected);
    assert!(alice.is_sorted() && alice == bob && bob == carol);
}

#[tokio::test]
async fn a_late_cancellation_gives_the_message_again() {
    let house = House::open().await;
    for (room, bob) in [("pipe", house.over_stdio().await), ("http", house.over_old_http().await)] {
        let alice = house.two_in_a_room(room, &bob).await;
        alice
            .call("send_message", json!({ "sender": "@Alice", "content": "one, @Bob", "block": false }))
            .await;
        let wait = json!({ "handle": "@Bob", "room": room });
        let (request, answer) = bob.call_with_id("wait_for_turn", wait.clone()).await;
        let first = words_given(&answer);
        assert_eq!(first, [("one, @Bob".to_owned(), false)], "{room}");

        bob.cancel(request).await;
        // The cancellation has no answer of its own: it has come to the hub when the message comes again.
        let look = json!({ "handle": "@Bob", "room": room, "timeout_seconds": 0 });
        let again = async {
            loop {
                let given = words_given(&bob.call("wait_for_turn", look.clone()).await);
                if !given.is_empty() {
                    return given;
                }
            }
        };
        let again = tokio::time::timeout(LONG, again).await.unwrap();
        assert_eq!(again, [("one, @Bob".to_owned(), true)], "{room}");
    }
}

/// The words of an answer, and whether each message is marked as given again. Notices do not count.
fn words_given(answer: &Value) -> Vec<(String, bool)> {
    let given = |message: &Value| {
        (
            message["content"].as_str().expect("a message has content").to_owned(),
            message["redelivered"].as_bool().unwrap_or(false),
        )
    };
    news(answer).iter().map(given).collect()
}

/// Nothing but the arguments that multiagent-mcp had, which the clients of today know.
#[tokio::test]
async fn calls_with_the_arguments_of_the_first_server_work_unchanged() {
    let house = House::open().await;
    let (alice, bob) = (house.over_stdio().await, house.over_old_http().await);
    let room = json!({ "filepath": "old/talk.md", "participants": ["@Alice", "@Bob", "@user"], "topic": "Old calls" });
    let made = alice.call("init_conversation", room).await;
    assert_eq!((&made["status"], &made["topic"]), (&json!("initialized"), &json!("Old calls")));

    let join = |handle: &str, name: &str| json!({ "handle": handle, "name": name, "timeout_seconds": 60 });
    let (first, second) = tokio::join!(
        alice.call("join_conversation", join("@Alice", "Alice Architect")),
        bob.call("join_conversation", join("@Bob", "Bob Reviewer")),
    );
    let statuses = [&first, &second].map(|answer| answer["status"].as_str().unwrap());
    assert!(statuses.iter().all(|status| ["joined", "your_turn"].contains(status)), "{statuses:?}");
    let (speaker, listener) =
        if first["active_turn"] == "@Alice" { ("@Alice", "@Bob") } else { ("@Bob", "@Alice") };
    let (says, hears) = if speaker == "@Alice" { (&alice, &bob) } else { (&bob, &alice) };

    let content = format!("Which one, {listener}?");
    let post = json!({ "sender": speaker, "content": content, "is_private": true, "timeout_seconds": 0 });
    let posted = says.call("send_message", post).await;
    assert_eq!(posted["status"], "posted");
    let reply =
        json!({ "sender": listener, "content": format!("The first, {speaker}."), "timeout_seconds": 0 });
    let answer = hears.call("send_message", reply).await;
    let message = &news(&answer)[0];
    assert_eq!(
        (&message["content"], &message["is_private"], &message["recipients"]),
        (&json!(content), &json!(true), &json!([listener]))
    );
    assert!(message["timestamp"].as_str().unwrap().ends_with("+00:00"));

    let state = alice.call("list_participants", json!({})).await;
    assert_eq!((&state["active_turn"], &state["message_count"]), (&json!(speaker), &json!(2)));
    assert_eq!(state["active_participants"].as_array().unwrap().len(), 3);
    let note = std::fs::read_to_string(house.notes().join("old/talk.md")).unwrap();
    assert!(note.contains(&format!("> {content}")) && note.contains("> The first"), "{note}");
}

#[tokio::test]
async fn an_answer_without_news_is_at_most_300_bytes() {
    let house = House::open().await;
    let bob = house.over_http().await;
    let alice = house.two_in_a_room("quiet", &bob).await;
    let look = json!({ "handle": "@Bob", "room": "quiet", "timeout_seconds": 0 });
    bob.call("wait_for_turn", look.clone()).await;
    for time in 1..=4 {
        let (status, bytes) = bob.size_of("wait_for_turn", look.clone()).await;
        assert_eq!(status, "timeout");
        assert!(bytes <= 300, "answer {time} without news has {bytes} bytes");
    }
    alice.call("leave_conversation", json!({ "handle": "@Alice", "room": "quiet" })).await;
}

#[tokio::test]
async fn the_catalogue_of_tools_is_at_most_10_kilobytes() {
    let house = House::open().await;
    let (stdio, _) = house.over_stdio_with(only_room).await;
    for client in [stdio, house.over_http_with("room").await] {
        let bytes = client.size_of_catalogue().await;
        assert!(bytes <= 10_000, "{bytes} bytes for {}", client.revision());
    }
    let without_puzzles = house.over_http_with("room,tasks").await.size_of_catalogue().await;
    assert!(without_puzzles <= 15_000, "{without_puzzles} bytes for rooms and tasks");
    let whole = house.over_http().await.size_of_catalogue().await;
    assert!(whole <= 20_000, "{whole} bytes for all toolsets");
}

#[tokio::test]
async fn a_client_is_shown_the_toolsets_that_it_asks_for_and_may_call_the_others() {
    let house = House::open_talkative(&["--toolsets", "tasks"]).await;
    let (stdio, _) = house.over_stdio_with(only_room).await;
    let clients = [
        ("tasks", house.over_http().await),
        ("tasks", house.over_stdio().await),
        ("room", stdio),
        ("room", house.over_http_with("room").await),
        ("room", house.over_old_http_with("room").await),
        ("room,tasks", house.over_old_http_with("tasks,room").await),
    ];
    for (shown, client) in clients {
        let tools = client.tools_with(&[]).await;
        for (set, tool) in [("room", "send_message"), ("tasks", "context_create")] {
            assert_eq!(tools.iter().any(|name| name == tool), shown.contains(set), "{shown}: {tools:?}");
        }
        assert!(client.call("context_list", json!({})).await["tasks"].is_array());
        assert!(client.call("list_conversations", json!({})).await["rooms"].is_array());
    }
}

/// A bridge that asks for the tools of conversations only.
fn only_room(command: &mut std::process::Command) {
    command.args(["--toolsets", "room"]);
}
