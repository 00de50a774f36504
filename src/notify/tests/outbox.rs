//! Rules of the outbox.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::support::{all, news};
use crate::notify::News;
use crate::notify::outbox::Outbox;

const SECOND: Duration = Duration::from_secs(1);

fn items(ids: &[&str]) -> Vec<Arc<News>> {
    all(ids).into_iter().map(Arc::new).collect()
}

fn titles(outbox: &mut Outbox, now: Duration) -> Vec<String> {
    let next = || {
        let notice = outbox.next()?;
        outbox.told(&notice, now);
        Some(notice.title())
    };
    std::iter::from_fn(next).collect()
}

#[test]
fn few_things_are_told_one_by_one_and_many_together() {
    let mut outbox = Outbox::default();
    outbox.waiting(&items(&["a/1", "b/2", "b/3"]), SECOND);
    assert_eq!(titles(&mut outbox, SECOND), ["title of a/1", "title of b/2", "title of b/3"]);
    let more = ["a/1", "b/2", "b/3", "a/4", "b/5", "c/6", "c/7", "c/8"];
    outbox.waiting(&items(&more), SECOND);
    assert_eq!(titles(&mut outbox, SECOND), ["5 things wait for you in 3 rooms"]);
}

#[test]
fn many_things_of_one_room_name_it() {
    let mut outbox = Outbox::default();
    outbox.waiting(&items(&["a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7"]), SECOND);
    let notice = outbox.next().unwrap();
    assert_eq!(notice.title(), "7 things wait for you in a");
    assert!(notice.text().ends_with("title of a/5\nand 2 more"), "{}", notice.text());
    let json = notice.json();
    assert_eq!((&json["kind"], &json["count"]), (&"several".into(), &7.into()));
    assert_eq!(json["items"][6]["id"], "a/7");
}

#[test]
fn what_was_held_back_is_told_together() {
    let mut outbox = Outbox::default();
    outbox.waiting(&items(&["a/1", "b/2"]), SECOND);
    outbox.hold();
    assert_eq!(titles(&mut outbox, SECOND), ["2 things wait for you in 2 rooms"]);
    outbox.waiting(&items(&["a/1", "b/2", "b/3", "b/4"]), SECOND);
    assert_eq!(titles(&mut outbox, SECOND), ["title of b/3", "title of b/4"]);
}

#[test]
fn what_waits_no_longer_is_not_told() {
    let mut outbox = Outbox::default();
    assert!(outbox.waiting(&items(&["a/1", "a/2"]), SECOND));
    assert!(outbox.waiting(&items(&["a/2"]), SECOND));
    assert_eq!(titles(&mut outbox, SECOND), ["title of a/2"]);
    assert!(!outbox.waiting(&[], SECOND));
    assert_eq!(outbox.since(), None);
}

#[test]
fn what_was_told_is_told_again_only_when_it_was_gone_for_a_minute() {
    let mut outbox = Outbox::after(BTreeSet::from(["a/1".to_owned()]), Duration::ZERO);
    outbox.waiting(&items(&["a/1"]), SECOND * 100);
    assert_eq!(outbox.next().map(|notice| notice.title()), Some("title of a/1".to_owned()));

    let mut outbox = Outbox::after(BTreeSet::from(["a/1".to_owned()]), Duration::ZERO);
    assert!(!outbox.waiting(&items(&["a/1"]), SECOND * 59));
    assert!(!outbox.waiting(&[], SECOND * 100));
    assert!(!outbox.waiting(&items(&["a/1"]), SECOND * 159));
    assert!(!outbox.waiting(&[], SECOND * 200));
    assert_eq!(outbox.to_keep().len(), 1);
    assert!(!outbox.waiting(&[], SECOND * 260));
    assert_eq!(outbox.to_keep().len(), 0);
    assert!(outbox.waiting(&items(&["a/1"]), SECOND * 261));
}

#[test]
fn what_is_answered_while_it_is_told_is_remembered_for_a_while() {
    let mut outbox = Outbox::default();
    outbox.waiting(&items(&["a/1"]), SECOND);
    let notice = outbox.next().unwrap();
    outbox.waiting(&[], SECOND);
    outbox.told(&notice, SECOND);
    assert_eq!(outbox.to_keep().len(), 1);
    outbox.waiting(&[], SECOND * 61);
    assert_eq!(outbox.to_keep().len(), 0);
}

#[test]
fn private_words_are_shown_only_to_who_wants_them() {
    let secret = News { is_private: true, body: "the code is 4711".to_owned(), ..news("a/1") };
    assert_eq!(secret.clone().for_eyes(false).body, "a private question");
    assert_eq!(secret.for_eyes(true).body, "the code is 4711");
}
