//! What a hub does that comes after one that died.

use super::Table;
use super::reply::until;
use super::support::words;

#[tokio::test(start_paused = true)]
async fn what_a_hub_that_died_may_have_given_is_marked() {
    let mut table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    assert!(!bob.look("@Bob").await.turn.new_messages.iter().any(|given| given.redelivered));
    table.crash().await;
    let again = table.client("b").look("@Bob").await.turn;
    assert_eq!(words(&again), ["one @Bob"]);
    assert!(again.new_messages.iter().all(|given| given.redelivered));
    table.client("b").say("@Bob", "two @Alice").await;
    let new = table.client("a").look("@Alice").await.turn;
    let marks: Vec<_> =
        new.new_messages.iter().map(|given| (given.message.seq_id, given.redelivered)).collect();
    assert_eq!(marks.last().map(|(_, redelivered)| *redelivered), Some(false), "{marks:?}");
}

#[tokio::test(start_paused = true)]
async fn who_was_not_here_when_a_hub_died_was_given_nothing() {
    let mut table = Table::new().await;
    let (alice, _) = table.two_and(&["@Carol"]).await;
    alice.say("@Alice", "one @Carol").await;
    table.crash().await;
    let given = table.client("c").join("@Carol").await;
    assert_eq!(words(&given), ["one @Carol"]);
    assert!(given.new_messages.iter().all(|given| !given.redelivered));
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_ended_in_order_has_told_what_it_gave() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    table.restart().await;
    let given = table.client("b").look("@Bob").await.turn;
    let message = given.new_messages.iter().find(|given| !given.message.is_notice()).unwrap();
    assert!(!message.redelivered);
}

#[tokio::test]
async fn the_note_of_a_room_that_is_over_is_whole_again_after_a_crash() {
    let mut table = Table::new().await;
    let (alice, _) = table.two().await;
    alice.say("@Alice", "one @Bob").await;
    let note = table.folder().join("talk.md");
    let whole = until(&note, |text| text.contains("one @Bob")).await;
    alice.close("@user").await.unwrap();
    until(&note, |text| text != whole).await;
    // The hub that died had not written what was said last.
    std::fs::remove_file(&note).unwrap();
    table.crash().await;
    // This one ends before it has looked, and its briefs were written down.
    table.hub.stop();
    let shared = &table.hub.shared;
    let entries = shared.registry.lock().await.newest_first();
    shared.briefs_of(&entries).await;
    shared.save_briefs().await;
    assert!(!note.exists());
    table.crash().await;
    until(&note, |text| text.contains("one @Bob")).await;
}
