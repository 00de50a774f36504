//! From what waits to what is told, with ways that behave badly. Time is paused.

use std::time::Duration;

use chrono::{Local, TimeDelta};

use super::support::{House, Mood, Noted, all, silent};
use crate::clock::set_wall_clock;
use crate::config::{Notices, QuietHours};
use crate::notify::pace::Pace;

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn something_new_is_told_within_a_second_and_once() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1"]));
    assert_eq!(heard.after(SECOND).await, ["title of a/1"]);
    notifier.waiting(all(&["a/1", "a/2"]));
    assert_eq!(heard.after(SECOND).await, ["title of a/2"]);
    notifier.waiting(all(&["a/1", "a/2"]));
    assert!(heard.after(SECOND * 3600).await.is_empty());
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn what_comes_within_a_moment_is_told_together() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    let ids = ["a/1", "a/2", "b/3", "c/4", "c/5"];
    for count in 1..=ids.len() {
        notifier.waiting(all(&ids[..count]));
        tokio::time::sleep(SECOND / 20).await;
    }
    assert_eq!(heard.after(SECOND).await, ["5 things wait for you in 3 rooms"]);
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_only_what_was_not_told_is() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1", "a/2"]));
    assert_eq!(heard.after(SECOND * 2).await.len(), 2);
    notifier.close().await;

    let (channel, mut heard) = Noted::named("a", vec![]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1", "a/2", "a/3"]));
    assert_eq!(heard.after(SECOND * 2).await, ["title of a/3"]);
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_tried_again_and_a_restart_in_between_loses_nothing() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![Mood::Later, Mood::Later]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1"]));
    assert!(heard.after(SECOND).await.is_empty());
    notifier.close().await;

    let (channel, mut heard) = Noted::named("a", vec![Mood::Later, Mood::Later]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1"]));
    assert!(heard.after(SECOND * 3).await.is_empty());
    assert_eq!(heard.after(SECOND * 3).await, ["title of a/1"]);
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_answered_before_it_could_be_told_is_dropped() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![Mood::Later]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1"]));
    assert!(heard.after(SECOND).await.is_empty());
    notifier.waiting(vec![]);
    assert!(heard.after(SECOND * 3600).await.is_empty());
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_holds_up_nothing_else() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![Mood::Refuses]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1", "a/2"]));
    assert_eq!(heard.after(SECOND).await, ["title of a/2"]);
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_dead_way_delays_no_other_and_not_the_end() {
    let house = House::new();
    let (dead, _unheard) = Noted::named("dead", vec![Mood::Hangs]);
    let (alive, mut heard) = Noted::named("alive", vec![]);
    let notifier = house.open(vec![dead, alive], &silent(), Pace::default()).await;
    for count in 1..=3 {
        notifier.waiting(all(&["a/1", "a/2", "a/3"][..count]));
        assert_eq!(heard.after(SECOND).await, [format!("title of a/{count}")]);
    }
    tokio::time::timeout(SECOND * 2, notifier.close()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn in_quiet_hours_nothing_is_told_and_afterwards_all_of_it_together() {
    let house = House::new();
    let (channel, mut heard) = Noted::named("a", vec![]);
    let now = house.clock.now().wall.with_timezone(&Local).time();
    let hour = TimeDelta::hours(1);
    let quiet_hours =
        Some(QuietHours { from: now.overflowing_sub_signed(hour).0, to: now.overflowing_add_signed(hour).0 });
    let settings = Notices { quiet_hours, ..silent() };
    let notifier = house.open(vec![channel], &settings, Pace::default()).await;
    notifier.waiting(all(&["a/1", "a/2", "b/3"]));
    assert!(heard.after(SECOND * 7200).await.is_empty());
    notifier.waiting(all(&["a/2", "b/3"]));
    set_wall_clock(TimeDelta::hours(2));
    assert_eq!(heard.after(SECOND * 61).await, ["2 things wait for you in 2 rooms"]);
    notifier.waiting(all(&["a/2", "b/3", "b/4"]));
    assert_eq!(heard.after(SECOND).await, ["title of b/4"]);
    notifier.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_damaged_file_means_that_people_are_told_again() {
    let house = House::new();
    let folder = house.folder().notices();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.json"), "{").unwrap();
    let (channel, mut heard) = Noted::named("a", vec![]);
    let notifier = house.open(vec![channel], &silent(), Pace::default()).await;
    notifier.waiting(all(&["a/1"]));
    assert_eq!(heard.after(SECOND).await, ["title of a/1"]);
    notifier.close().await;
    assert_eq!(std::fs::read_to_string(folder.join("a.json")).unwrap(), r#"["a/1"]"#);
}
