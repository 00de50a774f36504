//! Tells clients that a room, a task or a puzzle, or the list of resources, has changed.
//!
//! Each subscription has one task of its own, driven by a watch: whatever happens during one notification is told
//! by the next, and who changes a room never waits for a client that does not read. While the client of a session does
//! not listen, its subscriptions wait, and cost whoever changes something nothing; what has changed by then is told when
//! it does.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::future::ready;
use std::sync::Mutex;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, join_all, select_all};
use rmcp::model::{RequestId, ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{NotificationContext, Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::Server;
use super::audience::Audience;
use super::kept::restored;
use super::origin::REPEATED;
use super::receipts::lock;
use super::resources::{Subject, is_gone, shows_puzzles, unknown, unreadable};
use crate::hub::{HubError, Moment, Session};
use crate::tools::Toolsets;

/// Between two notifications of one subscription: a person does not see more, and a client need not.
const GAP: Duration = Duration::from_millis(250);

/// Of a `subscriptions/listen` that names more resources none is accepted.
const MANY: usize = 10_000;

/// The subscriptions of one session of an older revision. They end with it.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    by_uri: Mutex<HashMap<String, AbortHandle>>,
    /// Every session is told when the list of resources changes.
    list: Mutex<Option<AbortHandle>>,
    /// Newer revisions: when each `subscriptions/listen` that begins just now was accepted, by the task that serves it.
    beginning: Mutex<HashMap<Option<tokio::task::Id>, Moment>>,
    /// Held while they are kept beyond this run of the hub.
    keeping: tokio::sync::Mutex<()>,
}

impl Subscriptions {
    /// Starts `forwarder` in place of an older one for the same URI. Refused when there are too many.
    fn start(&self, uri: &str, limit: usize, forwarder: BoxFuture<'static, ()>) -> Result<(), ErrorData> {
        let mut running = lock(&self.by_uri);
        // What can change no more, such as a puzzle that was removed, counts no more.
        running.retain(|_, task| !task.is_finished());
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
        let ended = lock(&self.by_uri).remove(uri);
        if let Some(task) = ended {
            task.abort();
        }
    }

    fn uris(&self) -> Vec<String> {
        lock(&self.by_uri).keys().cloned().collect()
    }

    /// When the `subscriptions/listen` of this task was accepted. rmcp accepts it and hands it on in one task.
    fn take_moment(&self) -> Moment {
        lock(&self.beginning).remove(&tokio::task::try_id()).unwrap_or_else(Moment::now)
    }

    /// Starts `forwarder` for the list of resources, in place of an older one.
    fn follow_list(&self, forwarder: BoxFuture<'static, ()>) {
        let older = lock(&self.list).replace(tokio::spawn(forwarder).abort_handle());
        if let Some(older) = older {
            older.abort();
        }
    }
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        for task in lock(&self.by_uri).values().chain(lock(&self.list).iter()) {
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
        let whom = (&context.peer, Audience::of(&context.extensions));
        if self.is_repeated(&context.id) {
            let changes = changed(self.watch(&subject).await).map_err(|error| unreadable(uri, &error))?;
            return self.follow(uri, &subject, changes, whom);
        }
        if let Subject::Document { puzzle, state } = &subject {
            self.document(uri, puzzle, state).await?;
        }
        let changes = self.watch(&subject).await.map_err(|error| unreadable(uri, &error))?;
        self.follow(uri, &subject, changes, whom)?;
        self.keep_subscriptions(context).await;
        Ok(())
    }

    /// Whether a bridge that has come back repeats a request of before.
    fn is_repeated(&self, id: &RequestId) -> bool {
        self.origin.is_back && matches!(id, RequestId::String(id) if id.starts_with(REPEATED))
    }

    /// Older revisions: ends what `start_subscription` began; nothing if there is none.
    pub(super) async fn end_subscription(
        &self,
        uri: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Subject::parse(uri).ok_or_else(|| unknown(uri))?;
        self.subscriptions.end(uri);
        self.keep_subscriptions(context).await;
        Ok(())
    }

    /// Older revisions: a session that has come back after a restart of the hub goes on where it was. What may have
    /// changed meanwhile counts as changed.
    pub(super) async fn resume_subscriptions(&self, context: &NotificationContext<RoleServer>) {
        let Some((kept, session)) = self.origin.kept.as_ref().zip(restored(&context.extensions)) else {
            return;
        };
        for uri in kept.kept(&session).await {
            let Some(subject) = Subject::parse(&uri) else { continue };
            let followed = match changed(self.watch(&subject).await) {
                Ok(changes) => {
                    let whom = (&context.peer, Audience::of(&context.extensions));
                    self.follow(&uri, &subject, changes, whom)
                }
                Err(error) => Err(unreadable(&uri, &error)),
            };
            if let Err(error) = followed {
                tracing::warn!(%uri, %error, "a subscription has not come back");
            }
        }
    }

    fn follow(
        &self,
        uri: &str,
        subject: &Subject,
        changes: watch::Receiver<u64>,
        (peer, audience): (&Peer<RoleServer>, Audience),
    ) -> Result<(), ErrorData> {
        let (peer, told) = (peer.clone(), uri.to_owned());
        let tell = move || {
            let (peer, update) = (peer.clone(), ResourceUpdatedNotificationParam::new(told.clone()));
            async move { peer.notify_resource_updated(update).await }
        };
        let forwarder = forward(vec![changes], gap(subject), audience, tell).boxed();
        self.subscriptions.start(uri, self.hub.limits().subscriptions, forwarder)
    }

    async fn keep_subscriptions(&self, context: &RequestContext<RoleServer>) {
        let (Some(kept), Session::Named(session)) = (&self.origin.kept, self.session(context)) else {
            return;
        };
        // What is kept last is what the session has subscribed to last.
        let _in_order = self.subscriptions.keeping.lock().await;
        kept.keep(&session, self.subscriptions.uris()).await;
    }

    /// Older revisions: every session is told when the list of resources changes, from its beginning on; one that has come
    /// back may have missed a change.
    pub(super) fn follow_resource_list(&self, context: &NotificationContext<RoleServer>) {
        let mut changes = self.list_changes(self.wished(&context.extensions), self.begun);
        if restored(&context.extensions).is_some() {
            changes.iter_mut().for_each(watch::Receiver::mark_changed);
        }
        let peer = context.peer.clone();
        let tell = move || {
            let peer = peer.clone();
            async move { peer.notify_resource_list_changed().await }
        };
        let audience = Audience::of(&context.extensions);
        self.subscriptions.follow_list(forward(changes, GAP, audience, tell).boxed());
    }

    /// Newer revisions: what is accepted of a `subscriptions/listen`, from this moment on. The client is told so before
    /// `forward_all` can watch it.
    pub(super) fn accept(&self, requested: &SubscriptionFilter) -> SubscriptionFilter {
        lock(&self.subscriptions.beginning).insert(tokio::task::try_id(), Moment::now());
        acceptable(requested, self.hub.limits().subscriptions)
    }

    /// Newer revisions: everything that one `subscriptions/listen` asks for, since it was accepted, until it ends or the hub
    /// stops.
    pub(super) async fn forward_all(&self, context: &SubscriptionContext) {
        let (accepted, since) = (context.accepted(), self.subscriptions.take_moment());
        let mut forwarders: Vec<BoxFuture<'_, ()>> = Vec::new();
        for (uri, subject) in each_once(accepted, self.hub.limits().subscriptions) {
            let sink = context.sink();
            let tell = move || sink.notify_resource_updated(uri.clone());
            let changes = match self.watch_since(&subject, since).await {
                Ok(changes) => ready(changes).boxed(),
                // It may come.
                Err(HubError::NoSuchPuzzle(id)) => {
                    async move { self.hub.changes_of_puzzle_to_come(&id).await }.boxed()
                }
                // What does not exist otherwise changes never.
                Err(_) => continue,
            };
            let follow = async move {
                forward(vec![changes.await], gap(&subject), Audience::default(), tell).await;
            };
            forwarders.push(follow.boxed());
        }
        if accepted.resources_list_changed == Some(true) {
            let tell = || context.sink().notify_resource_list_changed();
            let changes = self.list_changes(self.wished(&context.request_context().extensions), since);
            forwarders.push(forward(changes, GAP, Audience::default(), tell).boxed());
        }
        tokio::select! {
            () = context.cancelled() => {}
            () = self.hub.stopped() => {}
            never = all_then_silence(forwarders) => match never {},
        }
    }

    /// Watches what a client asked for at a moment: what has changed since, or while a bridge was away, is still to be told.
    async fn watch_since(&self, subject: &Subject, since: Moment) -> Result<watch::Receiver<u64>, HubError> {
        let watched = self.watch(subject).await;
        let lists = [self.hub.room_list_changes(), self.hub.puzzle_list_changes()];
        let may_have_changed = match &watched {
            Ok(changes) => since.is_before_last(changes),
            // It may come.
            Err(HubError::NoSuchPuzzle(_)) => return watched,
            // What is gone now may have been there.
            Err(_) => lists.iter().any(|list| since.is_before_last(list)),
        };
        if may_have_changed || self.origin.is_back { changed(watched) } else { watched }
    }

    async fn watch(&self, subject: &Subject) -> Result<watch::Receiver<u64>, HubError> {
        match subject {
            Subject::Rooms => Ok(self.hub.room_list_changes()),
            Subject::Room(id) => self.hub.changes(id).await,
            Subject::Task(id) => self.hub.changes_of_task(id).await,
            Subject::Puzzle(id) => self.hub.changes_of_puzzle(id).await,
            Subject::Document { puzzle, .. } => {
                self.hub.changes_of_puzzle(puzzle).await?;
                Ok(watch::channel(0).1)
            }
        }
    }

    /// What changes the list of resources that a client is shown. What has changed since a moment, or while a bridge was
    /// away, is still to be told.
    fn list_changes(&self, shown: &Toolsets, since: Moment) -> Vec<watch::Receiver<u64>> {
        let mut changes = vec![self.hub.room_list_changes()];
        if shows_puzzles(shown) {
            changes.push(self.hub.puzzle_list_changes());
        }
        for changes in &mut changes {
            if self.origin.is_back || since.is_before_last(changes) {
                changes.mark_changed();
            }
        }
        changes
    }
}

/// How long a subscription is silent after a notification. Who acts on a puzzle acts on what it was told last.
fn gap(subject: &Subject) -> Duration {
    match subject {
        Subject::Rooms | Subject::Room(_) | Subject::Task(_) => GAP,
        Subject::Puzzle(_) | Subject::Document { .. } => Duration::ZERO,
    }
}

/// What is accepted of a `subscriptions/listen`: our own URIs, and not too many; none, if far too many are named.
pub(super) fn acceptable(requested: &SubscriptionFilter, limit: usize) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    let named = requested.resource_subscriptions.as_ref();
    accepted.resource_subscriptions = named.map(|uris| {
        let limit = if uris.len() > limit.max(MANY) { 0 } else { limit };
        each_once(requested, limit).map(|(uri, _)| uri.clone()).collect()
    });
    accepted
}

/// Our own of the URIs that are asked for, each once, and not too many. rmcp gives back what is accepted as often as it was
/// asked for.
fn each_once(of: &SubscriptionFilter, limit: usize) -> impl Iterator<Item = (&String, Subject)> {
    let mut seen = HashSet::new();
    let uris = of.resource_subscriptions.iter().flatten().filter(move |uri| seen.insert(*uri));
    uris.filter_map(|uri| Some((uri, Subject::parse(uri)?))).take(limit)
}

/// What may have changed unseen, and so counts as changed; also what is gone, which is told once.
fn changed(watched: Result<watch::Receiver<u64>, HubError>) -> Result<watch::Receiver<u64>, HubError> {
    let mut changes = match watched {
        Err(error) if is_gone(&error) => watch::channel(0).1,
        watched => watched?,
    };
    changes.mark_changed();
    Ok(changes)
}

/// Tells of changes until its session has ended or nothing can change any more. Changes within the gap, and while
/// nobody listens, are told once.
async fn forward<T, E>(
    mut changes: Vec<watch::Receiver<u64>>,
    gap: Duration,
    audience: Audience,
    mut tell: impl FnMut() -> T,
) where
    T: Future<Output = Result<(), E>>,
{
    while any_changed(&mut changes).await {
        audience.listens().await;
        for changed in &mut changes {
            changed.borrow_and_update();
        }
        if tell().await.is_err() {
            return;
        }
        if !gap.is_zero() {
            tokio::time::sleep(gap).await;
        }
    }
}

/// Waits until one of them has changed; `false` when one of them never will any more.
async fn any_changed(watched: &mut [watch::Receiver<u64>]) -> bool {
    let (first, _, _) = select_all(watched.iter_mut().map(|changes| changes.changed().boxed())).await;
    first.is_ok()
}

/// A stream whose subjects are all gone stays open and silent: only its client ends it.
async fn all_then_silence(forwarders: Vec<BoxFuture<'_, ()>>) -> Infallible {
    join_all(forwarders).await;
    std::future::pending().await
}

#[cfg(test)]
mod tests;
