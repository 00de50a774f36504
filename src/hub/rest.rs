//! A room in which nothing goes on leaves memory. It comes back as soon as it is named, from its log, and is the
//! same: what only the hub knows of it (who was given what, whose handle it is) stays.
//!
//! **Invariant (nobody waiting is forgotten):** a room in which a call waits, a deadline runs or somebody is
//! subscribed stays in memory.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::error::HubError;
use super::live::LiveRoom;
use super::shared::Shared;

/// A room rests after so long without a call.
pub(super) const REST_AFTER: Duration = Duration::from_mins(10);

/// What comes next in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlook {
    /// It has left memory. Whoever wakes it sees to it from now on.
    Rests,
    /// Nothing before this time has gone by.
    In(Duration),
    /// Nothing until somebody rings.
    Open,
}

/// Lets a room leave memory if nothing goes on in it.
pub(super) async fn rest(hub: &Shared, live: &LiveRoom) -> Result<Outlook, HubError> {
    let mut room = live.lock(hub).await?;
    if room.deadline().is_some() || !live.bells.waiting().is_empty() {
        return Ok(Outlook::Open);
    }
    if !live.changes.is_unwatched() {
        // When the last subscriber leaves, nobody rings.
        return Ok(Outlook::In(REST_AFTER));
    }
    if let Some(left) = left_alone_for(hub, live) {
        return Ok(Outlook::In(left));
    }
    if !live.note.is_settled() {
        return Ok(Outlook::In(REST_AFTER / 10));
    }
    room.store_cursors().await?;
    live.is_awake.store(false, Ordering::SeqCst);
    // A call that was about to lock the room has either seen that, or is seen here.
    if left_alone_for(hub, live).is_some() {
        live.is_awake.store(true, Ordering::SeqCst);
        return Ok(Outlook::In(REST_AFTER));
    }
    live.rests();
    room.forget();
    Ok(Outlook::Rests)
}

/// How long a room must still be left alone before it may rest.
fn left_alone_for(hub: &Shared, live: &LiveRoom) -> Option<Duration> {
    let over = live.used().max(live.bells.last_heard()) + REST_AFTER;
    over.checked_sub(hub.clock.now().mono).filter(|left| !left.is_zero())
}
