//! The MCP server: hands calls to `tools`, and serves resources, prompts and completions.
//!
//! It knows the protocol and nothing of turns. It keeps nothing that outlives a connection but the receipts of
//! answers, by which an answer that did not arrive is taken back. It asks the client only what a guard of a puzzle
//! wants to know.

mod asking;
mod audience;
mod call;
mod completion;
mod handler;
mod heartbeat;
mod info;
mod kept;
mod listing;
mod logging;
mod misfit;
mod origin;
mod prompts;
mod questions;
mod receipts;
mod resources;
mod subscriptions;

use std::sync::{Arc, Mutex};

use rmcp::model::RequestId;

use crate::hub::{Hub, Moment};

use logging::Logging;
use receipts::Recent;
use subscriptions::Subscriptions;

pub use asking::Seals;
pub use audience::{Audience, Audiences, Listener};
pub use kept::KeptSubscriptions;
pub use origin::{Origin, REPEATED, SessionSource};
pub use questions::Marked;
pub use receipts::{CallToken, Receipts};

pub use crate::tools::{Toolsets, UnknownToolset};

/// Late cancellations come within seconds; this many calls of one connection are remembered for them.
const REMEMBERED_CALLS: usize = 128;

/// No message of a client may be longer (bytes), on any way in: a text of 1 MiB fits, however it is escaped.
pub const MAX_MESSAGE: usize = 8 << 20;

/// Serves one connection: a stdio bridge, an SSE stream, or an MCP session over HTTP; for the revisions without
/// sessions, one request. It is cheap to make.
#[derive(Debug)]
pub struct Server {
    hub: Arc<Hub>,
    origin: Origin,
    /// What is listed for a client that wants nothing else.
    toolsets: Toolsets,
    /// Answers by the request they answer, for cancellations that come late.
    answers: Mutex<Recent<RequestId>>,
    /// Answers by HTTP request, for responses that are cut.
    receipts: Option<Arc<Receipts>>,
    /// What clients bring back with their answers.
    seals: Arc<Seals>,
    /// What has changed since is told to a session from its beginning on.
    begun: Moment,
    subscriptions: Subscriptions,
    logging: Logging,
}

impl Server {
    /// A server for one connection.
    #[must_use]
    pub fn new(hub: Arc<Hub>, seals: Arc<Seals>, origin: Origin) -> Self {
        Self {
            hub,
            origin,
            toolsets: Toolsets::default(),
            answers: Mutex::new(Recent::new(REMEMBERED_CALLS)),
            receipts: None,
            seals,
            begun: Moment::now(),
            subscriptions: Subscriptions::default(),
            logging: Logging::default(),
        }
    }

    /// Lists only these tools for a client that names none. Calls of the others work too.
    #[must_use]
    pub fn with_toolsets(mut self, toolsets: Toolsets) -> Self {
        self.toolsets = toolsets;
        self
    }

    /// Registers the answers to HTTP requests that carry a [`CallToken`], so that the transport can take back
    /// those whose response is cut.
    #[must_use]
    pub fn with_receipts(mut self, receipts: Arc<Receipts>) -> Self {
        self.receipts = Some(receipts);
        self
    }
}
