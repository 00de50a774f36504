//! What a page has to look at: its own room and what waits for people, or the list of rooms. What happens elsewhere does
//! not wake it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use crate::hub::{Hub, HubError, Item};

/// What happens within such a moment is told together, except the first of it.
const MOMENT: Duration = Duration::from_millis(100);
/// After something could not be read it is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// What may have changed for a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Its room, or the list of rooms.
    pub(super) rooms: bool,
    /// What waits for people.
    pub(super) inbox: bool,
}

/// What a page follows.
pub(super) struct Following {
    hub: Arc<Hub>,
    room: Option<String>,
    /// Of its room, or of all.
    stirs: watch::Receiver<u64>,
    /// A room that is made anew has the name of its page, and stirs by itself.
    list: watch::Receiver<u64>,
    inbox: watch::Receiver<Arc<Vec<Item>>>,
    /// What waits for people.
    items: Arc<Vec<Item>>,
    /// Of the list of rooms, when it was looked at last.
    revision: Option<u64>,
    /// Whether all is new for the page.
    is_first: bool,
    /// Before the next look.
    pause: Duration,
}

impl Following {
    /// Follows a room, or all of them.
    pub(super) async fn new(hub: Arc<Hub>, room: Option<String>) -> Result<Self, HubError> {
        let stirs = match &room {
            Some(room) => hub.room_stirs(room).await?,
            None => hub.stirs(),
        };
        let (list, inbox) = (hub.room_list_changes(), hub.inbox_changes());
        let (items, pause) = (Arc::default(), Duration::ZERO);
        Ok(Self { hub, room, stirs, list, inbox, items, revision: None, is_first: true, pause })
    }

    /// What waits for people, as of the last change.
    pub(super) fn items(&self) -> Arc<Vec<Item>> {
        Arc::clone(&self.items)
    }

    /// After a while all is new again: the page could not be told.
    pub(super) fn begin_again(&mut self) {
        (self.is_first, self.pause) = (true, AGAIN);
    }

    /// What has changed since the last time; it waits until something has. The first time all has.
    pub(super) async fn changed(&mut self) -> Result<Changed, HubError> {
        loop {
            sleep(std::mem::replace(&mut self.pause, MOMENT)).await;
            if self.is_first {
                self.is_first = false;
                self.look_at_rooms().await?;
                self.inbox.borrow_and_update();
                self.items = self.hub.inbox().await;
                return Ok(Changed { rooms: true, inbox: true });
            }
            let may_be_rooms = tokio::select! {
                _ = self.stirs.changed() => true,
                _ = self.list.changed() => true,
                _ = self.inbox.changed() => {
                    self.inbox.mark_changed();
                    false
                }
            };
            let rooms = may_be_rooms && self.look_at_rooms().await?;
            let inbox = self.inbox.has_changed().unwrap_or(false);
            if inbox {
                self.items = self.inbox.borrow_and_update().clone();
            }
            if rooms || inbox {
                return Ok(Changed { rooms, inbox });
            }
        }
    }

    /// Whether its room, or the list, is worth a look. Whatever happens from now on is another change.
    async fn look_at_rooms(&mut self) -> Result<bool, HubError> {
        self.list.borrow_and_update();
        if let Some(room) = &self.room {
            self.stirs = self.hub.room_stirs(room).await?;
            return Ok(true);
        }
        self.stirs.borrow_and_update();
        let now = self.hub.rooms_revision().await;
        Ok(self.revision.replace(now) != Some(now))
    }
}
