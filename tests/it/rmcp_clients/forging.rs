//! Words of a person are verified when they come from the script of the page or from a person at a terminal. Everybody else
//! tries to have theirs taken for such.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client as Http, StatusCode};
use serde_json::{Value, json};

use super::house::{Client, House};
use super::secrets::Stranger;
use crate::support::run;

const HUMAN: HeaderName = HeaderName::from_static("x-turnroom-human");
const PAGE: HeaderName = HeaderName::from_static("x-turnroom-page");

/// A hub with one room for everybody and one for verified people, and what a forger may have found.
struct Scene {
    house: House,
    http: Http,
    alice: Client,
    base: String,
    token: String,
    human: String,
}

impl Scene {
    async fn open() -> Self {
        let house = House::open().await;
        let alice = house.over_stdio().await;
        for (room, is_strict) in [("free", false), ("strict", true)] {
            let room = json!({
                "filepath": format!("{room}.md"), "room": room, "participants": ["@Alice", "@Bob"],
                "barrier": 0, "floor": "open", "max_agent_turns": 0, "humans_verified_only": is_strict,
            });
            alice.call("init_conversation", room).await;
        }
        let read = |name: &str| {
            let token = std::fs::read_to_string(house.data().join(name)).expect("a token");
            token.trim().to_owned()
        };
        let (token, human) = (read("token"), read("human-token"));
        let base = house.url().trim_end_matches("/mcp").to_owned();
        let http =
            Http::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        Self { house, http, alice, base, token, human }
    }

    fn headers(shown: &[(HeaderName, &str)]) -> HeaderMap {
        let value = |value: &str| HeaderValue::from_str(value).expect("a header");
        shown.iter().map(|(name, shown)| (name.clone(), value(shown))).collect()
    }

    /// Asks the API, with these headers.
    async fn api(&self, path: &str, shown: &[(HeaderName, &str)], body: &Value) -> (StatusCode, Value) {
        let post = self.http.post(format!("{}/api/{path}", self.base)).headers(Self::headers(shown));
        let answer = post.json(body).send().await.expect("an answer");
        let status = answer.status();
        let text = answer.text().await.expect("text");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    async fn say(&self, shown: &[(HeaderName, &str)], room: &str) -> (StatusCode, Value) {
        let words = json!({ "sender": "@user", "content": "over the API", "room": room, "block": false });
        self.api("tools/send_message", shown, &words).await
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Everything in a room, as a person sees it.
    async fn said(&self, room: &str) -> Vec<Value> {
        let look = json!({ "room": room, "after_seq_id": 0, "limit": 500 });
        let (status, answer) = self.api("commands/follow", &[(AUTHORIZATION, &self.bearer())], &look).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["messages"].as_array().expect("messages").clone()
    }

    /// Posts a form of the page, with this cookie and form token.
    async fn form(&self, cookie: &str, token: &str, room: &str) -> StatusCode {
        self.form_with(&[(COOKIE, cookie)], token, room).await
    }

    async fn form_with(&self, shown: &[(HeaderName, &str)], token: &str, room: &str) -> StatusCode {
        let form = format!("token={token}&handle=%40user&content=by%20a%20form");
        let post = self.http.post(format!("{}/rooms/{room}/say", self.base)).body(form);
        let post = post.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        post.headers(Self::headers(shown)).send().await.expect("an answer").status()
    }

    /// Comes in by a link, as a browser: gives the cookie, and the key that the fragment has.
    async fn enter(&self) -> (String, String) {
        let shown: [(HeaderName, &str); 2] = [(AUTHORIZATION, &self.bearer()), (HUMAN, &self.human)];
        let (_, link) = self.api("commands/link", &shown, &json!({})).await;
        let link = link["url"].as_str().expect("a link");
        let looked = self.http.head(link).send().await.expect("an answer");
        assert!(!looked.headers().contains_key("set-cookie"), "who only looks does not use it up");
        let entered = self.http.get(link).send().await.expect("an answer");
        let cookie = entered.headers()["set-cookie"].to_str().expect("text");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        let cookie = cookie.split(';').next().expect("a cookie").to_owned();
        let key = entered.headers()["location"]
            .to_str()
            .expect("text")
            .split_once("#key=")
            .expect("a key")
            .1
            .to_owned();
        let again = self.http.get(link).send().await.expect("an answer");
        assert!(again.status().is_client_error() && !again.headers().contains_key("set-cookie"));
        let again = self.http.get(link).header(COOKIE, &cookie).send().await.expect("an answer");
        assert_eq!(again.headers()["location"], "/", "the cookie alone gives no key");
        (cookie, key)
    }
}

#[tokio::test]
async fn no_word_of_a_supervisor_or_a_script_is_verified() {
    let scene = Scene::open().await;
    let words =
        |content: &str| json!({ "sender": "@user", "content": content, "room": "free", "block": false });
    let clients = [&scene.alice, &scene.house.over_http().await, &scene.house.over_old_http().await];
    for (number, client) in clients.into_iter().enumerate() {
        client.call("send_message", words(&format!("by client {number}"))).await;
        for field in ["verified", "via", "mouth", "is_verified", "human_token"] {
            let mut forged = words("by a field");
            forged[field] = json!(true);
            assert!(client.refusal("send_message", forged).await.is_some(), "{field}");
        }
    }
    let mut stranger = Stranger::come_with(&scene.house, Scene::headers(&[(HUMAN, &scene.human)])).await;
    stranger.call("send_message", &words("with the header of a terminal")).await;
    assert!(stranger.heard().contains("posted"), "{}", stranger.heard());

    let data = scene.house.data();
    let script = move || run(&data, &["say", "free", "from a script"]);
    assert!(tokio::task::spawn_blocking(script).await.unwrap().status.success());
    let (status, answer) = scene.say(&[(AUTHORIZATION, &scene.bearer())], "free").await;
    assert_eq!(status, StatusCode::OK, "{answer}");

    let said = scene.said("free").await;
    let of_user: Vec<_> = said.iter().filter(|said| said["sender"] == "@user").collect();
    assert_eq!(of_user.len(), 6, "{said:?}");
    assert!(of_user.iter().all(|said| said["verified"] != true), "{of_user:?}");
}

#[tokio::test]
async fn wrong_tokens_open_nothing_and_the_right_ones_verify() {
    let scene = Scene::open().await;
    let (bearer, human) = (scene.bearer(), scene.human.clone());
    let human_as_bearer = format!("Bearer {human}");
    let wrong: [&[(HeaderName, &str)]; 6] = [
        &[(HUMAN, &human)],
        &[(AUTHORIZATION, &human_as_bearer)],
        &[(AUTHORIZATION, &bearer), (HUMAN, "")],
        &[(AUTHORIZATION, &bearer), (HUMAN, &scene.token)],
        &[(AUTHORIZATION, &bearer), (HUMAN, &human[1..])],
        &[(AUTHORIZATION, &bearer), (HUMAN, &human_as_bearer)],
    ];
    for shown in wrong {
        let (status, answer) = scene.say(shown, "free").await;
        assert!(status.is_client_error(), "{shown:?}: {status} {answer}");
        assert!(!answer.to_string().contains(&human), "{answer}");
    }
    assert!(scene.said("free").await.is_empty(), "nothing was said");

    let (status, answer) = scene.say(&[(AUTHORIZATION, &bearer), (HUMAN, &human)], "strict").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(scene.said("strict").await.last().unwrap()["verified"], true);
}

#[tokio::test]
async fn a_form_needs_the_cookie_and_the_token_of_a_page_and_to_be_verified_its_key() {
    let scene = Scene::open().await;
    let link = json!({});
    let (status, _) = scene.api("commands/link", &[(AUTHORIZATION, &scene.bearer())], &link).await;
    assert!(status.is_client_error(), "a link is for people only");
    let (cookie, key) = scene.enter().await;

    let page = scene.http.get(format!("{}/rooms/strict", scene.base)).header(COOKIE, &cookie).send().await;
    let page = page.unwrap().text().await.unwrap();
    let token = page.split(r#"name="token" value=""#).nth(1).unwrap().split('"').next().unwrap();
    for secret in [&scene.human, &key] {
        assert!(!page.contains(secret) && !cookie.contains(secret));
    }

    let name = cookie.split_once('=').unwrap().0;
    for value in ["", "x", &scene.human, &scene.token, token, &key] {
        assert!(scene.form(&format!("{name}={value}"), token, "strict").await.is_client_error(), "{value}");
    }
    let cookie_value = cookie.split_once('=').unwrap().1;
    for wrong in ["", "x", &scene.human, &scene.token, cookie_value, &key] {
        assert_eq!(scene.form(&cookie, wrong, "strict").await, StatusCode::FORBIDDEN, "{wrong}");
    }
    assert_eq!(scene.form(&cookie, token, "strict").await, StatusCode::UNPROCESSABLE_ENTITY);
    for wrong in ["", "x", &scene.human, &scene.token, cookie_value, token] {
        let status = scene.form_with(&[(COOKIE, &cookie), (PAGE, wrong)], token, "strict").await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    assert!(scene.form_with(&[(PAGE, &key)], token, "strict").await.is_client_error(), "without the cookie");
    assert!(scene.said("strict").await.is_empty(), "nothing was said");

    assert_eq!(scene.form(&cookie, token, "free").await, StatusCode::SEE_OTHER);
    assert_ne!(scene.said("free").await.last().unwrap()["verified"], true);
    let status = scene.form_with(&[(COOKIE, &cookie), (PAGE, &key)], token, "strict").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(scene.said("strict").await.last().unwrap()["verified"], true);
}

#[tokio::test]
async fn where_people_are_verified_only_nobody_else_does_anything_in_their_name() {
    let scene = Scene::open().await;
    let before = scene.alice.call("list_participants", json!({ "room": "strict" })).await;
    let as_user = |more: Value| {
        let mut arguments = json!({ "handle": "@user", "room": "strict" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let speak = json!({ "sender": "@user", "content": "@Bob, go", "room": "strict", "block": false });
    let tools = [
        ("send_message", speak),
        ("wait_for_turn", as_user(json!({ "request_turn": true, "timeout_seconds": 0 }))),
        ("join_conversation", as_user(json!({ "name": "The boss" }))),
        ("pass_turn", as_user(json!({ "to": "@Bob" }))),
        ("close_conversation", as_user(json!({}))),
    ];
    for (tool, arguments) in tools {
        let code = scene.alice.refusal(tool, arguments).await;
        assert_eq!(code.as_deref(), Some("not_verified"), "{tool}");
    }
    let bearer = scene.bearer();
    for command in ["pause", "resume", "start", "remove", "answer", "delete"] {
        let needed = match command {
            "remove" => json!({ "handle": "@Bob" }),
            "answer" => json!({ "handle": "@user", "seq_id": 1, "content": "yes" }),
            _ => json!({}),
        };
        let mut words = json!({ "room": "strict" });
        words.as_object_mut().unwrap().extend(needed.as_object().unwrap().clone());
        let (status, answer) =
            scene.api(&format!("commands/{command}"), &[(AUTHORIZATION, &bearer)], &words).await;
        assert!(status.is_client_error(), "{command}: {status} {answer}");
        assert_eq!(answer["error"]["code"], "not_verified", "{command}: {answer}");
    }
    assert_eq!(scene.alice.call("list_participants", json!({ "room": "strict" })).await, before);
    assert!(scene.said("strict").await.is_empty(), "nothing was said");
}
