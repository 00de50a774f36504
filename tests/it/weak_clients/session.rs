//! One session of an older MCP client over HTTP.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::ACCEPT;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

const REVISION: &str = "2025-06-18";
const SESSION_HEADER: &str = "mcp-session-id";

/// One session.
#[derive(Debug)]
pub(super) struct Session {
    http: Client,
    url: String,
    id: String,
    asked: AtomicU64,
}

impl Session {
    /// Introduces a client to the hub.
    pub(super) async fn begin(http: Client, url: &str) -> Self {
        let mut session = Self { http, url: url.to_owned(), id: String::new(), asked: AtomicU64::new(0) };
        let about = json!({
            "protocolVersion": REVISION, "capabilities": {}, "clientInfo": { "name": "weak", "version": "1" },
        });
        let (id, response) = session.ask("initialize", &about).await;
        let named = response.headers().get(SESSION_HEADER).expect("a session");
        session.id = named.to_str().expect("text").to_owned();
        session.answer(id, response).await.expect("a hub that knows this revision");
        session.tell("notifications/initialized", &json!({})).await;
        session
    }

    /// Asks something. The answer may still have to be waited for; dropping it is going away.
    pub(super) async fn ask(&self, method: &str, params: &Value) -> (u64, Response) {
        let id = self.asked.fetch_add(1, Ordering::Relaxed);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        (id, self.post(&message).await)
    }

    /// The result of what was asked; nothing if it was cancelled.
    pub(super) async fn answer(&self, id: u64, response: Response) -> Option<Value> {
        let stream = response.text().await.expect("a whole stream");
        let events = stream.lines().filter_map(|line| line.strip_prefix("data:"));
        let mut messages = events.filter_map(|event| serde_json::from_str::<Value>(event).ok());
        let answer = messages.find(|message| message["id"] == id && message["method"].is_null())?;
        assert!(answer["error"].is_null(), "{answer}");
        Some(answer["result"].clone())
    }

    /// Takes back what was asked.
    pub(super) async fn cancel(&self, id: u64) {
        self.tell("notifications/cancelled", &json!({ "requestId": id })).await;
        // The hub does not say when it has heard; but it has when it answers what was said after.
        let (id, pong) = self.ask("ping", &json!({})).await;
        self.answer(id, pong).await.expect("a hub that is there");
    }

    /// Ends the session.
    pub(super) async fn end(&self) {
        let ended = self.with_names(self.http.delete(&self.url)).send().await;
        assert!(ended.expect("a connection").status().is_success(), "the session {} does not end", self.id);
    }

    async fn tell(&self, method: &str, params: &Value) {
        self.post(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    async fn post(&self, message: &Value) -> Response {
        let request = self.http.post(&self.url).header(ACCEPT, "application/json, text/event-stream");
        let response = self.with_names(request).json(message).send().await.expect("a connection");
        assert!(response.status().is_success(), "{} for {message}", response.status());
        response
    }

    fn with_names(&self, request: RequestBuilder) -> RequestBuilder {
        // The hub names the session in its first answer.
        if self.id.is_empty() {
            return request;
        }
        request.header(SESSION_HEADER, &self.id).header("mcp-protocol-version", REVISION)
    }
}
