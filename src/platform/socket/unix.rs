//! A Unix socket in the data folder.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Accepts local connections.
pub type LocalListener = tokio::net::UnixListener;
/// A local connection.
pub type LocalStream = tokio::net::UnixStream;

/// The half of a connection from which is read.
pub type LocalReader = tokio::net::unix::OwnedReadHalf;
/// The half of a connection to which is written.
pub type LocalWriter = tokio::net::unix::OwnedWriteHalf;

/// Listens at `path`. Whoever calls it holds the lock of the data folder, so a socket that lies there is a
/// left-over of a hub that died.
pub fn bind(path: &Path) -> io::Result<LocalListener> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = LocalListener::bind(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// Connects to the listener at `path`.
pub async fn connect(path: &Path) -> io::Result<LocalStream> {
    LocalStream::connect(path).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_socket_left_over_by_a_dead_hub_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hub.sock");
        drop(bind(&path).unwrap());
        assert_eq!(connect(&path).await.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);

        let listener = bind(&path).unwrap();
        let (accepted, connected) = tokio::join!(listener.accept(), connect(&path));
        assert!(accepted.is_ok() && connected.is_ok());
    }

    #[tokio::test]
    async fn only_this_user_can_reach_the_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hub.sock");
        let _listener = bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
