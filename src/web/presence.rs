//! Who of the older MCP clients is still there. HTTP says nothing when a client ends; its streams do.
//!
//! A session is over when its client deleted it; or has let its stream or a call break off and has had neither stream
//! nor call for a moment; or has been silent for an hour. A later call of it works again: only its handles are free.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::AbortHandle;

use super::clients::{Clients, Present};
use super::connection::Connection;
use super::kept::Ending;

/// A client that reconnects does it within this time.
const AFTER_A_BREAK: Duration = Duration::from_secs(1);
/// Some clients open no stream: between two calls only their silence can tell.
const AFTER_SILENCE: Duration = Duration::from_hours(1);
/// After this time the memory of a session that is over is given back; a later call restores it from its file. A client
/// that comes back after a break tries more often.
const UNTIL_FORGOTTEN: Duration = Duration::from_secs(30);

/// Told about sessions. Must be quick, and must not call back.
pub(super) trait Witness: Send + Sync + 'static {
    /// The client is gone.
    fn session_over(&self, session: &Arc<str>);

    /// It has been gone for long.
    fn session_forgotten(&self, session: &Arc<str>);
}

/// All sessions of older MCP clients over HTTP that were used of late.
#[derive(Clone)]
pub(super) struct Presence(Arc<Inner>);

struct Inner {
    sessions: Mutex<HashMap<Arc<str>, Entry>>,
    /// Of more sessions, the one goes that has been silent for longest.
    limit: usize,
    /// Counts the times a session fell silent.
    silences: AtomicU64,
    clients: Clients,
    witness: Box<dyn Witness>,
}

#[derive(Default)]
struct Entry {
    open: usize,
    /// When it fell silent, among all.
    silent_since: u64,
    has_broken_off: bool,
    /// It has had a stream, so that the lack of one tells something.
    has_listened: bool,
    present: Option<Present>,
    timer: Option<Timer>,
}

struct Timer(AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What keeps a session present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// The stream on which the client listens.
    Stream,
    /// A call in progress.
    Call,
}

/// One open stream or call.
pub(super) struct Stay {
    presence: Presence,
    session: Arc<str>,
    sign: Sign,
    connection: Option<Connection>,
}

impl Presence {
    /// Nobody is here yet.
    pub(super) fn new(clients: Clients, witness: impl Witness, limit: usize) -> Self {
        let (sessions, silences) = (Mutex::default(), AtomicU64::new(0));
        Self(Arc::new(Inner { sessions, limit, silences, clients, witness: Box::new(witness) }))
    }

    /// How many sessions there may be.
    pub(super) fn limit(&self) -> usize {
        self.0.limit
    }

    /// A stream or call of the session begins. `None`: there are too many, and each has a stream or a call.
    #[must_use]
    pub(super) fn enter(
        &self,
        session: Arc<str>,
        sign: Sign,
        connection: Option<Connection>,
    ) -> Option<Stay> {
        let mut sessions = self.0.sessions();
        if sessions.len() >= self.0.limit && !sessions.contains_key(&session) {
            let silent = sessions.iter().filter(|(_, entry)| entry.open == 0);
            let longest = silent.min_by_key(|(_, entry)| entry.silent_since).map(|(id, _)| id.clone())?;
            // Its file stays: if it comes back, it works again.
            sessions.remove(&longest);
            self.0.witness.session_over(&longest);
            self.0.witness.session_forgotten(&longest);
        }
        let entry = sessions.entry(session.clone()).or_default();
        entry.open += 1;
        entry.timer = None;
        entry.present.get_or_insert_with(|| self.0.clients.enter());
        if sign == Sign::Stream || !entry.has_listened {
            entry.has_broken_off = false;
        }
        entry.has_listened |= sign == Sign::Stream;
        Some(Stay { presence: self.clone(), session, sign, connection })
    }

    /// The client has ended the session.
    pub(super) fn end(&self, session: &Arc<str>) {
        let mut sessions = self.0.sessions();
        sessions.remove(session);
        self.0.witness.session_over(session);
    }

    fn leave(&self, session: &Arc<str>, has_broken_off: bool) {
        let mut sessions = self.0.sessions();
        // A session that was ended meanwhile is not there any more.
        let Some(entry) = sessions.get_mut(session) else { return };
        entry.open = entry.open.saturating_sub(1);
        entry.has_broken_off |= has_broken_off;
        self.watch(session, entry);
    }

    /// An answer that was sent was not read: the client has gone, as if it had been cut.
    fn break_off(&self, session: &Arc<str>) {
        let mut sessions = self.0.sessions();
        let Some(entry) = sessions.get_mut(session) else { return };
        // A client that was told to be gone stays so.
        if entry.present.is_some() {
            entry.has_broken_off = true;
            self.watch(session, entry);
        }
    }

    fn watch(&self, session: &Arc<str>, entry: &mut Entry) {
        if entry.open == 0 {
            entry.silent_since = self.0.silences.fetch_add(1, Ordering::Relaxed);
            let grace = if entry.has_broken_off { AFTER_A_BREAK } else { AFTER_SILENCE };
            let task = tokio::spawn(watch_silence(Arc::downgrade(&self.0), session.clone(), grace));
            entry.timer = Some(Timer(task.abort_handle()));
        }
    }
}

impl Inner {
    fn sessions(&self) -> MutexGuard<'_, HashMap<Arc<str>, Entry>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs while a session has neither stream nor call; the next one aborts it.
async fn watch_silence(inner: Weak<Inner>, session: Arc<str>, grace: Duration) {
    tokio::time::sleep(grace).await;
    {
        let Some(inner) = inner.upgrade() else { return };
        // Told under the lock: a call that begins now comes after the end, not before it.
        let mut sessions = inner.sessions();
        match sessions.get_mut(&session) {
            Some(entry) if entry.open == 0 => entry.present = None,
            _ => return,
        }
        inner.witness.session_over(&session);
    }
    tokio::time::sleep(UNTIL_FORGOTTEN).await;
    let Some(inner) = inner.upgrade() else { return };
    let mut sessions = inner.sessions();
    if sessions.get(&session).is_some_and(|entry| entry.open == 0) {
        inner.witness.session_forgotten(&session);
        sessions.remove(&session);
    }
}

impl Ending for Stay {
    fn whole(self) {
        // The hub ends a stream only with the session.
        self.presence.leave(&self.session, self.sign == Sign::Stream);
        if let Some(connection) = self.connection {
            connection.sent(move || self.presence.break_off(&self.session));
        }
    }

    fn cut(self) {
        self.presence.leave(&self.session, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<String>>>);

    impl Witness for Told {
        fn session_over(&self, session: &Arc<str>) {
            self.0.lock().unwrap().push(format!("{session} over"));
        }

        fn session_forgotten(&self, session: &Arc<str>) {
            self.0.lock().unwrap().push(format!("{session} forgotten"));
        }
    }

    struct Scene {
        presence: Presence,
        clients: Clients,
        told: Told,
    }

    fn scene() -> Scene {
        let (clients, told) = (Clients::none(), Told::default());
        Scene { presence: Presence::new(clients.clone(), told.clone(), 2), clients, told }
    }

    impl Scene {
        fn enter(&self, sign: Sign) -> Stay {
            self.presence.enter("s".into(), sign, None).unwrap()
        }

        async fn after(&self, time: Duration) -> Vec<String> {
            tokio::time::sleep(time).await;
            self.told.0.lock().unwrap().clone()
        }
    }

    const MOMENT: Duration = Duration::from_millis(1100);

    #[tokio::test(start_paused = true)]
    async fn a_session_is_over_when_its_stream_breaks_off_and_nothing_comes() {
        let scene = scene();
        scene.enter(Sign::Stream).cut();
        assert_eq!(scene.clients.count(), 1);
        assert_eq!(scene.after(MOMENT).await, ["s over"]);
        assert_eq!(scene.clients.count(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_comes_back_at_once_keeps_the_session() {
        let scene = scene();
        scene.enter(Sign::Stream).cut();
        tokio::time::sleep(AFTER_A_BREAK / 2).await;
        let again = scene.enter(Sign::Stream);
        assert!(scene.after(MOMENT * 10).await.is_empty());
        drop(again);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_without_a_stream_that_calls_again_after_a_break_is_here() {
        let scene = scene();
        scene.enter(Sign::Call).cut();
        tokio::time::sleep(AFTER_A_BREAK / 2).await;
        scene.enter(Sign::Call).whole();
        assert!(scene.after(AFTER_SILENCE / 2).await.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_keeps_a_session_whose_stream_broke_off() {
        let scene = scene();
        let call = scene.enter(Sign::Call);
        scene.enter(Sign::Stream).cut();
        assert!(scene.after(MOMENT * 10).await.is_empty());
        call.whole();
        assert_eq!(scene.after(MOMENT).await, ["s over"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_without_a_stream_may_think_between_two_calls() {
        let scene = scene();
        scene.enter(Sign::Call).whole();
        assert!(scene.after(Duration::from_mins(50)).await.is_empty());
        scene.enter(Sign::Call).whole();
        assert!(scene.after(Duration::from_mins(50)).await.is_empty());
        assert_eq!(scene.after(Duration::from_mins(10) + MOMENT).await, ["s over"]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_read_ends_the_session_of_a_client_without_a_stream() {
        let scene = scene();
        scene.enter(Sign::Call).whole();
        scene.presence.break_off(&"s".into());
        assert_eq!(scene.after(MOMENT).await, ["s over"]);
        scene.presence.break_off(&"s".into());
        assert_eq!(scene.after(UNTIL_FORGOTTEN).await, ["s over", "s forgotten"]);
        scene.presence.break_off(&"s".into());
        assert!(scene.presence.0.sessions().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_broken_call_of_a_client_without_a_stream_ends_the_session() {
        let scene = scene();
        scene.enter(Sign::Call).cut();
        assert_eq!(scene.after(MOMENT).await, ["s over"]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_session_that_is_over_works_again_and_is_forgotten_only_when_it_does_not() {
        let scene = scene();
        scene.enter(Sign::Stream).cut();
        assert_eq!(scene.after(MOMENT).await, ["s over"]);
        let call = scene.enter(Sign::Call);
        assert_eq!(scene.after(UNTIL_FORGOTTEN * 2).await, ["s over"]);
        call.cut();
        assert_eq!(scene.after(MOMENT).await, ["s over", "s over"]);
        assert_eq!(scene.after(UNTIL_FORGOTTEN).await, ["s over", "s over", "s forgotten"]);
        assert!(scene.presence.0.sessions().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn of_too_many_sessions_the_one_goes_that_was_silent_for_longest() {
        let scene = scene();
        let enter = |session: &str| scene.presence.enter(session.into(), Sign::Call, None);
        enter("a").unwrap().whole();
        enter("b").unwrap().whole();
        enter("a").unwrap().whole();
        let third = enter("c").unwrap();
        assert_eq!(scene.after(Duration::ZERO).await, ["b over", "b forgotten"]);
        let first = enter("a").unwrap();
        assert!(enter("d").is_none(), "both have a call");
        first.whole();
        assert!(enter("d").is_some());
        drop(third);
    }

    #[tokio::test(start_paused = true)]
    async fn a_deleted_session_is_over_at_once_and_once() {
        let scene = scene();
        let stream = scene.enter(Sign::Stream);
        scene.presence.end(&"s".into());
        stream.whole();
        assert_eq!(scene.after(MOMENT * 10).await, ["s over"]);
        assert_eq!(scene.clients.count(), 0);
    }
}
