//! The listeners: TCP, the local socket of the terminal commands, and the socket of the bridges.

use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::connections;
use crate::bridge::Host;
use crate::clock::Clock;
use crate::mcp::{Origin, Server};
use crate::paths::{DataFolder, HubAddress};
use crate::platform::socket::LocalListener;
use crate::web::{Clients, Entry, Watched, Web};

/// Makes the MCP server of one bridge.
pub(super) type Make = Box<dyn Fn(Origin) -> Server + Send + Sync>;
/// Serves bridges.
pub(super) type BridgeHost = Host<Make>;

/// How often is looked whether a full disk has space again.
const SPACE: Duration = Duration::from_secs(2);
const UPKEEP: Duration = Duration::from_hours(1);

/// All listeners, and what they serve just now.
#[derive(Debug)]
pub(super) struct Doors {
    tasks: JoinSet<()>,
    /// Who waits for space to write how to reach the hub.
    writers: JoinSet<()>,
    shut: CancellationToken,
}

impl Doors {
    /// None yet.
    pub(super) fn closed() -> Self {
        Self { tasks: JoinSet::new(), writers: JoinSet::new(), shut: CancellationToken::new() }
    }

    /// Serves HTTP to whoever can reach the port.
    pub(super) fn open_tcp(&mut self, listener: TcpListener, web: &Web, connections: usize) {
        self.tasks.spawn(connections::serve(
            listener,
            web.routes(Entry::Tcp),
            connections,
            self.shut.clone(),
        ));
    }

    /// Serves HTTP to this user.
    pub(super) fn open_local(&mut self, listener: LocalListener, web: &Web) {
        let serve = axum::serve(Watched::over(listener), web.service(Entry::Local));
        let serve = serve.with_graceful_shutdown(self.shut.clone().cancelled_owned());
        self.tasks.spawn(async move { ended(serve.await) });
    }

    /// Serves bridges.
    pub(super) fn open_bridge(&mut self, listener: LocalListener, host: &Arc<BridgeHost>, clients: &Clients) {
        self.tasks.spawn(attend(listener, host.clone(), clients.clone(), self.shut.clone()));
    }

    /// Forgets old sessions from time to time.
    pub(super) fn keep_up(&mut self, web: &Arc<Web>, clock: Clock) {
        let (web, shut) = (web.clone(), self.shut.clone());
        self.tasks.spawn(async move {
            let upkeep = async {
                loop {
                    if let Err(error) = web.sweep(clock.now()).await {
                        tracing::warn!(%error, "the folder of sessions cannot be tidied");
                    }
                    tokio::time::sleep(UPKEEP).await;
                }
            };
            shut.run_until_cancelled(upkeep).await;
        });
    }

    /// Writes how to reach the hub as soon as there is space for it.
    pub(super) fn write_later(&mut self, address: HubAddress, folder: DataFolder) {
        self.writers.spawn(async move {
            while folder.write_address(&address).is_err() {
                tokio::time::sleep(SPACE).await;
            }
        });
    }

    /// Comes back when nobody will write any more how to reach the hub.
    pub(super) async fn write_no_more(&mut self) {
        self.writers.shutdown().await;
    }

    /// Lets nobody in any more; who is in stays.
    pub(super) fn shut(&self) {
        self.shut.cancel();
    }

    /// Comes back when everybody has left.
    pub(super) async fn empty(&mut self) {
        while let Some(task) = self.tasks.join_next().await {
            if let Err(error) = task {
                tracing::error!(%error, "a listener broke");
            }
        }
    }
}

async fn attend(
    mut listener: LocalListener,
    host: Arc<BridgeHost>,
    clients: Clients,
    shut: CancellationToken,
) {
    let mut bridges = JoinSet::new();
    loop {
        tokio::select! {
            () = shut.cancelled() => break,
            (stream, _) = Listener::accept(&mut listener) => {
                let (host, present) = (host.clone(), clients.enter());
                bridges.spawn(async move {
                    host.attend(stream).await;
                    drop(present);
                });
            }
            Some(_) = bridges.join_next() => {}
        }
    }
    drop(listener);
    while bridges.join_next().await.is_some() {}
}

fn ended(served: std::io::Result<()>) {
    if let Err(error) = served {
        tracing::error!(%error, "a listener broke");
    }
}
