//! Whether the client of a session listens just now. What it has subscribed to waits while it does not.
//!
//! Over streamable HTTP with sessions the hub tells by itself on a stream that the client opens when it likes, if ever.
//! A session outlives its streams, and many a client is gone for good: to tell it would cost every change something.
//!
//! A client whose machine is gone listens until its connection is found dead: on Linux within a minute and a
//! half, by the settings of `platform::socket`. What is told until then waits in buffers, and nobody for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use axum::http::request::Parts;
use rmcp::model::Extensions;
use tokio::sync::watch;

use super::receipts::lock;

/// Whether clients listen, by session. Clones know the same. Nothing is kept of sessions that nobody asks about.
#[derive(Clone, Debug, Default)]
pub struct Audiences(Arc<Mutex<HashMap<Arc<str>, Weak<OfSession>>>>);

/// Whether the client of one session listens. The transport puts it into the extensions of a request. By default it
/// does always: its session is its connection.
#[derive(Clone, Debug, Default)]
pub struct Audience(Option<Arc<OfSession>>);

/// One open stream of a session; its client listens until this is dropped.
#[derive(Debug)]
pub struct Listener(Arc<OfSession>);

#[derive(Debug)]
struct OfSession {
    session: Arc<str>,
    streams: watch::Sender<usize>,
    all: Audiences,
}

impl Audiences {
    /// Whether the client of this session listens.
    #[must_use]
    pub fn of(&self, session: &Arc<str>) -> Audience {
        Audience(Some(self.find(session)))
    }

    /// The client of this session has opened a stream, and hears what comes on it.
    #[must_use]
    pub fn enter(&self, session: &Arc<str>) -> Listener {
        let listener = Listener(self.find(session));
        listener.0.streams.send_modify(|streams| *streams += 1);
        listener
    }

    fn find(&self, session: &Arc<str>) -> Arc<OfSession> {
        let mut known = lock(&self.0);
        if let Some(found) = known.get(session).and_then(Weak::upgrade) {
            return found;
        }
        let (streams, all) = (watch::Sender::new(0), self.clone());
        let new = Arc::new(OfSession { session: session.clone(), streams, all });
        known.insert(session.clone(), Arc::downgrade(&new));
        new
    }
}

impl Audience {
    /// That of the session of a request.
    pub(super) fn of(extensions: &Extensions) -> Self {
        let of_request = extensions.get::<Parts>().and_then(|parts| parts.extensions.get());
        of_request.cloned().unwrap_or_default()
    }

    /// Comes back when the client listens, at once if it does now.
    pub(super) async fn listens(&self) {
        if let Some(session) = &self.0 {
            // It cannot fail: the sender lives as long as `self`.
            drop(session.streams.subscribe().wait_for(|streams| *streams > 0).await);
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.streams.send_modify(|streams| *streams -= 1);
    }
}

impl Drop for OfSession {
    fn drop(&mut self) {
        let mut known = lock(&self.all.0);
        // It may have been asked about again just now.
        if known.get(&self.session).is_some_and(|of_session| of_session.strong_count() == 0) {
            known.remove(&self.session);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn a_client_listens_while_it_has_a_stream() {
        let audiences = Audiences::default();
        let (session, other) = ("a".into(), "b".into());
        let audience = audiences.of(&session);
        let _elsewhere = audiences.enter(&other);
        let listens = || audience.listens().now_or_never().is_some();
        assert!(!listens());
        let (first, second) = (audiences.enter(&session), audiences.enter(&session));
        assert!(listens());
        drop(first);
        assert!(listens());
        drop(second);
        assert!(!listens());
    }

    #[test]
    fn who_has_no_session_beside_its_connection_listens() {
        assert!(Audience::of(&Extensions::new()).listens().now_or_never().is_some());
    }

    #[test]
    fn nothing_is_kept_of_sessions_that_are_gone() {
        let audiences = Audiences::default();
        let session = "a".into();
        let (audience, listener) = (audiences.of(&session), audiences.enter(&session));
        drop(audience);
        assert_eq!(lock(&audiences.0).len(), 1);
        drop(listener);
        assert!(lock(&audiences.0).is_empty());
    }
}
