//! Who makes a call, as far as the transport knows.

use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::puzzle::Verdict;

/// Of the name and the version that a client gives itself, so many characters count.
const MAX_NAME: usize = 100;

/// The session a call belongs to. A call acknowledges the last answer only of its own session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Session {
    /// A session with a beginning and an end: a stdio bridge, an MCP session over HTTP, an SSE stream.
    Named(Arc<str>),
    /// Calls that stand alone (MCP 2026-07-28 over HTTP, the terminal): all of them count as one session.
    Alone,
}

/// The way a word reached the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mouth {
    /// A tool call of an agent's client.
    Mcp,
    /// A command typed at, or piped through, a terminal.
    Terminal,
    /// The web page.
    Page,
    /// The reply note beside a transcript.
    Note,
}

/// A client program, as it calls itself (`clientInfo`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Client {
    /// Its name.
    pub name: String,
    /// Its version; empty if it tells none.
    pub version: String,
}

impl Client {
    /// What a client tells of itself: the start of it, if it is long.
    #[must_use]
    pub fn told(name: &str, version: &str) -> Self {
        let start = |text: &str| text.chars().take(MAX_NAME).collect();
        Self { name: start(name), version: start(version) }
    }
}

/// What can be asked at the client of a call, and what was said there.
#[derive(Clone, Debug, Default)]
pub struct AtClient {
    /// Whether it shows forms.
    pub form: bool,
    /// Whether its model can be asked.
    pub sampling: bool,
    /// What was said to the questions of this call so far.
    pub said: Vec<Verdict>,
}

/// Who makes a call.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Its session.
    pub session: Session,
    /// The way it came.
    pub mouth: Mouth,
    /// Whether it showed the hub's human token: nobody but a person has made it.
    pub is_verified: bool,
    /// The client program, if it told its name.
    pub client: Option<Client>,
    /// Folders for transcripts that the caller brings along (the bridge's `--transcripts`), first one first.
    /// Empty: the hub's own folders.
    pub folders: Vec<PathBuf>,
    /// What can be asked at its client.
    pub at_client: AtClient,
    /// Fires when the call is cancelled or its client goes away while the call runs.
    pub cancelled: CancellationToken,
}

impl Caller {
    /// One that shows no token, tells nothing of itself, and gives nothing up.
    #[must_use]
    pub fn new(session: Session, mouth: Mouth) -> Self {
        Self {
            session,
            mouth,
            is_verified: false,
            client: None,
            folders: Vec::new(),
            at_client: AtClient::default(),
            cancelled: CancellationToken::new(),
        }
    }
}
