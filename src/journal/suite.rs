//! What every journal must do: one list of rules, run against each implementation.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt;
use futures::future::join_all;
use serde_json::json;

use super::{AppendError, Appended, Journal, JournalError, MAX_APPEND_BYTES, NewEvent, StreamId, Version};

/// Runs all rules against the journals that `$open` gives. What `$open` gives beside them lives as long as the
/// test.
macro_rules! journal_suite {
    ($open:expr) => {
        $crate::journal::suite::journal_suite! { @rules $open,
            an_append_gives_the_new_version_and_reads_back_whole,
            an_append_on_an_old_version_is_a_conflict_and_stores_nothing,
            several_events_are_appended_together_or_not_at_all,
            an_append_of_nothing_only_checks_the_version,
            a_stream_that_nobody_has_appended_to_is_empty,
            a_read_gives_what_follows_a_version_and_no_more_than_the_limit,
            streams_do_not_mix,
            each_stream_that_holds_events_is_listed,
            of_many_racers_one_wins,
            appends_side_by_side_are_all_there,
            subscribers_are_told_of_everything_and_only_once_it_can_be_read,
            a_subscriber_that_is_too_slow_is_told_so,
            a_large_body_comes_back_byte_for_byte,
            what_is_too_large_is_refused,
            an_erased_stream_is_gone_and_no_other,
            an_erased_stream_can_begin_anew,
            a_closed_journal_says_so_and_ends_its_announcements,
        }
    };
    (@rules $open:expr, $($rule:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $rule() {
                let (journal, _alive) = $open;
                $crate::journal::suite::$rule(std::sync::Arc::new(journal)).await;
            }
        )*
    };
}
pub(super) use journal_suite;

type Shared = Arc<dyn Journal>;

pub(super) fn stream(name: &str) -> StreamId {
    StreamId::parse(name).unwrap()
}

/// A moment of its own for each number.
pub(super) fn at(second: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(1_800_000_000 + second)
}

pub(super) fn said(text: &str) -> NewEvent {
    NewEvent::new("said", &json!({ "text": text })).unwrap()
}

pub(super) async fn append(journal: &dyn Journal, name: &str, expected: u64, texts: &[&str]) -> Version {
    let events = texts.iter().map(|text| said(text)).collect();
    journal.append(&stream(name), Version(expected), events, at(0)).await.unwrap()
}

/// All texts of a stream, in order.
pub(super) async fn texts(journal: &dyn Journal, name: &str) -> Vec<String> {
    let events = journal.read(&stream(name), Version::EMPTY, usize::MAX).await.unwrap();
    let text = |body: &[u8]| {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap();
        body["text"].as_str().unwrap().to_owned()
    };
    events.iter().map(|event| text(&event.body)).collect()
}

pub(super) async fn an_append_gives_the_new_version_and_reads_back_whole(journal: Shared) {
    let precise = at(7) + TimeDelta::nanoseconds(123_456_789);
    let events = vec![NewEvent::new("opened", &json!({ "topic": "tea" })).unwrap(), said("hello")];
    let version = journal.append(&stream("rooms"), Version::EMPTY, events, precise).await.unwrap();
    assert_eq!(version, Version(2));
    let read = journal.read(&stream("rooms"), Version::EMPTY, 10).await.unwrap();
    let first = &read[0];
    assert_eq!((first.version, first.kind.as_str()), (Version(1), "opened"));
    assert_eq!(first.body, br#"{"topic":"tea"}"#);
    assert_eq!(first.at, at(7) + TimeDelta::microseconds(123_456));
    assert_eq!((read[1].version, read[1].kind.as_str(), read[1].at), (Version(2), "said", first.at));
}

pub(super) async fn an_append_on_an_old_version_is_a_conflict_and_stores_nothing(journal: Shared) {
    append(&*journal, "rooms", 0, &["a", "b"]).await;
    for wrong in [0, 1, 3, u64::MAX] {
        let error =
            journal.append(&stream("rooms"), Version(wrong), vec![said("c")], at(0)).await.unwrap_err();
        assert!(matches!(error, AppendError::Conflict { actual: Version(2) }), "{wrong}: {error}");
    }
    let error = journal.append(&stream("new"), Version(1), vec![said("c")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Conflict { actual: Version::EMPTY }), "{error}");
    assert_eq!(texts(&*journal, "rooms").await, ["a", "b"]);
    assert!(texts(&*journal, "new").await.is_empty());
}

pub(super) async fn several_events_are_appended_together_or_not_at_all(journal: Shared) {
    let readers = (0..4).map(|_| {
        let journal = Arc::clone(&journal);
        tokio::spawn(async move {
            let mut seen = 0;
            while seen < 60 {
                seen = texts(&*journal, "rooms").await.len();
                assert_eq!(seen % 3, 0, "a part of an append was seen");
                tokio::task::yield_now().await;
            }
        })
    });
    let readers: Vec<_> = readers.collect();
    for round in 0..20 {
        append(&*journal, "rooms", round * 3, &["a", "b", "c"]).await;
    }
    for reader in readers {
        reader.await.unwrap();
    }
}

pub(super) async fn an_append_of_nothing_only_checks_the_version(journal: Shared) {
    let mut told = journal.subscribe();
    assert_eq!(append(&*journal, "rooms", 0, &[]).await, Version::EMPTY);
    append(&*journal, "rooms", 0, &["a"]).await;
    assert_eq!(append(&*journal, "rooms", 1, &[]).await, Version(1));
    let error = journal.append(&stream("rooms"), Version::EMPTY, Vec::new(), at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Conflict { actual: Version(1) }), "{error}");
    append(&*journal, "rooms", 1, &["b"]).await;
    for version in [1, 2] {
        let expected = Appended::Events { stream: stream("rooms"), version: Version(version) };
        assert_eq!(told.next().await, Some(expected));
    }
}

pub(super) async fn a_stream_that_nobody_has_appended_to_is_empty(journal: Shared) {
    append(&*journal, "rooms", 0, &["a"]).await;
    for name in ["room", "rooms/1", "rooms2"] {
        assert!(texts(&*journal, name).await.is_empty(), "{name}");
    }
}

pub(super) async fn a_read_gives_what_follows_a_version_and_no_more_than_the_limit(journal: Shared) {
    append(&*journal, "rooms", 0, &["1", "2", "3", "4", "5"]).await;
    let cases: [(u64, usize, &[u64]); 7] = [
        (0, 2, &[1, 2]),
        (2, 2, &[3, 4]),
        (4, usize::MAX, &[5]),
        (5, 9, &[]),
        (6, 9, &[]),
        (u64::MAX, 9, &[]),
        (0, 0, &[]),
    ];
    for (after, limit, expected) in cases {
        let read = journal.read(&stream("rooms"), Version(after), limit).await.unwrap();
        let versions: Vec<u64> = read.iter().map(|event| event.version.0).collect();
        assert_eq!(versions, expected, "after {after}, at most {limit}");
    }
}

pub(super) async fn streams_do_not_mix(journal: Shared) {
    for round in 0..5 {
        for name in ["room/a", "room/b", "room/c"] {
            append(&*journal, name, round, &[&format!("{name} {round}")]).await;
        }
    }
    let expected: Vec<String> = (0..5).map(|round| format!("room/b {round}")).collect();
    assert_eq!(texts(&*journal, "room/b").await, expected);
}

pub(super) async fn each_stream_that_holds_events_is_listed(journal: Shared) {
    assert_eq!(journal.streams().await.unwrap(), []);
    append(&*journal, "rooms", 0, &["a"]).await;
    append(&*journal, "room/1", 0, &["b", "c"]).await;
    append(&*journal, "room/2", 0, &[]).await;
    let mut streams = journal.streams().await.unwrap();
    streams.sort();
    assert_eq!(streams, [stream("room/1"), stream("rooms")]);
}

pub(super) async fn of_many_racers_one_wins(journal: Shared) {
    for round in 0..10 {
        let racers = (0..20).map(|racer| {
            let journal = Arc::clone(&journal);
            let event = said(&format!("{racer}"));
            tokio::spawn(
                async move { journal.append(&stream("rooms"), Version(round), vec![event], at(0)).await },
            )
        });
        let outcomes: Vec<_> = join_all(racers).await.into_iter().map(Result::unwrap).collect();
        let winners: Vec<usize> = (0..20).filter(|racer| outcomes[*racer].is_ok()).collect();
        assert_eq!(winners.len(), 1, "{outcomes:?}");
        for error in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
            assert!(matches!(error, AppendError::Conflict { actual } if actual.0 == round + 1), "{error}");
        }
        assert_eq!(texts(&*journal, "rooms").await.last(), Some(&winners[0].to_string()));
    }
}

pub(super) async fn appends_side_by_side_are_all_there(journal: Shared) {
    let writers = (0..50).map(|writer| {
        let journal = Arc::clone(&journal);
        tokio::spawn(async move {
            for round in 0..10 {
                append(&*journal, &format!("room/{writer}"), round, &[&format!("{writer}.{round}")]).await;
            }
        })
    });
    for writer in join_all(writers).await {
        writer.unwrap();
    }
    for writer in 0..50 {
        let expected: Vec<String> = (0..10).map(|round| format!("{writer}.{round}")).collect();
        assert_eq!(texts(&*journal, &format!("room/{writer}")).await, expected);
    }
}

pub(super) async fn subscribers_are_told_of_everything_and_only_once_it_can_be_read(journal: Shared) {
    append(&*journal, "before", 0, &["not told"]).await;
    let subscribers: Vec<_> = (0..2).map(|_| journal.subscribe()).collect();
    let writers = (0..10).map(|writer| {
        let journal = Arc::clone(&journal);
        tokio::spawn(async move { append(&*journal, &format!("room/{writer}"), 0, &["a", "b"]).await })
    });
    join_all(writers).await;
    for subscriber in subscribers {
        let told: Vec<Appended> = subscriber.take(10).collect().await;
        let mut names = HashSet::new();
        for one in told {
            let Appended::Events { stream, version } = one else { panic!("{one:?}") };
            assert_eq!(journal.read(&stream, Version(1), 9).await.unwrap()[0].version, version);
            names.insert(stream.to_string());
        }
        assert_eq!(names, (0..10).map(|writer| format!("room/{writer}")).collect());
    }
}

pub(super) async fn a_subscriber_that_is_too_slow_is_told_so(journal: Shared) {
    let mut slow = journal.subscribe();
    let mut version = 0;
    while version < 2 * super::SUBSCRIBER_BACKLOG as u64 {
        let streams = (0..64).map(|name| format!("room/{name}"));
        let appends = streams.map(|name| {
            let journal = Arc::clone(&journal);
            async move { append(&*journal, &name, version / 64, &["x"]).await }
        });
        join_all(appends).await;
        version += 64;
    }
    assert_eq!(slow.next().await, Some(Appended::Lagged));
    assert!(matches!(slow.next().await, Some(Appended::Events { .. })));
}

pub(super) async fn a_large_body_comes_back_byte_for_byte(journal: Shared) {
    let text = "a\u{0}é\u{1F600}\"\\\n".to_owned() + &"x".repeat(8 << 20);
    let event = said(&text);
    let sent = event.body().to_vec();
    journal.append(&stream("rooms"), Version::EMPTY, vec![event], at(0)).await.unwrap();
    let read = journal.read(&stream("rooms"), Version::EMPTY, 1).await.unwrap();
    assert!(read[0].body == sent);
}

pub(super) async fn what_is_too_large_is_refused(journal: Shared) {
    let half = NewEvent::new("x".repeat(MAX_APPEND_BYTES / 2), &()).unwrap();
    let events = vec![half.clone(), half];
    let error = journal.append(&stream("rooms"), Version::EMPTY, events, at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::TooLarge { size, limit } if size > limit), "{error}");
    assert!(texts(&*journal, "rooms").await.is_empty());
}

pub(super) async fn an_erased_stream_is_gone_and_no_other(journal: Shared) {
    for name in ["room/a", "room/b", "room/c"] {
        append(&*journal, name, 0, &["1", "2"]).await;
    }
    assert_eq!(journal.erase(&stream("room/b")).await.unwrap(), 2);
    assert_eq!(journal.erase(&stream("room/b")).await.unwrap(), 0);
    assert!(texts(&*journal, "room/b").await.is_empty());
    let mut streams = journal.streams().await.unwrap();
    streams.sort();
    assert_eq!(streams, [stream("room/a"), stream("room/c")]);
    for name in ["room/a", "room/c"] {
        assert_eq!(texts(&*journal, name).await, ["1", "2"]);
    }
}

pub(super) async fn an_erased_stream_can_begin_anew(journal: Shared) {
    append(&*journal, "room/a", 0, &["1", "2"]).await;
    journal.erase(&stream("room/a")).await.unwrap();
    let error = journal.append(&stream("room/a"), Version(2), vec![said("3")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Conflict { actual: Version::EMPTY }), "{error}");
    append(&*journal, "room/new", 0, &["x"]).await;
    append(&*journal, "room/a", 0, &["4"]).await;
    assert_eq!(texts(&*journal, "room/a").await, ["4"]);
    assert_eq!(texts(&*journal, "room/new").await, ["x"]);
}

pub(super) async fn a_closed_journal_says_so_and_ends_its_announcements(journal: Shared) {
    let before = journal.subscribe();
    append(&*journal, "rooms", 0, &["a"]).await;
    journal.close().await;
    journal.close().await;
    let error = journal.append(&stream("rooms"), Version(1), vec![said("b")], at(0)).await.unwrap_err();
    assert!(matches!(error, AppendError::Unavailable { .. }), "{error}");
    let error = journal.read(&stream("rooms"), Version::EMPTY, 1).await.unwrap_err();
    assert!(matches!(error, JournalError::Unavailable { .. }), "{error}");
    assert_eq!(before.count().await, 1);
    assert_eq!(journal.subscribe().count().await, 0);
}
