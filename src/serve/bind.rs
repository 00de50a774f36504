//! The TCP port of the hub.

use std::io;
use std::net::{IpAddr, SocketAddr};

use tokio::net::{TcpListener, lookup_host};

/// So many ports after the taken one are tried, to name one that is free.
const NEIGHBOURS: u16 = 50;

/// Why the hub cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Somebody else listens.
    #[error(
        "port `{port}` on `{host}` is taken by another program; try {}",
        .free.map_or("`--port 0`".to_owned(), |free| format!("`turnroom serve --port {free}`"))
    )]
    Taken {
        /// The address.
        host: String,
        /// The port.
        port: u16,
        /// A port that is free.
        free: Option<u16>,
    },
    /// The address is none of this machine.
    #[error("`{host}` is no address of this machine; try `turnroom serve --host 127.0.0.1`")]
    NotHere {
        /// The address.
        host: String,
        /// What the system says.
        source: io::Error,
    },
    /// The system does not allow the port.
    #[error("port `{port}` is not allowed; try `turnroom serve --port 8000`")]
    NotAllowed {
        /// The port.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// Anything else.
    #[error("the hub cannot listen on `{host}`, port `{port}`")]
    Other {
        /// The address.
        host: String,
        /// The port.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
}

/// A listener that knows where it is.
#[derive(Debug)]
pub(super) struct Bound {
    inner: TcpListener,
    address: SocketAddr,
}

impl Bound {
    pub(super) fn ip(&self) -> IpAddr {
        self.address.ip()
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn into_inner(self) -> TcpListener {
        self.inner
    }
}

/// Listens. With `any_port`, a taken port is replaced by a free one.
pub(super) async fn bind(host: &str, port: u16, any_port: bool) -> Result<Bound, BindError> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if let Err(source) = lookup_host((bare, port)).await {
        return Err(BindError::NotHere { host: host.to_owned(), source });
    }
    match listen(bare, port).await {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && any_port => {
            listen(bare, 0).await.map_err(|source| other(host, 0, source))
        }
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            Err(BindError::Taken { host: host.to_owned(), port, free: free_port(bare, port).await })
        }
        Err(source) => Err(other(host, port, source)),
        Ok(bound) => Ok(bound),
    }
}

async fn listen(host: &str, port: u16) -> io::Result<Bound> {
    let inner = TcpListener::bind((host, port)).await?;
    Ok(Bound { address: inner.local_addr()?, inner })
}

async fn free_port(host: &str, taken: u16) -> Option<u16> {
    for port in (1..=NEIGHBOURS).filter_map(|step| taken.checked_add(step)) {
        if listen(host, port).await.is_ok() {
            return Some(port);
        }
    }
    None
}

fn other(host: &str, port: u16, source: io::Error) -> BindError {
    let host = host.to_owned();
    match source.kind() {
        io::ErrorKind::AddrNotAvailable => BindError::NotHere { host, source },
        io::ErrorKind::PermissionDenied => BindError::NotAllowed { port, source },
        _ => BindError::Other { host, port, source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "127.0.0.1";

    #[tokio::test]
    async fn a_taken_port_is_named_with_a_command_that_works() {
        let taken = bind(HERE, 0, false).await.unwrap();
        let error = bind(HERE, taken.port(), false).await.unwrap_err();
        let BindError::Taken { port, free, .. } = &error else { panic!("{error}") };
        assert_eq!(*port, taken.port());
        let text = error.to_string();
        assert!(text.contains("turnroom serve --port") || free.is_none(), "{text}");
    }

    #[tokio::test]
    async fn a_hub_that_a_bridge_starts_takes_any_port() {
        let taken = bind(HERE, 0, false).await.unwrap();
        let other = bind(HERE, taken.port(), true).await.unwrap();
        assert_ne!(other.port(), taken.port());
        assert!(other.ip().is_loopback());
    }

    #[tokio::test]
    async fn an_address_of_somebody_else_is_no_address_of_ours() {
        for host in ["192.0.2.1", "no such name", ""] {
            let error = bind(host, 0, false).await.unwrap_err();
            assert!(matches!(error, BindError::NotHere { .. }), "{host}: {error}");
        }
    }

    #[tokio::test]
    async fn an_address_may_stand_in_brackets() {
        // A machine without IPv6 says that the address is not here.
        let bound = bind("[::1]", 0, false).await;
        assert!(
            matches!(bound, Ok(_) | Err(BindError::NotHere { .. } | BindError::Other { .. })),
            "{bound:?}"
        );
    }
}
