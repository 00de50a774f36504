//! The stdio bridge: `turnroom stdio` on the client's side, and the hub's side of it.
//!
//! An MCP client starts one process per server; turnroom is one hub for all. So the process that a client starts only
//! passes lines on, between its stdin and stdout and a socket of the hub. It understands as much of JSON-RPC as it
//! needs to go on after the hub was restarted: which requests have no answer yet, and how the client introduced itself.

mod find;
mod hello;
mod host;
mod ledger;
mod relay;
mod sound;
mod stdin;

use std::path::PathBuf;
use std::time::Duration;

use crate::paths::DataFolder;
use crate::platform::process::Parent;

pub use host::Host;

pub use crate::mcp::Toolsets;

/// How often the bridge looks whether the process that started it still lives.
const GLANCE: Duration = Duration::from_millis(500);

/// What a bridge is told at its start.
#[derive(Clone, Debug)]
pub struct BridgeOptions {
    /// The data folder of the hub.
    pub folder: DataFolder,
    /// Where this client's transcripts may lie, first one first.
    pub transcripts: Vec<PathBuf>,
    /// The tools that this client is shown; else those that the hub shows.
    pub toolsets: Option<Toolsets>,
}

/// Why a bridge ends before its client.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// A folder that cannot be told to the hub.
    #[error("the folder `{}` has no name that can be passed on", .0.display())]
    Folder(PathBuf),
    /// No note could lie there.
    #[error("`--transcripts {}` is no folder; name a folder, or a path at which one can be made", .0.display())]
    NoFolder(PathBuf),
    /// The hub does not want this bridge.
    #[error("{0}")]
    Refused(String),
    /// A hub cannot be started.
    #[error("the hub cannot be started")]
    Start(#[source] std::io::Error),
    /// A hub was started and ended.
    #[error("the hub that was started has ended; `{}` says why: {tail}", .log.display())]
    Ended {
        /// Its log.
        log: PathBuf,
        /// The last lines of it.
        tail: String,
    },
    /// No hub has come in time.
    #[error("no hub answers, although one was started; see `{}`", .log.display())]
    Silent {
        /// The log of the hub.
        log: PathBuf,
    },
}

/// Connects the MCP client behind stdin and stdout with the hub, until the client ends. Starts a hub if none runs.
/// A runtime on one thread is enough.
///
/// # Errors
/// If there is no hub and none can be started, or if the hub is of another make.
pub async fn run(options: BridgeOptions) -> Result<(), BridgeError> {
    let parent = Parent::remember();
    let hello = hello::Hello::of_this_process(&options.transcripts, parent.pid())?;
    let hello = hello.with_toolsets(options.toolsets.as_ref());
    let way = find::Finder::new(options.folder, options.transcripts, hello);
    let (lines, gone) = stdin::read();
    tokio::select! {
        ended = relay::relay(lines, gone, tokio::io::stdout(), way) => ended,
        () = orphaned(parent) => Ok(()),
    }
}

/// Comes back when the process that started this one has died, even if somebody else still holds our stdin open.
async fn orphaned(parent: Parent) {
    let mut glance = tokio::time::interval(GLANCE);
    while !parent.is_gone() {
        glance.tick().await;
    }
}
