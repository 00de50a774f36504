//! How a hub ends: softly. What waits is answered first; the second signal ends everything at once.

use std::fs;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::doors::Doors;
use crate::hub::Hub;
use crate::paths::DataFolder;
use crate::platform::process::StopSignals;
use crate::web::Clients;

/// The answers of ended waits need a moment to go out.
const FLUSH: Duration = Duration::from_millis(300);
/// A client that does not read its answer gets no more time than this.
const LONGEST_FLUSH: Duration = Duration::from_secs(2);
/// Nor does a connection that does not end.
const LAST_CONNECTIONS: Duration = Duration::from_secs(1);
/// How often a hub without clients looks whether the agents that it has started still work.
const AGENTS: Duration = Duration::from_secs(5);
/// As if the signal had killed it.
const INTERRUPTED: i32 = 130;

/// What has to be ended, and when.
#[derive(Clone, Copy)]
pub(super) struct Ending<'a> {
    pub(super) hub: &'a Hub,
    pub(super) folder: &'a DataFolder,
    pub(super) clients: &'a Clients,
    pub(super) calls: &'a Clients,
    /// Fired by `turnroom stop`.
    pub(super) stop: &'a CancellationToken,
    /// Ends all streams.
    pub(super) closing: &'a CancellationToken,
    /// How long to live on without clients.
    pub(super) idle: Option<Duration>,
}

impl Ending<'_> {
    /// Comes back when the hub has ended.
    pub(super) async fn wait(self, mut signals: StopSignals, mut doors: Doors) {
        tokio::select! {
            () = signals.next() => tracing::info!("asked to stop by a signal"),
            () = self.stop.cancelled() => tracing::info!("asked to stop by a command"),
            () = self.nobody_left() => tracing::info!("no client is left"),
        }
        tokio::select! {
            () = self.end(&mut doors) => {}
            () = signals.next() => {
                self.tidy();
                std::process::exit(INTERRUPTED);
            }
        }
    }

    async fn nobody_left(&self) {
        match self.idle {
            Some(idle) => loop {
                self.clients.gone_for(idle).await;
                // An agent that works need not be connected.
                if self.hub.agents_at_work() == 0 {
                    return;
                }
                sleep(AGENTS).await;
            },
            None => std::future::pending().await,
        }
    }

    async fn end(&self, doors: &mut Doors) {
        // Before anything ends, so that nobody comes any more.
        doors.write_no_more().await;
        self.tidy();
        doors.shut();
        self.hub.stop();
        if self.clients.count() > 0 {
            // rmcp drops unsent answers when it is closed: they go out first.
            let ((), answered) = tokio::join!(sleep(FLUSH), timeout(LONGEST_FLUSH, self.calls.gone()));
            if answered.is_err() {
                tracing::warn!(calls = self.calls.count(), "some clients do not take their answers");
            }
        }
        self.closing.cancel();
        if timeout(LAST_CONNECTIONS, doors.empty()).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
    }

    fn tidy(&self) {
        if let Err(error) = self.folder.remove_address() {
            tracing::warn!(%error, "the note how to reach the hub stays");
        }
        for socket in [self.folder.socket(), self.folder.bridge_socket()] {
            if let Err(error) = fs::remove_file(&socket) {
                tracing::debug!(%error, socket = %socket.display(), "no socket to remove");
            }
        }
    }
}
