//! Where a connection comes from, and so who makes a call.

use std::path::PathBuf;
use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{Extensions, ProtocolVersion};
use rmcp::service::RequestContext;
use tokio_util::sync::CancellationToken;

use super::{CallToken, KeptSubscriptions, Server, Toolsets, asking};
use crate::hub::{Caller, Client, Mouth, Session};

const SESSION_HEADER: &str = "mcp-session-id";

/// So begin the ids of requests that a bridge which has come back repeats in its own name.
pub const REPEATED: &str = "turnroom-bridge-";

/// Where a connection comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// How the session of a call is known.
    pub session: SessionSource,
    /// Folders for transcripts that the connection brings along; empty: the hub's own.
    pub folders: Vec<PathBuf>,
    /// The tools that its client wants to be shown; over streamable HTTP each request has them.
    pub toolsets: Option<Toolsets>,
    /// Whether it goes on with what an earlier one has begun, and may have missed something in between.
    pub is_back: bool,
    /// Where the subscriptions of its sessions are kept, if they can come back after a restart of the hub.
    pub kept: Option<Arc<dyn KeptSubscriptions>>,
}

/// How the session of a call is known.
#[derive(Clone, Debug)]
pub enum SessionSource {
    /// The connection is the session: a bridge, an SSE stream.
    Fixed(Session),
    /// Streamable HTTP: the `mcp-session-id` header, which the transport has checked; [`Session::Alone`] in
    /// the revisions that have no sessions.
    FromHttp,
}

impl Server {
    /// Who makes this call.
    pub(super) fn caller(
        &self,
        context: &RequestContext<RoleServer>,
        cancelled: CancellationToken,
    ) -> Caller {
        Caller {
            session: self.session(context),
            mouth: Mouth::Mcp,
            is_verified: false,
            client: context.client_info().map(|told| Client::told(&told.name, &told.version)),
            folders: self.origin.folders.clone(),
            at_client: asking::at_client(context),
            cancelled,
        }
    }

    /// The tools that the client is shown: those that it wants, or else those that the hub shows.
    pub(super) fn wished<'a>(&'a self, extensions: &'a Extensions) -> &'a Toolsets {
        let of_request = extensions.get::<Parts>().and_then(|parts| parts.extensions.get());
        of_request.or(self.origin.toolsets.as_ref()).unwrap_or(&self.toolsets)
    }

    pub(super) fn session(&self, context: &RequestContext<RoleServer>) -> Session {
        match &self.origin.session {
            SessionSource::Fixed(session) => session.clone(),
            // The transport does not look at the header of a request without sessions: nor may we.
            SessionSource::FromHttp if is_modern(context) => Session::Alone,
            SessionSource::FromHttp => session_header(&context.extensions),
        }
    }
}

/// Whether a call belongs to a revision without handshake and sessions.
pub(super) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
        || context.meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
}

/// The token that the HTTP transport gave this request, if it did.
pub(super) fn call_token(extensions: &Extensions) -> Option<CallToken> {
    extensions.get::<Parts>()?.extensions.get::<CallToken>().cloned()
}

fn session_header(extensions: &Extensions) -> Session {
    extensions
        .get::<Parts>()
        .and_then(|parts| parts.headers.get(SESSION_HEADER))
        .and_then(|id| id.to_str().ok())
        .map_or(Session::Alone, |id| Session::Named(Arc::from(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn request(session: Option<&str>) -> Extensions {
        let mut request = Request::new(());
        if let Some(session) = session {
            request.headers_mut().insert(SESSION_HEADER, session.parse().unwrap());
        }
        request.extensions_mut().insert(CallToken { id: 7, gone: CancellationToken::new() });
        let mut extensions = Extensions::new();
        extensions.insert(request.into_parts().0);
        extensions
    }

    #[test]
    fn the_session_of_an_http_request_is_its_header() {
        assert_eq!(session_header(&request(Some("a-b"))), Session::Named("a-b".into()));
        assert_eq!(session_header(&request(None)), Session::Alone);
        assert_eq!(session_header(&Extensions::new()), Session::Alone);
    }

    #[test]
    fn the_token_of_the_transport_reaches_the_call() {
        assert_eq!(call_token(&request(None)).map(|token| token.id), Some(7));
        assert!(call_token(&Extensions::new()).is_none());
    }
}
