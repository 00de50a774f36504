//! Tells people what waits for them: the inbox of the hub, handed to the notices.

use std::sync::Arc;

use tokio::task::JoinHandle;

use super::ServeOptions;
use crate::clock::Clock;
use crate::hub::{Hub, Item, Want};
use crate::notify::{News, Notifier};
use crate::web::{room_path, task_path};

/// Tells people what waits for them, until it is ended.
#[derive(Debug)]
pub(super) struct Telling {
    notifier: Arc<Notifier>,
    following: JoinHandle<()>,
}

impl Telling {
    /// Starts to tell. The page of the hub is at `url`.
    pub(super) async fn start(hub: &Arc<Hub>, options: &ServeOptions, url: &str, clock: Clock) -> Self {
        let notifier = Notifier::start(&options.config.notices, &options.folder, clock).await;
        let notifier = Arc::new(notifier);
        let (teller, url) = (notifier.clone(), url.trim_end_matches('/').to_owned());
        let (hub, mut inbox) = (hub.clone(), hub.inbox_changes());
        let following = tokio::spawn(async move {
            // The changes begin with no list at all.
            let mut items = hub.inbox().await;
            drop(hub);
            loop {
                teller.waiting(items.iter().map(|item| news(item, &url)).collect());
                if inbox.changed().await.is_err() {
                    return;
                }
                items = inbox.borrow_and_update().clone();
            }
        });
        Self { notifier, following }
    }

    /// Ends it. What was not told is told after the next start.
    pub(super) async fn end(self) {
        self.following.abort();
        self.notifier.close().await;
    }
}

fn news(item: &Item, url: &str) -> News {
    let is_private = matches!(item.want, Want::Question { is_private: true, .. });
    News {
        id: item.id.clone(),
        kind: item.want.kind().to_owned(),
        title: item.title(),
        body: item.body(),
        is_private,
        room: item.room.clone(),
        to: item.to.clone(),
        since: item.since,
        url: Some(format!("{url}{}", path(item))),
        command: item.command(),
    }
}

/// The page on which it is settled.
fn path(item: &Item) -> String {
    match item.want.task() {
        Some(task) => task_path(task),
        None if item.room.is_empty() => "/".to_owned(),
        None => room_path(&item.room),
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::room::Handle;
    use crate::task::Status;

    #[test]
    fn a_notice_leads_to_the_task_or_the_room_that_it_is_about() {
        let url = |want| {
            let (id, topic) = ("parser/1".to_owned(), "Parser".to_owned());
            let (room, to, since) = ("a room".to_owned(), Handle::user(), DateTime::UNIX_EPOCH);
            news(&Item { id, room, topic, to, since, want }, "http://127.0.0.1:8000").url.unwrap()
        };
        let (task, status) = ("new-parser".to_owned(), Status::PendingApproval);
        let decision = Want::Decision { task, version: 3, proposals: Vec::new(), is_own: false, status };
        assert_eq!(url(decision), "http://127.0.0.1:8000/tasks/new%2Dparser");
        assert_eq!(url(Want::Barrier { missing: Vec::new() }), "http://127.0.0.1:8000/rooms/a%20room");
    }
}
