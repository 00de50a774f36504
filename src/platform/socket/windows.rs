//! Loopback TCP with a secret, because Windows has no Unix sockets that tokio knows.
//!
//! The file at the path of the socket holds port and secret; it lies in a folder of this user. A connection starts
//! with the secret.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::secret;

/// A local connection.
pub type LocalStream = TcpStream;

/// The half of a connection from which is read.
pub type LocalReader = tokio::net::tcp::OwnedReadHalf;
/// The half of a connection to which is written.
pub type LocalWriter = tokio::net::tcp::OwnedWriteHalf;

const SECRET_LENGTH: usize = 64;
const PATIENCE: Duration = Duration::from_secs(1);

/// Accepts local connections that know the secret.
#[derive(Debug)]
pub struct LocalListener {
    inner: TcpListener,
    secret: String,
}

impl axum::serve::Listener for LocalListener {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let (mut stream, address) = axum::serve::Listener::accept(&mut self.inner).await;
            let mut said = [0; SECRET_LENGTH];
            let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut said)).await;
            if matches!(read, Ok(Ok(_))) && secret::equal(&String::from_utf8_lossy(&said), &self.secret) {
                super::tune(&stream);
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// Listens, and writes to `path` how to connect.
pub fn bind(path: &Path) -> io::Result<LocalListener> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let inner = TcpListener::from_std(listener)?;
    let secret = secret::token();
    std::fs::write(path, format!("{} {secret}", inner.local_addr()?.port()))?;
    Ok(LocalListener { inner, secret })
}

/// Connects to the listener that wrote `path`.
pub async fn connect(path: &Path) -> io::Result<LocalStream> {
    let text = std::fs::read_to_string(path)?;
    let (port, secret) = text.split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
    let port: u16 = port.parse().map_err(|_| io::ErrorKind::InvalidData)?;
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    stream.write_all(secret.as_bytes()).await?;
    Ok(stream)
}
