//! What waits for people: one list over all rooms, always as the log is.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;

use super::Table;
use super::support::settle;
use crate::hub::request::{BarrierRequest, Init};
use crate::hub::{Item, SettingsFault, Start, Starter, TaskSettings, Want};

fn titles(items: &[Item]) -> Vec<String> {
    items.iter().map(Item::title).collect()
}

#[tokio::test(start_paused = true)]
async fn a_question_is_in_the_inbox_with_its_words_and_choices_until_it_is_answered() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let sent = alice.send("@Alice", "@user *which* one?", |send| {
        send.choices = vec!["this".into(), "that".into()];
        send.block = Some(false);
    });
    sent.await.unwrap();
    let inbox = table.hub.inbox().await;
    assert_eq!(titles(&inbox), ["@Alice asks @user in talk"]);
    assert_eq!(inbox[0].id, format!("talk/question/{}/@user", number(&inbox[0])));
    let Want::Question { text, choices, is_private, .. } = &inbox[0].want else { panic!("{inbox:?}") };
    assert_eq!(
        (text.as_str(), choices.join(" "), *is_private),
        ("@user *which* one?", "this that".into(), false)
    );
    assert_eq!(inbox[0].command(), format!("turnroom answer talk#{} '…'", number(&inbox[0])));
    alice.say("@user", "this").await;
    assert_eq!(titles(&table.hub.inbox().await), Vec::<String>::new());
}

/// Settings that may have a fault.
#[derive(Debug, Default)]
struct Settings(Mutex<Option<SettingsFault>>);

impl Settings {
    fn set(&self, problem: Option<&str>) {
        let fault = |problem: &str| SettingsFault {
            file: "/home/config.toml".into(),
            line: Some(3),
            problem: problem.to_owned(),
        };
        *self.0.lock().unwrap() = problem.map(fault);
    }
}

#[async_trait]
impl Starter for Settings {
    fn settings(&self) -> Arc<TaskSettings> {
        Arc::default()
    }

    fn fault(&self) -> Option<SettingsFault> {
        self.0.lock().unwrap().clone()
    }

    async fn run(&self, _: &Start) -> String {
        String::new()
    }

    fn is_running(&self, _: &str) -> bool {
        false
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_the_settings_is_told_by_itself_once_and_goes_when_it_is_mended() {
    let mut table = Table::new().await;
    let settings = Arc::<Settings>::default();
    settings.set(Some("`a` must be b"));
    table.restart_with(|of_hub| of_hub.starter = settings.clone()).await;
    let at_start = table.hub.inbox().await;
    assert_eq!(titles(&at_start), ["your settings have a fault"]);
    assert!(at_start[0].body().starts_with("/home/config.toml, line 3: `a` must be b. "));
    assert_eq!((at_start[0].room.as_str(), at_start[0].want.kind()), ("", "settings"));
    tokio::time::sleep(Duration::from_mins(10)).await;
    assert_eq!(*table.hub.inbox().await, *at_start, "it is the same thing");
    // Nobody stirs; it is told all the same.
    let mut changes = table.hub.inbox_changes();
    settings.set(Some("`c` must be d"));
    let other = changes.wait_for(|items| items.iter().any(|item| item.body().contains("`c`"))).await.unwrap()
        [0]
    .id
    .clone();
    assert_ne!(other, at_start[0].id, "another fault is told anew");
    settings.set(None);
    changes.wait_for(|items| items.is_empty()).await.unwrap();
}

fn number(item: &Item) -> u64 {
    match item.want {
        Want::Question { seq, .. } => seq,
        _ => panic!("no question: {item:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_inbox_is_the_same_after_a_restart_without_any_room_being_called() {
    let mut table = Table::new().await;
    let (alice, _bob) = table.two().await;
    alice.say("@Alice", "@user which one?").await;
    let before = table.hub.inbox().await;
    table.restart().await;
    assert_eq!(*table.hub.inbox().await, *before);
}

#[tokio::test(start_paused = true)]
async fn who_follows_the_inbox_hears_of_a_question_within_a_moment() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let mut changes = table.hub.inbox_changes();
    settle().await;
    changes.borrow_and_update();
    let begun = tokio::time::Instant::now();
    alice.say("@Alice", "@user which one?").await;
    changes.changed().await.unwrap();
    assert_eq!(titles(&changes.borrow()), ["@Alice asks @user in talk"]);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_room_in_which_everybody_waits_is_in_the_inbox_only_when_that_lasts() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let mut changes = table.hub.inbox_changes();
    let last_word = alice.send("@Alice", "that is all", |send| {
        (send.expects_reply, send.block) = (Some(false), Some(false));
    });
    last_word.await.unwrap();
    // Both are told once that nobody has the floor, and wait again.
    alice.look("@Alice").await;
    bob.look("@Bob").await;
    let waits = (alice.spawn_wait("@Alice"), bob.spawn_wait("@Bob"));
    settle().await;
    assert_eq!(titles(&table.hub.inbox().await), Vec::<String>::new());
    let stuck = changes.wait_for(|items| !items.is_empty()).await.unwrap().clone();
    assert_eq!(titles(&stuck), ["everybody waits in talk"]);
    assert_eq!(stuck[0].command(), "turnroom say talk '@Alice please go on'");
    waits.0.abort();
    waits.1.abort();
}

#[tokio::test(start_paused = true)]
async fn a_closed_room_leaves_the_inbox() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    alice.say("@Alice", "@user which one?").await;
    assert_eq!(table.hub.inbox().await.len(), 1);
    alice.close("@user").await.unwrap();
    assert_eq!(table.hub.inbox().await.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn who_gives_up_a_look_at_the_inbox_takes_nothing_out_of_it() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    table.hub.inbox().await;
    alice.say("@Alice", "@user which one?").await;
    let shared = &table.hub.shared;
    let live = shared.rooms_seen().pop().unwrap();
    let held = live.lock(shared).await.unwrap();
    let look = tokio::time::timeout(Duration::from_millis(1), table.hub.inbox()).await;
    assert!(look.is_err(), "the look waits for the room");
    drop(held);
    assert_eq!(titles(&table.hub.inbox().await), ["@Alice asks @user in talk"]);
}

#[tokio::test(start_paused = true)]
async fn a_room_that_cannot_be_looked_at_keeps_its_place_and_holds_up_no_other() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    alice.say("@Alice", "@user which one?").await;
    let other = |init: &mut Init| {
        init.filepath = "other.md".to_owned();
        init.policy.barrier = Some(BarrierRequest::Count(0));
    };
    table.room(&["@Carol", "@Dan"], other).await;
    let carol = table.client("c");
    carol.join("@Carol").await;
    assert_eq!(table.hub.inbox().await.len(), 1);
    let shared = &table.hub.shared;
    let held = shared.rooms_seen();
    let held = held.iter().find(|live| live.id == "talk").unwrap();
    let held = held.lock(shared).await.unwrap();
    held.live.stir.stir();
    carol.say("@Carol", "@user and which of these?").await;
    let now = titles(&table.hub.inbox().await);
    assert_eq!(now, ["@Alice asks @user in talk", "@Carol asks @user in other"]);
    drop(held);
    assert_eq!(titles(&table.hub.inbox().await), now);
}
