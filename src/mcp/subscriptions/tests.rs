//! When subscriptions tell, when they wait, and when they end.

use std::cell::Cell;
use std::future::ready;
use std::sync::Arc;

use serde_json::json;

use super::super::audience::Audiences;
use super::*;
use crate::hub::{ActOnPuzzle, AddPuzzle, Caller, Hub, Mouth};
use crate::mcp::{Origin, Seals, SessionSource};

#[tokio::test]
async fn a_burst_of_changes_is_told_once() {
    let (change, changes) = watch::channel(0);
    for n in 1..=1000 {
        change.send_replace(n);
    }
    drop(change);
    let told = Cell::new(0);
    forward(vec![changes], Duration::ZERO, Audience::default(), || {
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
    forward(vec![changes], Duration::ZERO, Audience::default(), || {
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
async fn what_changes_while_nobody_listens_is_told_once_when_somebody_does() {
    let (audiences, session) = (Audiences::default(), "a".into());
    let (change, changes) = watch::channel(0);
    let told = Cell::new(0);
    let mut forwarder =
        std::pin::pin!(forward(vec![changes], Duration::ZERO, audiences.of(&session), || {
            told.set(told.get() + 1);
            ready(Ok::<_, ()>(()))
        }));
    let mut come = |times: u64, after: u64| {
        for n in 0..times {
            change.send_modify(|count| *count += n);
            assert!(forwarder.as_mut().now_or_never().is_none());
        }
        assert!(forwarder.as_mut().now_or_never().is_none());
        assert_eq!(told.get(), after);
    };
    come(1000, 0);
    let listener = audiences.enter(&session);
    come(0, 1);
    come(3, 4);
    drop(listener);
    come(1000, 4);
    let _again = audiences.enter(&session);
    come(0, 5);
}

#[tokio::test]
async fn telling_ends_when_nobody_listens() {
    let (change, changes) = watch::channel(0);
    change.send_replace(1);
    forward(vec![changes], Duration::ZERO, Audience::default(), || ready(Err::<(), _>(()))).await;
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
        subscriptions.start(&format!("turnroom://room/{n}"), LIMIT, std::future::pending().boxed()).unwrap();
    }
    assert!(subscriptions.start("turnroom://rooms", LIMIT, std::future::pending().boxed()).is_err());
    assert!(subscriptions.start("turnroom://room/1", LIMIT, std::future::pending().boxed()).is_ok());
    subscriptions.end("turnroom://room/2");
    assert!(subscriptions.start("turnroom://rooms", LIMIT, std::future::pending().boxed()).is_ok());
}

#[tokio::test]
async fn what_can_change_no_more_does_not_count() {
    let subscriptions = Subscriptions::default();
    for n in 0..3 {
        subscriptions.start(&format!("puzzlebox://puzzle/{n}"), 1, ready(()).boxed()).unwrap();
        while !lock(&subscriptions.by_uri).values().all(AbortHandle::is_finished) {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(subscriptions.uris().len(), 1);
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

#[tokio::test]
async fn what_changes_between_the_promise_to_tell_and_the_watch_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let hub = Hub::in_memory(folder.path()).await;
    let session = SessionSource::Fixed(Session::Alone);
    let origin = Origin { session, folders: Vec::new(), toolsets: None, is_back: false, kept: None };
    let server =
        Server::new(hub.clone(), Arc::new(Seals::new("run", "a secret that has at least 32 bytes")), origin);
    let caller = Caller::new(Session::Alone, Mouth::Mcp);
    let states = json!({ "A": { "actions": { "go": { "targetState": "A" } } } });
    let add = |id| AddPuzzle {
        config: json!({ "id": id, "initialState": "A", "states": states }),
        ..AddPuzzle::default()
    };
    for id in ["acted", "idle", "removed"] {
        hub.add_puzzle(&caller, add(id)).await.unwrap();
    }
    let requested = SubscriptionFilter::builder().resources_list_changed().build();
    server.accept(&requested);
    let act = ActOnPuzzle { puzzle: "acted".into(), action: "go".into(), ..ActOnPuzzle::default() };
    hub.act_on_puzzle(&caller, act).await.unwrap();
    hub.remove_puzzle(&caller, "removed", None).await.unwrap();
    hub.add_puzzle(&caller, add("come")).await.unwrap();

    let since = server.subscriptions.take_moment();
    for (id, is_told) in [("acted", true), ("idle", false), ("removed", true), ("come", true)] {
        let watched = server.watch_since(&Subject::Puzzle(id.into()), since).await.unwrap();
        // A watch whose subject is gone tells once, and then ends.
        assert_eq!(watched.has_changed().unwrap_or(true), is_told, "{id}");
    }
    let lists = server.list_changes(&Toolsets::default(), since);
    assert_eq!(lists.iter().map(|list| list.has_changed().unwrap()).collect::<Vec<_>>(), [false, true]);
    assert!(lock(&server.subscriptions.beginning).is_empty());
}
