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

#[cfg(unix)]
pub(super) fn open(_folder: &DataFolder, address: &HubAddress) -> anyhow::Result<Door> {
    let client = Client::builder().unix_socket(address.socket.as_path()).build();
    let client = client.context("no HTTP client can be made")?;
    Ok(Door { client, base: "http://localhost".to_owned(), token: None })
}

#[cfg(not(unix))]
pub(super) fn open(folder: &DataFolder, address: &HubAddress) -> anyhow::Result<Door> {
    let base = address.url.clone().context("the hub has no address")?;
    let path = folder.token_file();
    let token =
        std::fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?;
    let client = Client::builder().build().context("no HTTP client can be made")?;
    Ok(Door { client, base: base.trim_end_matches('/').to_owned(), token: Some(token.trim().to_owned()) })
}
