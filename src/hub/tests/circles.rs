//! Programs that could be started for ever: those that do nothing, or half of their part, and agents that work on each
//! other's records.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::turns::Office;
use crate::hub::{IfStarted, PublishRecord, Want};
use crate::task::Role;

const MINUTE: Duration = Duration::from_mins(1);
/// Longer than anything within one moment.
const SHORT: Duration = Duration::from_secs(20);

impl Office {
    /// Somebody takes note of what did not fit, which begins the turn anew.
    pub(super) async fn acknowledge(&self, role: &str) {
        let payload = json!({ "summary": "s", "body": "b", "ack": true }).as_object().cloned().unwrap();
        let (task, role, content_type) = ("parser".to_owned(), role.to_owned(), "note".to_owned());
        let request = PublishRecord { task, role, content_type, payload, ..PublishRecord::default() };
        self.table.hub.publish_record(&self.client().caller, request).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_in_vain_is_tried_again_and_then_told_whatever_others_publish() {
    let mut office = Office::auto().await;
    office.task().await;
    for (attempt, minutes) in [(1, 0), (2, 1), (3, 2), (4, 4), (5, 8)] {
        let run = office.next_within(MINUTE * minutes + SHORT).await.expect("it is started again");
        assert_eq!(run.start.attempt, attempt);
        assert_eq!(office.kinds().await, Vec::<&str>::new());
        Office::end(run, "no such file");
        office.publish("reviewer", "note").await;
    }
    assert!(office.next_within(MINUTE * 60).await.is_none());
    let inbox = office.table.hub.inbox().await;
    let Want::StartFailed { attempts: 5, words, .. } = &inbox[0].want else { panic!("{inbox:?}") };
    assert_eq!(words, "no such file");
    let first = inbox[0].id.clone();
    office.publish("human", "note").await;
    assert!(office.next_within(MINUTE * 20).await.is_none());
    assert_eq!(office.table.hub.inbox().await[0].id, first, "it is told once");
    office.publish("architect", "design").await;
    let next = office.next().await;
    assert_eq!((next.start.role, next.start.attempt), (Role::Executor, 1), "a new turn begins anew");
    assert!(!office.kinds().await.contains(&"start_failed"));
}

#[tokio::test(start_paused = true)]
async fn who_leaves_something_running_that_publishes_later_is_not_started_in_a_circle() {
    let mut office = Office::auto().await;
    office.task().await;
    Office::end(office.next().await, "gone into the background");
    for _ in 0..5 {
        office.publish("architect", "note").await;
        assert!(office.next_within(MINUTE * 5).await.is_none());
    }
    assert_eq!(office.kinds().await, ["start_failed"]);
}

#[tokio::test(start_paused = true)]
async fn who_asks_and_ends_is_started_again_when_it_has_an_answer_and_never_within_a_minute() {
    let mut office = Office::auto().await;
    office.task().await;
    for _ in 0..3 {
        let run = office.next_within(MINUTE).await.expect("it is started");
        assert_eq!(run.start.attempt, 1);
        office.publish("architect", "note").await;
        Office::end(run, "it has asked");
        sleep(Duration::from_secs(1)).await;
        office.publish("human", "note").await;
        assert!(office.next_within(Duration::from_secs(50)).await.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn who_publishes_a_note_and_ends_is_not_started_in_a_circle() {
    let mut office = Office::auto().await;
    office.task().await;
    let run = office.next().await;
    office.publish("architect", "note").await;
    Office::end(run, "done");
    assert!(office.next_within(MINUTE * 20).await.is_none());
    assert_eq!(office.kinds().await, ["start_failed"]);
}

#[tokio::test(start_paused = true)]
async fn agents_that_go_round_are_stopped_until_a_person_says_something_also_over_a_restart() {
    let mut office = Office::auto().await;
    office.agency.settings.lock().unwrap().max_auto_turns = 3;
    office.task().await;
    // An architect whose warnings nobody looks at but another agent goes round with himself.
    for _ in 0..3 {
        let run = office.next().await;
        office.publish("architect", "review").await;
        office.acknowledge("reviewer").await;
        Office::end(run, "done");
    }
    assert!(office.next_within(MINUTE * 5).await.is_none());
    assert_eq!(office.kinds().await, ["went_round"]);
    let inbox = office.table.hub.inbox().await;
    assert_eq!(inbox[0].title(), "the agents of task parser went round 3 times without you");
    office.crash().await;
    assert!(office.next_within(MINUTE * 5).await.is_none());
    office.publish("executor", "note").await;
    assert!(office.next_within(MINUTE * 5).await.is_none(), "it is no word of a person");
    office.publish("human", "note").await;
    let run = office.next().await;
    assert_eq!(office.kinds().await, Vec::<&str>::new());
    office.publish("architect", "review").await;
    office.acknowledge("reviewer").await;
    Office::end(run, "done");
    office.next().await;
}

#[tokio::test(start_paused = true)]
async fn a_person_who_starts_the_next_one_lets_agents_go_round_again() {
    let mut office = Office::auto().await;
    office.agency.settings.lock().unwrap().max_auto_turns = 1;
    let task = office.task().await;
    let run = office.next().await;
    office.publish("architect", "design").await;
    Office::end(run, "done");
    assert!(office.next_within(MINUTE * 5).await.is_none());
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    let run = office.next().await;
    office.publish("executor", "review").await;
    office.acknowledge("reviewer").await;
    Office::end(run, "done");
    office.next().await;
}

#[tokio::test(start_paused = true)]
async fn nobody_but_a_person_starts_the_next_one_where_agents_went_round() {
    let mut office = Office::auto().await;
    office.agency.settings.lock().unwrap().max_auto_turns = 2;
    let task = office.task().await;
    let script = office.client();
    let run = office.next().await;
    office.publish("architect", "design").await;
    Office::end(run, "done");
    let run = office.next().await;
    office.publish("executor", "review").await;
    office.acknowledge("reviewer").await;
    Office::end(run, "done");
    assert!(office.next_within(MINUTE * 5).await.is_none());
    for again in [IfStarted::Refuse, IfStarted::StartAnew] {
        let refused = script.hub.start_next(&script.caller, &task, again).await.unwrap_err();
        assert_eq!(refused.code(), "not_startable", "{refused}");
        assert!(refused.next().contains("a person types"), "{}", refused.next());
    }
    assert!(office.runs.try_recv().is_err());
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    office.next().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_script_starts_counts_as_started_by_the_hub() {
    let mut office = Office::manual().await;
    office.agency.settings.lock().unwrap().max_auto_turns = 1;
    let task = office.task().await;
    let script = office.client();
    script.hub.start_next(&script.caller, &task, IfStarted::Refuse).await.unwrap();
    let run = office.next().await;
    office.publish("architect", "design").await;
    Office::end(run, "done");
    let refused = script.hub.start_next(&script.caller, &task, IfStarted::Refuse).await.unwrap_err();
    assert_eq!(refused.code(), "not_startable", "{refused}");
}
