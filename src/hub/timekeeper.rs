//! Lets the deadlines of a room happen: one task per room in memory. It sleeps until something is due, and
//! reads on when a caller left a change half known. It ends when the room goes to rest.

use std::sync::{Arc, Weak};
use std::time::Duration;

use super::live::LiveRoom;
use super::rest::{Outlook, rest};
use super::shared::Shared;

/// A deadline may come so much late; so a busy room is looked at a few times a second, not at every post.
const GRAIN: Duration = Duration::from_millis(50);
/// How long to wait after the journal failed.
const AGAIN: Duration = Duration::from_secs(1);

pub(super) fn start(shared: &Arc<Shared>, live: &Arc<LiveRoom>) {
    shared.tasks.spawn(run(Arc::downgrade(shared), Arc::clone(live), shared.stop.clone()));
}

async fn run(shared: Weak<Shared>, live: Arc<LiveRoom>, stop: tokio_util::sync::CancellationToken) {
    while let Some(hub) = shared.upgrade() {
        let outlook = look(&hub, &live).await.unwrap_or_else(|error| {
            tracing::warn!(room = %live.id, %error, "a deadline could not be stored; it is tried again");
            Outlook::In(AGAIN)
        });
        drop(hub);
        if live.is_gone() {
            return;
        }
        let pause = match outlook {
            // Somebody may have woken it already: with a timekeeper of its own.
            Outlook::Rests => return,
            Outlook::In(pause) => Some(pause),
            Outlook::Open => None,
        };
        let sleep = async {
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = sleep => {}
            () = async { live.alarm.notified().await; tokio::time::sleep(GRAIN).await; } => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Lets happen what is due. Where nothing is due, the room may rest.
async fn look(hub: &Shared, live: &LiveRoom) -> Result<Outlook, super::HubError> {
    let mut room = live.lock(hub).await?;
    let now = hub.clock.now().mono;
    if room.deadline().is_some_and(|deadline| deadline <= now) {
        room.tick().await?;
    }
    if let Some(deadline) = room.deadline() {
        return Ok(Outlook::In(deadline.saturating_sub(hub.clock.now().mono)));
    }
    drop(room);
    rest(hub, live).await
}
