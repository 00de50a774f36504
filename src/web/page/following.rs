//! What a page has to look at: its own room and what waits for people, or the list of rooms, or tasks. What happens
//! elsewhere does not wake it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use crate::hub::{Hub, HubError, Item};

/// What happens within such a moment is told together, except the first of it.
const MOMENT: Duration = Duration::from_millis(100);
/// After something could not be read it is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// What a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// All rooms.
    Home,
    /// One room.
    Room(String),
    /// All tasks that are not over.
    Board,
    /// One task.
    Task(String),
    /// All puzzles.
    Puzzles,
    /// One puzzle.
    Puzzle(String),
}

/// What may have changed for a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// What it shows: its room, the list of rooms, tasks, or puzzles.
    pub(super) place: bool,
    /// What waits for people.
    pub(super) inbox: bool,
}

/// What a page follows.
pub(super) struct Following {
    hub: Arc<Hub>,
    place: Place,
    /// Of its room, or of all, or of tasks or puzzles.
    stirs: watch::Receiver<u64>,
    /// A room that is made anew has the name of its page, and stirs by itself.
    list: watch::Receiver<u64>,
    inbox: watch::Receiver<Arc<Vec<Item>>>,
    /// What happens in any task.
    tasks: watch::Receiver<u64>,
    /// Which puzzles there are.
    puzzles: watch::Receiver<u64>,
    /// What waits for people.
    items: Arc<Vec<Item>>,
    /// Of the list of rooms, of tasks and of puzzles, when they were looked at last.
    revision: Option<[u64; 3]>,
    /// Whether all is new for the page.
    is_first: bool,
    /// Before the next look.
    pause: Duration,
}

impl Following {
    /// Follows what a page shows.
    pub(super) async fn new(hub: Arc<Hub>, place: Place) -> Result<Self, HubError> {
        let stirs = match &place {
            Place::Room(room) => hub.room_stirs(room).await?,
            Place::Home => hub.stirs(),
            Place::Board | Place::Task(_) => hub.task_changes(),
            Place::Puzzles => hub.puzzle_changes(),
            Place::Puzzle(puzzle) => hub.changes_of_puzzle(puzzle).await?,
        };
        let (list, inbox, tasks) = (hub.room_list_changes(), hub.inbox_changes(), hub.task_changes());
        let puzzles = hub.puzzle_list_changes();
        let (items, pause) = (Arc::default(), Duration::ZERO);
        Ok(Self {
            hub,
            place,
            stirs,
            list,
            inbox,
            tasks,
            puzzles,
            items,
            revision: None,
            is_first: true,
            pause,
        })
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
                self.look().await?;
                self.inbox.borrow_and_update();
                self.items = self.hub.inbox().await;
                return Ok(Changed { place: true, inbox: true });
            }
            let may_be_here = tokio::select! {
                _ = self.stirs.changed() => true,
                _ = self.list.changed() => true,
                _ = self.puzzles.changed() => true,
                _ = self.inbox.changed() => {
                    self.inbox.mark_changed();
                    false
                }
            };
            let place = may_be_here && self.look().await?;
            let inbox = self.inbox.has_changed().unwrap_or(false);
            if inbox {
                self.items = self.inbox.borrow_and_update().clone();
            }
            if place || inbox {
                return Ok(Changed { place, inbox });
            }
        }
    }

    /// Whether what it shows is worth a look. Whatever happens from now on is another change.
    async fn look(&mut self) -> Result<bool, HubError> {
        self.list.borrow_and_update();
        let tasks = *self.tasks.borrow_and_update();
        let puzzles = *self.puzzles.borrow_and_update();
        let now = match &self.place {
            Place::Room(room) => {
                self.stirs = self.hub.room_stirs(room).await?;
                return Ok(true);
            }
            Place::Home => {
                self.stirs.borrow_and_update();
                [self.hub.rooms_revision().await, tasks, puzzles]
            }
            Place::Board | Place::Task(_) => {
                self.stirs.borrow_and_update();
                [0, tasks, 0]
            }
            Place::Puzzles => [0, *self.stirs.borrow_and_update(), puzzles],
            Place::Puzzle(puzzle) => {
                self.stirs = self.hub.changes_of_puzzle(puzzle).await?;
                [0, *self.stirs.borrow_and_update(), 0]
            }
        };
        Ok(self.revision.replace(now) != Some(now))
    }
}
