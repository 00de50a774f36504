//! `turnroom serve`: puts hub and listeners together, and runs them until somebody asks it to stop.
//!
//! **Invariant (one hub per folder):** the lock of the data folder is taken first and given back last; the note how to
//! reach the hub is written when everything listens, and removed before anything ends.

mod agents;
mod bind;
mod check;
mod connections;
mod doors;
mod ending;
mod judges;
mod notice;
mod open;
mod repositories;
mod telling;
mod token;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::bridge::Host;
use crate::clock::Clock;
use crate::config::{Config, Places};
use crate::hub::{Hub, Session};
use crate::mcp::{MAX_MESSAGE, Origin, Receipts, Seals, Server};
use crate::paths::{AddressError, DataFolder, HubAddress, HubLock, LockError};
use crate::platform::process::{StopSignals, detach, outlive_size_limits, raise_file_limit};
use crate::platform::socket;
use crate::secret;
use crate::web::{About, Access, Clients, Guard, HubDesk, Parts, Web};

pub use bind::BindError;
pub use check::BadOption;
use doors::Doors;
use ending::Ending;
use open::Before;
pub use open::{OpenError, learned_waits};
use telling::Telling;
pub use token::load as load_token;

pub use crate::mcp::Toolsets;

/// The bytes that one request of any client may hold.
pub const MAX_REQUEST: u64 = MAX_MESSAGE as u64;

/// A hub that a bridge started ends so long after its last client, unless it is told otherwise.
const IDLE_EXIT: Duration = Duration::from_mins(1);

/// A hub that ends needs less.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// Who looks whether a hub runs needs less.
const LOOK_PATIENCE: Duration = Duration::from_millis(300);
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// What a hub is told at its start.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Where it keeps everything.
    pub folder: DataFolder,
    /// The address to listen on; beyond loopback, every request needs the token.
    pub host: String,
    /// Whether every request over TCP needs the token, also on loopback.
    pub require_token: bool,
    /// The port to listen on; 0 is any free one.
    pub port: u16,
    /// Where transcripts may lie, first one first.
    pub transcripts: Vec<PathBuf>,
    /// Limits and what is known of clients.
    pub config: Config,
    /// Where these settings are, of which those of tasks are read again when they change.
    pub places: Places,
    /// How long to live on without clients; `None` is for ever.
    pub idle_exit: Option<Duration>,
    /// The tools that clients are shown that do not say which they want.
    pub toolsets: Toolsets,
    /// Started by a bridge: any port will do, and without clients it ends.
    pub auto: bool,
}

/// Why a hub does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An option makes no sense.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// The data folder is not free.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The port is not free.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A local socket cannot be made.
    #[error("the socket `{}` cannot be made", .path.display())]
    Socket {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The token cannot be read or made.
    #[error("the token file `{}` cannot be used", .path.display())]
    Token {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The rooms cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The note how to reach the hub cannot be written.
    #[error("the data folder `{}` cannot be written", .folder.display())]
    Address {
        /// Where.
        folder: PathBuf,
        /// Why.
        source: AddressError,
    },
    /// The system does not tell when to stop.
    #[error("signals cannot be noticed")]
    Signals(#[source] io::Error),
}

/// Runs a hub until it is asked to stop: by a signal, by `turnroom stop`, or because its last client is gone.
///
/// # Errors
/// If it cannot start; what to do is in the message.
pub async fn serve(options: ServeOptions) -> Result<(), ServeError> {
    check::check(&options)?;
    let clock = Clock::start();
    let signals = StopSignals::listen().map_err(ServeError::Signals)?;
    outlive_size_limits().map_err(ServeError::Signals)?;
    if options.auto {
        detach();
    }
    raise_file_limit();
    let folder = &options.folder;
    let lock = lock(folder, options.auto).await?;
    let listener = bind::bind(&options.host, options.port, options.auto).await?;
    let token = token::load_or_make(&folder.token_file())
        .map_err(|source| ServeError::Token { path: folder.token_file(), source })?;
    let human = token::load_or_make(&folder.human_token_file())
        .map_err(|source| ServeError::Token { path: folder.human_token_file(), source })?;
    let access = Access::new(human.into());
    let guard = Guard::new(&options.host, listener.ip(), token.into());
    let guard = if options.require_token { guard.strict() } else { guard };
    let notice = notice::Notice::new(&options, &listener);
    let hub = open::open(&options, notice.url(), before(&lock)).await?;

    let about = about(notice.url(), folder, clock);
    let page = link(&access, notice.url(), &io::stdout());
    let notice = notice.with_page(page);
    let house = House::build(&hub, (guard, access), about.clone(), &options, clock);
    let mut doors = house.open_doors(listener.into_inner(), &options)?;
    write_address(about, folder, &mut doors)?;
    notice::announce(&mut io::stdout().lock(), &notice);

    let telling = Telling::start(&hub, &options, notice.url(), clock).await;
    house.ending(&hub, &options).wait(signals, doors).await;
    telling.end().await;
    hub.shut_down().await;
    if hub.has_ended_in_order() {
        lock.release();
    } else {
        tracing::info!("rooms could not be told of all that has happened; the next hub tells them");
    }
    Ok(())
}

/// The link to the page that is shown at the start, to a person at a terminal only: whatever else takes the output
/// may keep it where agents read.
fn link(access: &Access, url: &str, output: &impl IsTerminal) -> Option<String> {
    output.is_terminal().then(|| access.first_link(url))
}

fn about(url: &str, folder: &DataFolder, clock: Clock) -> About {
    About {
        version: env!("CARGO_PKG_VERSION"),
        pid: std::process::id(),
        url: Some(url.to_owned()),
        data_folder: folder.path().to_owned(),
        started: clock.now().wall,
    }
}

fn before(lock: &HubLock) -> Before {
    if lock.found_a_death() { Before::Died } else { Before::Ended }
}

/// On a full disk the hub works without the note: its sockets and its port are where they always are. It is
/// written when there is space again.
fn write_address(about: About, folder: &DataFolder, doors: &mut Doors) -> Result<(), ServeError> {
    let address =
        HubAddress { pid: about.pid, url: about.url, socket: folder.socket(), started: about.started };
    match folder.write_address(&address) {
        Err(error) if error.is_full_disk() => {
            tracing::warn!("the disk is full: nothing new can be said until there is space");
            if let Err(error) = folder.remove_address() {
                tracing::warn!(%error, "the note how to reach the hub before stays");
            }
            doors.write_later(address, folder.clone());
            Ok(())
        }
        written => written.map_err(|source| ServeError::Address { folder: folder.path().to_owned(), source }),
    }
}

/// Takes the data folder. A hub that a bridge started waits for the one before it, which may be about to end. Any
/// other waits for a moment, too: who only looks whether a hub runs holds the lock meanwhile.
async fn lock(folder: &DataFolder, is_patient: bool) -> Result<HubLock, LockError> {
    let waiting = async {
        loop {
            match folder.lock() {
                Err(LockError::Held { .. }) => tokio::time::sleep(LOCK_PAUSE).await,
                taken => return taken,
            }
        }
    };
    let patience = if is_patient { LOCK_PATIENCE } else { LOOK_PATIENCE };
    match tokio::time::timeout(patience, waiting).await {
        Ok(taken) => taken,
        Err(_) => folder.lock(),
    }
}

/// Everything that answers clients.
struct House {
    web: Arc<Web>,
    bridges: Arc<doors::BridgeHost>,
    clients: Clients,
    clock: Clock,
    stop: CancellationToken,
    closing: CancellationToken,
}

impl House {
    fn build(
        hub: &Arc<Hub>,
        (guard, access): (Guard, Access),
        about: About,
        options: &ServeOptions,
        clock: Clock,
    ) -> Self {
        let (clients, stop, closing) = (Clients::none(), CancellationToken::new(), CancellationToken::new());
        let receipts = Arc::new(Receipts::new(hub.clone()));
        let parts = Parts {
            desk: Arc::new(HubDesk::new(hub.clone(), receipts.clone())),
            hub: Some(hub.clone()),
            guard,
            access,
            about,
            clients: clients.clone(),
            sessions: options.folder.sessions(),
            max_sessions: options.config.limits.sessions.get(),
            clock,
            stop: stop.clone(),
            closing: closing.clone(),
        };
        let (over_http, toolsets) = (hub.clone(), options.toolsets.clone());
        let seals = Arc::new(Seals::new(&secret::id(), &secret::token()));
        let make_server = move |origin: Origin| {
            Server::new(over_http.clone(), seals.clone(), origin).with_toolsets(toolsets.clone())
        };
        let for_bridge = make_server.clone();
        let make = move |origin: Origin| make_server(origin).with_receipts(receipts.clone());
        let ended = hub.clone();
        let make_for_bridge: doors::Make = Box::new(for_bridge);
        let ended = move |session: &Session| ended.session_ended(session);
        let bridges = Arc::new(Host::new(make_for_bridge, ended, closing.clone()));
        Self { web: Arc::new(Web::new(parts, make)), bridges, clients, clock, stop, closing }
    }

    fn open_doors(&self, tcp: tokio::net::TcpListener, options: &ServeOptions) -> Result<Doors, ServeError> {
        let folder = &options.folder;
        let bind = |path: PathBuf| socket::bind(&path).map_err(|source| ServeError::Socket { path, source });
        let (local, bridge) = (bind(folder.socket())?, bind(folder.bridge_socket())?);
        let mut doors = Doors::closed();
        doors.open_tcp(tcp, &self.web, options.config.limits.connections.get());
        doors.open_local(local, &self.web);
        doors.open_bridge(bridge, &self.bridges, &self.clients);
        doors.keep_up(&self.web, self.clock);
        Ok(doors)
    }

    fn ending<'a>(&'a self, hub: &'a Hub, options: &'a ServeOptions) -> Ending<'a> {
        Ending {
            hub,
            folder: &options.folder,
            clients: &self.clients,
            calls: self.web.calls(),
            stop: &self.stop,
            closing: &self.closing,
            idle: options.idle_exit.or(options.auto.then_some(IDLE_EXIT)),
        }
    }
}

#[cfg(test)]
mod tests;
