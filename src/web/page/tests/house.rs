//! A hub over memory with its page, and a browser that has come in.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::clock::Clock;
use crate::hub::{Caller, Hub, Mouth};
use crate::tools;
use crate::web::access::Access;
use crate::web::page::{Page, caller, routes};

pub(super) struct House {
    pub(super) page: Page,
    routes: Router,
    cookie: String,
    _folder: tempfile::TempDir,
}

impl House {
    /// With a room `talk` in which everyone may speak.
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let hub = Hub::in_memory(folder.path()).await;
        let access = Arc::new(Access::new("a token of a person that is long enough".into()));
        let link = access.link("", None);
        let code = link.split_once("code=").expect("a link has a code").1;
        let cookie = access.enter(code).expect("the link is good");
        let cookie = cookie.split(';').next().expect("a cookie has a value").to_owned();
        let page = Page { access, hub, clock: Clock::start() };
        let house = Self { routes: routes(page.clone()), page, cookie, _folder: folder };
        house.start("talk").await;
        house
    }

    /// Starts a room in which everyone may speak.
    pub(super) async fn start(&self, room: &str) {
        let room = json!({
            "filepath": format!("{room}.md"), "participants": ["@Ada", "@Bob"], "barrier": 0, "floor": "open",
            "max_agent_turns": 0,
        });
        self.tool("init_conversation", room).await;
    }

    /// Both agents join.
    pub(super) async fn join(&self, room: &str) {
        for handle in ["@Ada", "@Bob"] {
            self.tool("join_conversation", json!({ "handle": handle, "room": room })).await;
        }
    }

    pub(super) async fn tool(&self, name: &str, arguments: Value) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let outcome = self.page.call(&caller(), name, arguments).await;
        assert!(!outcome.is_error, "{}", outcome.json);
    }

    /// Makes a task.
    pub(super) async fn task(&self, title: &str, flow: &str) {
        let cast = json!({ "architect": "@Ada", "executor": "@Bob", "reviewer": "@Carol" });
        let task = json!({
            "title": title, "description": title, "creator": "@user", "role": "human", "flow": flow, "cast": cast,
        });
        self.tool("context_create", task).await;
    }

    /// Adds a puzzle.
    pub(super) async fn puzzle(&self, config: Value) {
        self.tool("add_puzzle", json!({ "config": config, "by": "@Ada" })).await;
    }

    /// Acts on a puzzle as an agent. It need not be done at once.
    pub(super) async fn act_on(&self, puzzle: &str, action: &str, actor: &str) {
        self.tool(
            "perform_action_on_puzzle",
            json!({ "puzzleId": puzzle, "actionName": action, "actor": actor }),
        )
        .await;
    }

    /// Publishes a record as an agent.
    pub(super) async fn publish(&self, task: &str, content_type: &str, summary: &str, more: Value) {
        let mut payload = json!({ "summary": summary, "body": summary });
        for (name, value) in more.as_object().expect("an object") {
            payload[name] = value.clone();
        }
        let record =
            json!({ "task_id": task, "role": "architect", "content_type": content_type, "payload": payload });
        let Value::Object(record) = record else { unreachable!() };
        let agent = Caller { is_verified: false, mouth: Mouth::Mcp, ..caller() };
        let outcome = tools::call(&self.page.hub, &agent, "context_publish", record).await;
        assert!(!outcome.is_error, "{}", outcome.json);
    }

    /// Posts as an agent.
    pub(super) async fn say(&self, content: &str) {
        self.say_in("talk", content).await;
    }

    /// Posts as an agent in a room.
    pub(super) async fn say_in(&self, room: &str, content: &str) {
        let message = json!({
            "sender": "@Ada", "content": content, "room": room, "block": false,
            "expects_reply": content.contains('@'),
        });
        self.tool("send_message", message).await;
    }

    /// All that was said in the room.
    pub(super) async fn said(&self) -> Vec<String> {
        let page = self.page.hub.everything_said("talk", Some(0), None, 500).await.expect("it can be read");
        page.messages.iter().map(|said| said.content.clone()).collect()
    }

    /// Asks as the browser that has come in.
    pub(super) fn get(&self, path: &str) -> Builder {
        Request::get(path).header(header::COOKIE, &self.cookie)
    }

    pub(super) async fn ask(&self, request: Request<Body>) -> Response {
        self.routes.clone().oneshot(request).await.expect("the routes answer")
    }

    pub(super) async fn load(&self, path: &str) -> (StatusCode, String) {
        let request = self.get(path).body(Body::empty()).expect("a request");
        read(self.ask(request).await).await
    }

    /// Sends a form of our page, as a browser without script does, or as the script does.
    pub(super) async fn send(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        accept: &str,
    ) -> (StatusCode, String) {
        let token = [("token", self.page.access.form_token())];
        let fields = token
            .iter()
            .chain(fields)
            .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        self.send_raw(path, fields.collect::<Vec<_>>().join("&"), accept).await
    }

    pub(super) async fn send_raw(&self, path: &str, form: String, accept: &str) -> (StatusCode, String) {
        self.send_with(None, path, form, accept).await
    }

    /// Sends words as the script of our page does that has this key.
    pub(super) async fn say_with(&self, key: &str, room: &str, content: &str) -> (StatusCode, String) {
        let form = format!("token={}&content={content}", self.page.access.form_token());
        self.send_with(Some(key), &format!("/rooms/{room}/say"), form, "application/json").await
    }

    /// Sends a form as the script of our page does in the browser of a person.
    pub(super) async fn act(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
        let fields = fields
            .iter()
            .map(|(name, value)| format!("&{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        let form = format!("token={}{}", self.page.access.form_token(), fields.collect::<String>());
        self.send_with(Some(self.page.access.page_key()), path, form, "application/json").await
    }

    async fn send_with(
        &self,
        key: Option<&str>,
        path: &str,
        form: String,
        accept: &str,
    ) -> (StatusCode, String) {
        let mut request = Request::post(path)
            .header(header::COOKIE, &self.cookie)
            .header(header::ACCEPT, accept)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(key) = key {
            request = request.header("x-turnroom-page", key);
        }
        read(self.ask(request.body(Body::from(form)).expect("a request")).await).await
    }
}

pub(super) async fn read(response: Response) -> (StatusCode, String) {
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a whole answer");
    (status, String::from_utf8(bytes.to_vec()).expect("text"))
}
