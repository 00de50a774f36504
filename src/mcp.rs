//! The MCP server.
//!
//! STAND-IN of the branch `web`: only what the transports need to compile. Replaced at the merge.

use std::path::PathBuf;
use std::sync::Arc;

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
}

impl Receipts {
    /// An empty registry.
    #[must_use]
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { hub }
    }

    /// The answer of the request did not arrive.
    pub fn cut(&self, _token: u64) {
        let _ = &self.hub;
    }

    /// The answer of the request arrived.
    pub fn forget(&self, _token: u64) {
        let _ = &self.hub;
    }
}

/// The server.
#[derive(Clone, Debug)]
pub struct Server {
    hub: Arc<Hub>,
    origin: Origin,
    receipts: Arc<Receipts>,
}

impl Server {
    /// A server for calls from `origin`.
    #[must_use]
    pub fn new(hub: Arc<Hub>, origin: Origin, receipts: Arc<Receipts>) -> Self {
        Self { hub, origin, receipts }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let _ = (&self.hub, &self.origin, &self.receipts);
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}
