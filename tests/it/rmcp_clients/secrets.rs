//! What only some may know stays with them: private words, and keys.

use std::path::Path;
use std::sync::{Arc, Mutex};

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::house::{Client, House};

/// Stands in private messages only, whole and in parts.
const SECRET: &str = "Rumpelstilzchen";
/// As much of it as a completion or a search might be asked for.
const START: &str = "Rumpelst";

/// An agent that belongs to the room, but is no recipient. It speaks HTTP by hand, and keeps every byte it gets.
pub(super) struct Stranger {
    http: reqwest::Client,
    url: String,
    session: Option<String>,
    heard: Arc<Mutex<String>>,
    next: u64,
}

impl Stranger {
    /// One with a session, and with an open stream on which it is told of things.
    async fn come(house: &House) -> Self {
        Self::come_with(house, HeaderMap::new()).await
    }

    /// One that shows these headers with everything it asks.
    pub(super) async fn come_with(house: &House, headers: HeaderMap) -> Self {
        let http = reqwest::Client::builder().default_headers(headers).build().expect("a client");
        let heard = Arc::default();
        let mut stranger = Self { http, url: house.url().to_owned(), session: None, heard, next: 0 };
        let client = json!({ "name": "stranger", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let response = stranger.send("initialize", &hello).await;
        stranger.session =
            response.headers().get("mcp-session-id").map(|id| id.to_str().expect("it holds here").to_owned());
        stranger.keep(response).await;
        let ready = stranger.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        stranger.keep(ready).await;
        let get = stranger.http.get(&stranger.url).header("accept", "text/event-stream");
        let mut stream = get
            .header("mcp-session-id", stranger.session.clone().expect("it holds here"))
            .send()
            .await
            .expect("an answer");
        let heard = stranger.heard.clone();
        tokio::spawn(async move {
            while let Ok(Some(bytes)) = stream.chunk().await {
                heard.lock().expect("nobody panics with it").push_str(&String::from_utf8_lossy(&bytes));
            }
        });
        stranger
    }

    async fn post(&self, message: &Value) -> reqwest::Response {
        let mut post = self.http.post(&self.url).header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            post = post.header("mcp-session-id", session);
        }
        post.json(message).send().await.expect("an answer")
    }

    async fn send(&mut self, method: &str, params: &Value) -> reqwest::Response {
        self.next += 1;
        self.post(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params })).await
    }

    async fn keep(&self, response: reqwest::Response) {
        let text = response.text().await.expect("text");
        self.heard.lock().expect("nobody panics with it").push_str(&text);
    }

    /// Asks, and keeps whatever comes back.
    async fn ask(&mut self, method: &str, params: &Value) {
        let response = self.send(method, params).await;
        self.keep(response).await;
    }

    pub(super) async fn call(&mut self, tool: &str, arguments: &Value) {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments })).await;
    }

    pub(super) fn heard(&self) -> String {
        self.heard.lock().expect("nobody panics with it").clone()
    }
}

/// Tells a secret in every way there is: words, choices, an answer to a person, a private word to `@user`.
async fn tell_secrets(alice: &Client, bob: &Client) {
    let private = |sender: &str, content: String, to: &str| json!({ "sender": sender, "content": content, "is_private": true, "recipients": [to], "room": "talk", "block": false });
    let first = alice.call("send_message", private("@Alice", format!("The name is {SECRET}."), "@Bob")).await;
    let mut answer = private("@Bob", format!("{SECRET}? {START} indeed."), "@Alice");
    answer["reply_to"] = first["posted"]["seq_id"].clone();
    answer["choices"] = json!([SECRET]);
    answer["request_id"] = "the-answer".into();
    bob.call("send_message", answer).await;
    alice.call("send_message", private("@Alice", format!("Is {SECRET} right?"), "@user")).await;
    let public = json!({ "sender": "@Bob", "content": "Guess, @Eve", "room": "talk", "block": false });
    bob.call("send_message", public).await;
}

/// Every tool, as a handle, with arguments that look for the secret.
async fn pry_with_tools(stranger: &mut Stranger, handle: &str) {
    let own = |more: Value| {
        let mut arguments = json!({ "handle": handle, "room": "talk" });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    stranger.call("join_conversation", &own(json!({ "history": 100, "timeout_seconds": 0 }))).await;
    for query in [SECRET, START, "name", "indeed OR name", "*"] {
        stranger.call("search_messages", &own(json!({ "query": query }))).await;
    }
    stranger.call("read_messages", &own(json!({}))).await;
    stranger.call("read_messages", &own(json!({ "after_seq_id": 0, "limit": 500 }))).await;
    for seq in 0..12 {
        stranger.call("read_messages", &own(json!({ "after_seq_id": seq, "before_seq_id": seq + 2 }))).await;
        let mut reply =
            json!({ "sender": handle, "content": "what was that, @Bob?", "room": "talk", "block": false });
        reply["reply_to"] = seq.into();
        stranger.call("send_message", &reply).await;
    }
    let mut same_id = json!({ "sender": handle, "content": "mine, @Bob", "room": "talk", "block": false });
    same_id["request_id"] = "the-answer".into();
    stranger.call("send_message", &same_id).await;
    for room in ["talk", "*"] {
        stranger
            .call("wait_for_turn", &json!({ "handle": handle, "room": room, "timeout_seconds": 0 }))
            .await;
    }
    stranger.call("wait_for_turn", &own(json!({ "after_seq_id": 0, "timeout_seconds": 0 }))).await;
    stranger.call("wait_for_turn", &own(json!({ "request_turn": true, "timeout_seconds": 0 }))).await;
    stranger.call("list_participants", &json!({ "room": "talk" })).await;
    stranger.call("list_conversations", &json!({})).await;
    stranger.call("pass_turn", &own(json!({ "to": SECRET[..4] }))).await;
    stranger.call("close_conversation", &own(json!({}))).await;
    stranger
        .call("init_conversation", &json!({ "filepath": "talk.md", "participants": [handle], "barrier": 0 }))
        .await;
    stranger.call("leave_conversation", &own(json!({}))).await;
}

/// Every resource, prompt and completion.
async fn pry_with_the_rest(stranger: &mut Stranger) {
    for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
        stranger.ask(method, &json!({})).await;
    }
    for uri in ["turnroom://rooms", "turnroom://room/talk", "turnroom://room/talk/1", "turnroom://task/talk"]
    {
        stranger.ask("resources/read", &json!({ "uri": uri })).await;
    }
    for prompt in ["join_room", "supervise_room", "start_debate"] {
        let arguments = json!({ "handle": "@Eve", "room": "talk", "topic": "talk" });
        stranger.ask("prompts/get", &json!({ "name": prompt, "arguments": arguments })).await;
        for argument in ["room", "handle", "topic", "participants"] {
            for value in ["", START] {
                let reference = json!({ "type": "ref/prompt", "name": prompt });
                let asked = json!({ "ref": reference, "argument": { "name": argument, "value": value } });
                stranger.ask("completion/complete", &asked).await;
            }
        }
    }
}

#[tokio::test]
async fn private_words_reach_nobody_else_by_any_path() {
    let house = House::open_talkative(&[]).await;
    let (alice, bob) = (house.over_stdio().await, house.over_http().await);
    let mut eve = Stranger::come(&house).await;
    let room = json!({
        "filepath": "talk.md", "room": "talk", "participants": ["@Alice", "@Bob", "@Eve"], "barrier": 0,
        "floor": "open", "max_agent_turns": 0,
    });
    alice.call("init_conversation", room).await;
    alice.call("join_conversation", json!({ "handle": "@Alice", "room": "talk" })).await;
    bob.call("join_conversation", json!({ "handle": "@Bob", "room": "talk" })).await;
    eve.ask("logging/setLevel", &json!({ "level": "debug" })).await;
    for uri in ["turnroom://rooms", "turnroom://room/talk"] {
        eve.ask("resources/subscribe", &json!({ "uri": uri })).await;
    }
    eve.call("join_conversation", &json!({ "handle": "@Eve", "room": "talk" })).await;

    tell_secrets(&alice, &bob).await;
    // One who was there, one who was told to come, and comes late, and again; and one whom nobody expected.
    for handle in ["@Eve", "@Eve", "@Mallory"] {
        pry_with_tools(&mut eve, handle).await;
    }
    pry_with_the_rest(&mut eve).await;

    // An update comes by another way than an answer, so it may be later.
    while !eve.heard().contains("notifications/resources/updated") {
        eve.call("list_conversations", &json!({})).await;
    }

    let heard = eve.heard();
    for expected in ["Guess, @Eve", "prompts", "seq_id"] {
        assert!(heard.contains(expected), "the test does not hear what it should: {expected}");
    }
    assert!(!heard.contains("indeed") && !heard.contains("The name is"), "{heard}");
    // What she asked for herself comes back in errors; so her own words are left out.
    let asked_back = heard.replace(&format!("`{START}"), "").replace(&format!("`{SECRET}"), "");
    assert!(!asked_back.contains(SECRET) && !asked_back.contains(START), "{asked_back}");
    let log = house.log();
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "the hub is not talkative: {log}");
    assert!(!log.contains(SECRET) && !log.contains(START), "{log}");

    // Those for whom it is have it, also by the search; and so has the person's note.
    let search = json!({ "handle": "@Bob", "room": "talk", "query": SECRET });
    assert_eq!(bob.call("search_messages", search).await["hits"].as_array().expect("it holds here").len(), 2);
    let read = alice.call("read_messages", json!({ "handle": "@Alice", "room": "talk" })).await;
    let has_it = |message: &Value| message["content"].as_str().expect("it holds here").contains(SECRET);
    assert!(read["messages"].as_array().expect("it holds here").iter().any(has_it), "{read}");
    assert!(std::fs::read_to_string(house.notes().join("talk.md")).expect("it holds here").contains(SECRET));
}

#[tokio::test]
async fn keys_and_invites_are_nowhere_on_the_disk_and_not_in_the_log() {
    let house = House::open_talkative(&[]).await;
    let alice = house.over_old_http().await;
    let room = json!({ "filepath": "keyed.md", "room": "keyed", "participants": ["@Alice"], "barrier": 0, "identity": "keyed" });
    let made = alice.call("init_conversation", room).await;
    let invite = made["invites"][0]["key"].as_str().expect("an invite").to_owned();
    let join = json!({ "handle": "@Alice", "room": "keyed", "key": invite, "timeout_seconds": 0 });
    let key = alice.call("join_conversation", join).await["key"].as_str().expect("a key").to_owned();
    let post =
        json!({ "sender": "@Alice", "content": "hello @user", "room": "keyed", "key": key, "block": false });
    alice.call("send_message", post).await;
    let mut bytes = house.log().into_bytes();
    collect(&house.data(), &mut bytes);
    collect(&house.notes(), &mut bytes);
    let text = String::from_utf8_lossy(&bytes).to_lowercase();
    assert!(text.contains("hello @user"), "what is looked through is what was written");
    for secret in [&invite, &key] {
        assert!(!text.contains(&secret.to_lowercase()), "{secret} is stored as it is");
    }
}

/// Every byte of every file below a folder.
fn collect(folder: &Path, bytes: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, bytes);
        } else if path.is_file() {
            match std::fs::read(&path) {
                Ok(read) => bytes.extend(read),
                // The hub has put it in place under another name.
                Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}", path.display()),
            }
        }
    }
}
