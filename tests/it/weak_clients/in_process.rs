//! A hub in this process, over a journal in memory.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;
use turnroom::hub::{Caller, Hub, Mouth, Session, Settings};
use turnroom::journal::MemoryJournal;
use turnroom::journal::search::MemorySearch;
use turnroom::tools;

use super::door::{Door, Fate, Outcome, Reply};

/// A hub in this process.
pub(super) struct InProcess {
    hub: Arc<Hub>,
    _folder: TempDir,
}

impl InProcess {
    pub(super) async fn open() -> Self {
        let folder = TempDir::new().expect("a folder");
        let settings = Settings { folders: vec![folder.path().to_owned()], ..Settings::default() };
        let (journal, search) = (Arc::new(MemoryJournal::new()), Arc::new(MemorySearch::new()));
        let hub = Hub::open(journal, search, settings).await.expect("an empty journal can be read");
        Self { hub: Arc::new(hub), _folder: folder }
    }

    pub(super) async fn shut_down(&self) {
        self.hub.stop();
        self.hub.shut_down().await;
    }

    async fn made(&self, caller: &Caller, tool: &str, arguments: &Value) -> tools::Outcome {
        let arguments = arguments.as_object().expect("arguments are an object").clone();
        tools::call(&self.hub, caller, tool, arguments).await
    }

    /// What a transport does with an answer that nobody waits for any more.
    fn lose(&self, made: tools::Outcome) -> Outcome {
        if let Some(receipt) = made.receipt {
            self.hub.take_back(receipt);
        }
        Outcome { made: Some(reply(made)), has_arrived: false }
    }

    async fn cancelled(&self, caller: &Caller, tool: &str, arguments: &Value, after: Duration) -> Outcome {
        let mut call = std::pin::pin!(self.made(caller, tool, arguments));
        tokio::select! {
            biased;
            made = &mut call => return arrived(made),
            () = sleep(after) => caller.cancelled.cancel(),
        }
        self.lose(call.await)
    }
}

#[async_trait]
impl Door for InProcess {
    async fn call(&self, session: &str, tool: &str, arguments: &Value, fate: Fate) -> Outcome {
        let caller = caller(session);
        match fate {
            Fate::Arrives => arrived(self.made(&caller, tool, arguments).await),
            Fate::Cancelled(after) => self.cancelled(&caller, tool, arguments, after).await,
            Fate::Dropped(after) => {
                let made = tokio::time::timeout(after, self.made(&caller, tool, arguments)).await;
                made.map_or(Outcome { made: None, has_arrived: false }, arrived)
            }
            Fate::Late => self.lose(self.made(&caller, tool, arguments).await),
            Fate::Unread => {
                Outcome { has_arrived: false, ..arrived(self.made(&caller, tool, arguments).await) }
            }
        }
    }

    fn end_session(&self, session: &str) {
        self.hub.session_ended(&caller(session).session);
    }

    async fn log(&self, room: &str) -> Vec<Value> {
        self.hub.log(&caller("judge"), Some(room)).await.expect("the log can be read")
    }
}

fn caller(session: &str) -> Caller {
    Caller::new(Session::Named(session.into()), Mouth::Mcp)
}

fn arrived(made: tools::Outcome) -> Outcome {
    Outcome { made: Some(reply(made)), has_arrived: true }
}

fn reply(made: tools::Outcome) -> Reply {
    Reply { json: made.json, is_error: made.is_error }
}
