//! Sockets on this machine: the local socket that only this user can reach, and the settings of TCP connections.
//! It never looks at what is sent.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

#[cfg(unix)]
pub use unix::{LocalListener, LocalReader, LocalStream, LocalWriter, bind, connect};
#[cfg(windows)]
pub use windows::{LocalListener, LocalReader, LocalStream, LocalWriter, bind, connect};

/// A connection that is silent for so long is asked whether its other end still lives.
const SILENCE: Duration = Duration::from_secs(30);
const BETWEEN_PROBES: Duration = Duration::from_secs(10);
const PROBES: u32 = 3;
/// Sent bytes that stay unacknowledged for so long end the connection.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNACKNOWLEDGED: Duration = Duration::from_mins(1);

/// Sends small answers at once, and notices within a minute that the machine of the client is gone.
pub fn tune(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(SILENCE).with_interval(BETWEEN_PROBES).with_retries(PROBES);
    let mut settings = vec![socket.set_tcp_nodelay(true), socket.set_tcp_keepalive(&keepalive)];
    #[cfg(any(target_os = "linux", target_os = "android"))]
    settings.push(socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED)));
    for error in settings.drain(..).filter_map(Result::err) {
        tracing::debug!(%error, "a setting of an accepted connection was refused");
    }
}
