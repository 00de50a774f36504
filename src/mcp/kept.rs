//! What outlives a connection: the subscriptions of a session that comes back after a restart of the hub.

use std::fmt;

use async_trait::async_trait;
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::session::SessionRestoreMarker;

/// Keeps what sessions have subscribed to.
#[async_trait]
pub trait KeptSubscriptions: fmt::Debug + Send + Sync {
    /// Keeps all that a session is subscribed to now, in place of what was kept before.
    async fn keep(&self, session: &str, uris: Vec<String>);

    /// What a session was subscribed to.
    async fn kept(&self, session: &str) -> Vec<String>;
}

/// The session that has come back; nothing, if it has only begun.
pub(super) fn restored(extensions: &Extensions) -> Option<String> {
    Some(extensions.get::<SessionRestoreMarker>()?.id.to_string())
}
