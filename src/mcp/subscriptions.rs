//! Tells clients that a room, or the list of rooms, has changed.
//!
//! Each subscription has one task of its own, driven by a watch: whatever happens during one notification is told
//! by the next, and who changes a room never waits for a client that does not read.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::Server;
use super::receipts::lock;
use super::resources::{Subject, unknown, unreadable};
use crate::hub::HubError;

/// Between two notifications of one subscription: a person does not see more, and a client need not.
const GAP: Duration = Duration::from_millis(250);
/// Under this name the list of resources is subscribed to; no URI is empty.
const RESOURCE_LIST: &str = "";

/// The subscriptions of one session of an older revision, by URI. They end with it.
#[derive(Debug, Default)]
pub(super) struct Subscriptions(Mutex<HashMap<String, AbortHandle>>);

impl Subscriptions {
    /// Starts `forwarder` in place of an older one for the same URI. Refused when there are too many.
    fn start(&self, uri: &str, limit: usize, forwarder: BoxFuture<'static, ()>) -> Result<(), ErrorData> {
        let mut running = lock(&self.0);
        if running.len() >= limit && !running.contains_key(uri) {
            let message = format!(
                "subscriptions of a session: at most {limit}; end one first, or let a person raise `subscriptions` in \
                 [limits] of config.toml"
            );
            return Err(ErrorData::invalid_request(message, None));
        }
        let task = tokio::spawn(forwarder).abort_handle();
        if let Some(older) = running.insert(uri.to_owned(), task) {
            older.abort();
        }
        Ok(())
    }

    fn end(&self, uri: &str) {
        let ended = lock(&self.0).remove(uri);
        if let Some(task) = ended {
            task.abort();
        }
    }

    fn has(&self, uri: &str) -> bool {
        lock(&self.0).contains_key(uri)
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        for task in lock(&self.0).values() {
            task.abort();
        }
    }
}

impl Server {
    /// Older revisions: one URI, for as long as the session lives.
    pub(super) async fn start_subscription(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let subject = Subject::parse(uri).ok_or_else(|| unknown(uri))?;
        let changes = self.watch(&subject).await.map_err(|error| unreadable(uri, &error))?;
        let (peer, told) = (context.peer.clone(), uri.to_owned());
        let tell = move || {
            let (peer, update) = (peer.clone(), ResourceUpdatedNotificationParam::new(told.clone()));
            async move { peer.notify_resource_updated(update).await }
        };
        self.subscriptions.start(uri, self.hub.limits().subscriptions, forward(changes, GAP, tell).boxed())
    }

    /// Older revisions: ends what `start_subscription` began; nothing if there is none.
    pub(super) fn end_subscription(&self, uri: &str) -> Result<(), ErrorData> {
        Subject::parse(uri).ok_or_else(|| unknown(uri))?;
        self.subscriptions.end(uri);
        Ok(())
    }

    /// Older revisions: a session that has once listed the resources is told when the list changes.
    pub(super) fn follow_resource_list(&self, context: &RequestContext<RoleServer>) {
        if self.subscriptions.has(RESOURCE_LIST) {
            return;
        }
        let peer = context.peer.clone();
        let tell = move || {
            let peer = peer.clone();
            async move { peer.notify_resource_list_changed().await }
        };
        let forwarder = forward(self.hub.room_list_changes(), GAP, tell).boxed();
        if self.subscriptions.start(RESOURCE_LIST, self.hub.limits().subscriptions, forwarder).is_err() {
            tracing::debug!("a session with many subscriptions is not told when the list of rooms changes");
        }
    }

    /// Newer revisions: everything that one `subscriptions/listen` asks for, until it ends or the hub stops.
    pub(super) async fn forward_all(&self, context: &SubscriptionContext) {
        let accepted = context.accepted();
        let mut forwarders: Vec<BoxFuture<'_, ()>> = Vec::new();
        for uri in accepted.resource_subscriptions.iter().flatten() {
            // A room that does not exist changes never.
            let Some(subject) = Subject::parse(uri) else { continue };
            let Ok(changes) = self.watch(&subject).await else { continue };
            let sink = context.sink();
            let tell = move || sink.notify_resource_updated(uri.clone());
            forwarders.push(forward(changes, GAP, tell).boxed());
        }
        if accepted.resources_list_changed == Some(true) {
            let tell = || context.sink().notify_resource_list_changed();
            forwarders.push(forward(self.hub.room_list_changes(), GAP, tell).boxed());
        }
        tokio::select! {
            () = context.cancelled() => {}
            () = self.hub.stopped() => {}
            never = all_then_silence(forwarders) => match never {},
        }
    }

    async fn watch(&self, subject: &Subject) -> Result<watch::Receiver<u64>, HubError> {
        match subject {
            Subject::Rooms => Ok(self.hub.room_list_changes()),
            Subject::Room(id) => self.hub.changes(id).await,
            Subject::Task(id) => self.hub.changes_of_task(id).await,
        }
    }
}

/// What is accepted of a `subscriptions/listen`: our own URIs, each once, and not too many.
pub(super) fn acceptable(requested: &SubscriptionFilter, limit: usize) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    if let Some(uris) = &mut accepted.resource_subscriptions {
        let mut seen = Vec::new();
        uris.retain(|uri| {
            let is_new = Subject::parse(uri).is_some() && !seen.contains(uri) && seen.len() < limit;
            if is_new {
                seen.push(uri.clone());
            }
            is_new
        });
    }
    accepted
}

/// Tells of changes until nobody listens or nothing can change any more. Changes within the gap are told once.
async fn forward<T, E>(mut changes: watch::Receiver<u64>, gap: Duration, mut tell: impl FnMut() -> T)
where
    T: Future<Output = Result<(), E>>,
{
    while changes.changed().await.is_ok() {
        if tell().await.is_err() {
            return;
        }
        tokio::time::sleep(gap).await;
    }
}

/// A stream whose subjects are all gone stays open and silent: only its client ends it.
async fn all_then_silence(forwarders: Vec<BoxFuture<'_, ()>>) -> Infallible {
    join_all(forwarders).await;
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::future::ready;

    #[tokio::test]
    async fn a_burst_of_changes_is_told_once() {
        let (change, changes) = watch::channel(0);
        for n in 1..=1000 {
            change.send_replace(n);
        }
        drop(change);
        let told = Cell::new(0);
        forward(changes, Duration::ZERO, || {
            told.set(told.get() + 1);
            ready(Ok::<_, ()>(()))
        })
        .await;
        assert_eq!(told.get(), 1);
    }

    #[tokio::test]
    async fn a_change_during_a_notification_is_told_by_the_next() {
        let (change, changes) = watch::channel(0);
        change.send_replace(1);
        let mut change = Some(change);
        let told = Cell::new(0);
        forward(changes, Duration::ZERO, || {
            told.set(told.get() + 1);
            change.take().inspect(|change| {
                change.send_replace(2);
            });
            ready(Ok::<_, ()>(()))
        })
        .await;
        assert_eq!(told.get(), 2);
    }

    #[tokio::test]
    async fn telling_ends_when_nobody_listens() {
        let (change, changes) = watch::channel(0);
        change.send_replace(1);
        forward(changes, Duration::ZERO, || ready(Err::<(), _>(()))).await;
        assert_eq!(change.receiver_count(), 0);
    }

    #[tokio::test]
    async fn subscriptions_end_with_their_session() {
        let (alive, gone) = tokio::sync::oneshot::channel::<()>();
        let subscriptions = Subscriptions::default();
        let forwarder = async move {
            let _alive = alive;
            std::future::pending::<()>().await;
        };
        subscriptions.start("turnroom://rooms", 1, forwarder.boxed()).unwrap();
        drop(subscriptions);
        assert!(gone.await.is_err());
    }

    #[tokio::test]
    async fn a_session_cannot_subscribe_without_end_but_can_replace() {
        const LIMIT: usize = 3;
        let subscriptions = Subscriptions::default();
        for n in 0..LIMIT {
            subscriptions
                .start(&format!("turnroom://room/{n}"), LIMIT, std::future::pending().boxed())
                .unwrap();
        }
        assert!(subscriptions.start("turnroom://rooms", LIMIT, std::future::pending().boxed()).is_err());
        assert!(subscriptions.start("turnroom://room/1", LIMIT, std::future::pending().boxed()).is_ok());
        subscriptions.end("turnroom://room/2");
        assert!(subscriptions.start("turnroom://rooms", LIMIT, std::future::pending().boxed()).is_ok());
    }

    #[test]
    fn only_our_own_resources_are_accepted_each_once() {
        let requested = SubscriptionFilter::builder()
            .resources_list_changed()
            .resource_subscriptions(["turnroom://rooms", "test://x", "turnroom://rooms", "turnroom://room/a"])
            .build();
        let accepted = acceptable(&requested, 100);
        assert_eq!(accepted.resources_list_changed, Some(true));
        assert_eq!(
            accepted.resource_subscriptions,
            Some(vec!["turnroom://rooms".to_owned(), "turnroom://room/a".to_owned()])
        );
        assert!(accepted.is_subset_of(&requested));
    }
}
