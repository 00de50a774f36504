//! The MCP server.
//!
//! STAND-IN of the branch `web`: only what the transports need to compile. Replaced at the merge.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::ServerHandler;
use rmcp::model::{ServerCapabilities, ServerConfig};
use tokio_util::sync::CancellationToken;

use crate::hub::{Hub, Session};

/// Where the calls of a server come from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// How the session of a call is found.
    pub session: SessionSource,
    /// Folders for transcripts that the client brings along.
    pub folders: Vec<PathBuf>,
}

/// How the session of a call is found.
#[derive(Clone, Debug)]
pub enum SessionSource {
    /// All calls belong to this session.
    Fixed(Session),
    /// By the header `mcp-session-id` of the HTTP request.
    FromHttp,
}

/// Names one HTTP request; `web` puts it into the extensions of the request.
#[derive(Clone, Debug)]
pub struct CallToken {
    /// The number of the request.
    pub id: u64,
    /// Fires when the client went away before the whole answer was sent.
    pub gone: CancellationToken,
}

/// The receipts of answers, by HTTP request.
#[derive(Debug)]
pub struct Receipts {
    hub: Arc<Hub>,
    next: AtomicU64,
}

impl Receipts {
    /// No answers yet.
    #[must_use]
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { hub, next: AtomicU64::new(1) }
    }

    /// A token for a new request.
    #[must_use]
    pub fn issue(&self) -> CallToken {
        CallToken { id: self.next.fetch_add(1, Ordering::Relaxed), gone: CancellationToken::new() }
    }

    /// The response was cut before its end: ends the call if it still runs, and takes its answer back.
    pub fn cut(&self, call: &CallToken) {
        let _ = &self.hub;
        call.gone.cancel();
    }

    /// The response went out to its end.
    pub fn forget(&self, _call: &CallToken) {
        let _ = &self.hub;
    }
}

/// The server.
#[derive(Debug)]
pub struct Server {
    hub: Arc<Hub>,
    origin: Origin,
    receipts: Option<Arc<Receipts>>,
}

impl Server {
    /// A server for calls from `origin`.
    #[must_use]
    pub fn new(hub: Arc<Hub>, origin: Origin) -> Self {
        Self { hub, origin, receipts: None }
    }

    /// Registers the answers to HTTP requests.
    #[must_use]
    pub fn with_receipts(mut self, receipts: Arc<Receipts>) -> Self {
        self.receipts = Some(receipts);
        self
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let _ = (&self.hub, &self.origin, &self.receipts);
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}
