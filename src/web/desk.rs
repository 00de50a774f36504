//! What the HTTP side asks of the hub: a narrow list, so that the transports can be tested without rooms.

mod follow;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::machine;
use crate::hub::request::{Answer, Delete, Export};
use crate::hub::{Acknowledge, Caller, Hub, HubError, IfStarted, Receipt, ReportTurn, SafeWait, Session};
use crate::mcp::{CallToken, Receipts};
use crate::tools::{self, Outcome, Refused};
pub use follow::Watch;

/// The hub, as the HTTP side sees it.
#[async_trait]
pub trait Desk: Send + Sync + 'static {
    /// Calls a tool. Never dropped before it has ended: a call changes rooms.
    async fn call(&self, caller: &Caller, tool: &str, arguments: Map<String, Value>) -> Outcome;

    /// Does what a person asks for.
    async fn command(&self, caller: &Caller, command: Command) -> Outcome;

    /// How many rooms there are.
    async fn room_count(&self) -> usize;

    /// How many calls wait in rooms.
    fn open_waits(&self) -> usize;

    /// How long calls of clients may block when they name no time.
    fn safe_waits(&self) -> Vec<SafeWait>;

    /// The answer did not arrive: its messages are given again.
    fn take_back(&self, receipt: Receipt);

    /// A token for a new MCP request.
    fn issue(&self) -> CallToken;

    /// The whole answer of this request was sent; gives its receipt, if it can be taken back.
    fn answer_sent(&self, call: &CallToken) -> Option<Receipt>;

    /// The client of this request went away before the end of the answer: ends the call, takes the answer back.
    fn answer_cut(&self, call: &CallToken);

    /// The session is over.
    fn session_ended(&self, session: &Session);
}

/// What people may ask for beside the tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Tell what waits for people.
    Inbox {
        /// The revision that is known: wait until there is another one.
        known: Option<String>,
        /// How long to wait at most.
        wait: Duration,
    },
    /// Answer a question.
    Answer(Answer),
    /// Tell what was said in a room after a message, private words too.
    Follow {
        /// Which room.
        room: String,
        /// The newest message that is known; without it, the newest ones are told.
        after: Option<u64>,
        /// How many at most.
        limit: usize,
        /// How long to wait for something, if there is nothing.
        wait: Duration,
    },
    /// See what is said in all rooms, or in one, and who has the floor.
    Watch(Watch),
    /// Stop a room.
    Pause {
        /// Which room.
        room: Option<String>,
    },
    /// End a pause.
    Resume {
        /// Which room.
        room: Option<String>,
    },
    /// Open a room without those missing.
    Start {
        /// Which room.
        room: Option<String>,
    },
    /// Free a handle.
    Remove {
        /// Which room.
        room: Option<String>,
        /// Whose.
        handle: String,
    },
    /// Make a new key.
    Key {
        /// Which room.
        room: Option<String>,
        /// For whom.
        handle: String,
    },
    /// Tell who waits for whom.
    Why {
        /// Which room.
        room: Option<String>,
    },
    /// Tell a hook what waits for a handle.
    Remind {
        /// Which room; without it, all of the handle.
        room: Option<String>,
        /// Whose.
        handle: String,
        /// How long to wait for something; without it, not at all.
        wait: Option<Duration>,
    },
    /// Show the events of a room.
    Log {
        /// Which room.
        room: Option<String>,
    },
    /// Allow a folder for transcripts.
    Allow {
        /// An absolute path.
        folder: PathBuf,
    },
    /// Write everything into a new file.
    BackUp {
        /// An absolute path.
        file: PathBuf,
    },
    /// Make one file of a conversation.
    Export(Export),
    /// Delete a room for good.
    Delete(Delete),
    /// Take in what an agent tells of its turn in a task.
    Report(ReportTurn),
    /// Take note of the warnings of a task.
    Acknowledge(Acknowledge),
    /// Tell the machine of a puzzle.
    Machine {
        /// Which puzzle.
        puzzle: String,
    },
    /// Start the agent that a task waits for.
    StartNext {
        /// Which task.
        task: String,
        /// What to do if it was started for this turn.
        if_started: IfStarted,
    },
}

/// The real desk: the hub, and the receipts of MCP answers.
#[derive(Debug)]
pub struct HubDesk {
    hub: Arc<Hub>,
    receipts: Arc<Receipts>,
    /// Places for looks that wait.
    looks: Semaphore,
}

impl HubDesk {
    /// The desk of this hub.
    #[must_use]
    pub fn new(hub: Arc<Hub>, receipts: Arc<Receipts>) -> Self {
        let looks = Semaphore::new(hub.limits().waits);
        Self { hub, receipts, looks }
    }

    async fn obey(&self, caller: &Caller, command: Command) -> Result<Outcome, HubError> {
        let hub = &self.hub;
        let changed = match command {
            Command::Inbox { known, wait } => return Ok(done(self.inbox(caller, known, wait).await?)),
            Command::Answer(answer) => return Ok(Outcome::turn(&hub.answer(caller, answer).await?)),
            Command::Follow { room, after, limit, wait } => {
                return Ok(done(tools::said(&self.follow(caller, &room, after, limit, wait).await?)));
            }
            Command::Watch(watch) => return Ok(done(self.watch(caller, watch).await?)),
            Command::Pause { room } => hub.pause(caller, room.as_deref()).await?,
            Command::Resume { room } => hub.resume(caller, room.as_deref()).await?,
            Command::Start { room } => hub.start(caller, room.as_deref()).await?,
            Command::Remove { room, handle } => hub.remove(caller, room.as_deref(), &handle).await?,
            Command::Key { room, handle } => {
                let key = hub.new_key(caller, room.as_deref(), &handle).await?;
                return Ok(done(json!({"handle": handle, "key": key})));
            }
            Command::Why { room } => return Ok(done(self.why(caller, room.as_deref()).await?)),
            Command::Remind { room, handle, wait } => {
                return Ok(done(self.remind(caller, (&handle, room.as_deref()), wait).await?));
            }
            Command::Log { room } => {
                return Ok(done(json!({"events": hub.log(caller, room.as_deref()).await?})));
            }
            Command::Allow { folder } => {
                hub.allow(&folder).await?;
                return Ok(done(json!({"folder": folder})));
            }
            Command::BackUp { file } => {
                let made = hub.back_up(&file).await?;
                return Ok(done(json!({"file": file, "rooms": made.rooms, "bytes": made.bytes})));
            }
            Command::Export(export) => return Ok(done(tools::exported(&hub.export(caller, export).await?))),
            Command::Delete(delete) => return Ok(done(tools::deleted(&hub.delete(caller, delete).await?))),
            Command::Report(report) => return Ok(done(tools::reported(&hub.report_turn(report).await?))),
            Command::Machine { puzzle } => {
                return Ok(done(hub.look_at_puzzle(&puzzle, machine::json).await?));
            }
            Command::Acknowledge(seen) => {
                return Ok(done(tools::task_line(&hub.acknowledge_task(caller, seen).await?)));
            }
            Command::StartNext { task, if_started } => {
                return Ok(done(tools::started(&hub.start_next(caller, &task, if_started).await?)));
            }
        };
        Ok(done(tools::room_state(&changed)))
    }
}

impl HubDesk {
    async fn why(&self, caller: &Caller, room: Option<&str>) -> Result<Value, HubError> {
        let state = self.hub.room_state(caller, room).await?;
        Ok(tools::why(&state, &self.hub.inbox().await))
    }

    async fn remind(
        &self,
        caller: &Caller,
        (handle, room): (&str, Option<&str>),
        wait: Option<Duration>,
    ) -> Result<Value, HubError> {
        let reminded = match wait {
            None => self.hub.remind(caller, handle, room).await?,
            Some(wait) => self.hub.remind_later(caller, handle, room, wait).await?,
        };
        Ok(tools::reminded(&reminded))
    }
}

#[async_trait]
impl Desk for HubDesk {
    async fn call(&self, caller: &Caller, tool: &str, arguments: Map<String, Value>) -> Outcome {
        tools::call(&self.hub, caller, tool, arguments).await
    }

    async fn command(&self, caller: &Caller, command: Command) -> Outcome {
        self.obey(caller, command).await.unwrap_or_else(|error| Refused::from(error).into())
    }

    async fn room_count(&self) -> usize {
        self.hub.room_count().await
    }

    fn open_waits(&self) -> usize {
        self.hub.open_waits()
    }

    fn safe_waits(&self) -> Vec<SafeWait> {
        self.hub.safe_waits()
    }

    fn take_back(&self, receipt: Receipt) {
        self.hub.take_back(receipt);
    }

    fn issue(&self) -> CallToken {
        self.receipts.issue()
    }

    fn answer_sent(&self, call: &CallToken) -> Option<Receipt> {
        self.receipts.release(call)
    }

    fn answer_cut(&self, call: &CallToken) {
        self.receipts.cut(call);
    }

    fn session_ended(&self, session: &Session) {
        self.hub.session_ended(session);
    }
}

fn done(json: Value) -> Outcome {
    Outcome { json, is_error: false, receipt: None, asks: None }
}
