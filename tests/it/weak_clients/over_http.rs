//! The binary, over MCP of an older revision, whose sessions the hub knows.
//!
//! It speaks HTTP itself: a client library gives no call up in as many ways.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::door::{Door, Fate, Outcome, Reply};
use super::session::Session;
use crate::rmcp_clients::house::House;
use crate::support::{err, out, run};

/// How long a client listens for the end of what it has cancelled.
const AFTER_CANCELLING: Duration = Duration::from_secs(1);

type Sessions = HashMap<String, Arc<OnceCell<Session>>>;

/// The binary, with a data folder of its own.
pub(super) struct OverHttp {
    house: House,
    http: reqwest::Client,
    sessions: Mutex<Sessions>,
}

impl OverHttp {
    pub(super) async fn open() -> Self {
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { house: House::open().await, http, sessions: Mutex::default() }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().expect("no test panicked")
    }

    /// The session that a player calls so; it begins with its first call.
    async fn session(&self, name: &str) -> Arc<OnceCell<Session>> {
        let cell = Arc::clone(self.sessions().entry(name.to_owned()).or_default());
        cell.get_or_init(|| Session::begin(self.http.clone(), self.house.url())).await;
        cell
    }
}

#[async_trait]
impl Door for OverHttp {
    async fn call(&self, session: &str, tool: &str, arguments: &Value, fate: Fate) -> Outcome {
        let cell = self.session(session).await;
        let to = cell.get().expect("it has begun");
        let params = json!({ "name": tool, "arguments": arguments });
        // The hub has the call when its answer begins, so no cancellation overtakes it.
        let (id, response) = to.ask("tools/call", &params).await;
        let mut made = Box::pin(async move { to.answer(id, response).await.map(|result| reply(&result)) });
        match fate {
            Fate::Arrives => arrived(made.await),
            Fate::Unread => lost(made.await),
            Fate::Late => {
                let made = made.await;
                to.cancel(id).await;
                lost(made)
            }
            Fate::Cancelled(after) => {
                if let Ok(made) = timeout(after, &mut made).await {
                    return arrived(made);
                }
                to.cancel(id).await;
                lost(timeout(AFTER_CANCELLING, made).await.ok().flatten())
            }
            Fate::Dropped(after) => {
                if let Ok(made) = timeout(after, made).await {
                    return arrived(made);
                }
                // The hub cannot know whether what was already on the wire was read. So a client that went away
                // without a word comes back in a new session, and the old one ends by itself.
                self.sessions().remove(session);
                lost(None)
            }
        }
    }

    fn end_session(&self, session: &str) {
        let ended = self.sessions().remove(session);
        tokio::spawn(async move {
            if let Some(session) = ended.as_ref().and_then(|cell| cell.get()) {
                session.end().await;
            }
        });
    }

    async fn log(&self, room: &str) -> Vec<Value> {
        let (data, room) = (self.house.data(), room.to_owned());
        let printed = tokio::task::spawn_blocking(move || run(&data, &["log", "--room", &room]));
        let printed = printed.await.expect("the command runs");
        assert!(printed.status.success(), "{}", err(&printed));
        out(&printed).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn reply(result: &Value) -> Reply {
    let json = result["structuredContent"].clone();
    Reply { json, is_error: result["isError"] == true }
}

fn arrived(made: Option<Reply>) -> Outcome {
    Outcome { made: Some(made.expect("who does not give up gets an answer")), has_arrived: true }
}

fn lost(made: Option<Reply>) -> Outcome {
    Outcome { made, has_arrived: false }
}
