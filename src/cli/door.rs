//! The way to a running hub: its Unix socket, which only this user can open. Where there is none (Windows),
//! loopback with the token of the data folder.

use anyhow::Context;
use reqwest::Client;

use crate::paths::{DataFolder, HubAddress};

/// A client, the address in front of `/api/`, and the token if one is needed.
pub(super) struct Door {
    pub(super) client: Client,
    pub(super) base: String,
    pub(super) token: Option<String>,
}

/// The way to the hub that `address` names. A hub on a full disk could not write that down; its socket is where it
/// always is. `None`: nothing is there.
#[cfg(unix)]
pub(super) fn open(folder: &DataFolder, address: Option<&HubAddress>) -> anyhow::Result<Option<Door>> {
    let usual = folder.socket();
    let socket = match address {
        Some(address) => &address.socket,
        None if usual.exists() => &usual,
        None => return Ok(None),
    };
    let client = Client::builder().unix_socket(socket.as_path()).build();
    let client = client.context("no HTTP client can be made")?;
    Ok(Some(Door { client, base: "http://localhost".to_owned(), token: None }))
}

/// The way to the hub that `address` names. `None`: none is named.
#[cfg(not(unix))]
pub(super) fn open(folder: &DataFolder, address: Option<&HubAddress>) -> anyhow::Result<Option<Door>> {
    let Some(address) = address else { return Ok(None) };
    let base = address.url.clone().context("the hub has no address")?;
    let path = folder.token_file();
    let token =
        std::fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?;
    let client = Client::builder().build().context("no HTTP client can be made")?;
    let (base, token) = (base.trim_end_matches('/').to_owned(), token.trim().to_owned());
    Ok(Some(Door { client, base, token: Some(token) }))
}
