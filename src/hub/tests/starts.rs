//! Agents that a person starts: once in a turn, and again when it is forced.

use std::time::Duration;

use super::turns::Office;
use crate::hub::{HubError, IfStarted, NotStarted, TaskSettings};

fn code(refused: &HubError) -> (&'static str, String) {
    (refused.code(), refused.next())
}

#[tokio::test(start_paused = true)]
async fn the_agent_of_a_turn_is_started_once_whatever_becomes_of_it() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    let mut changes = office.table.hub.inbox_changes();
    let items = changes.wait_for(|items| items.iter().any(|item| item.want.kind() == "task_turn")).await;
    assert_eq!(items.unwrap()[0].command(), "turnroom task start-next parser");
    let started = office.start_next(&task, IfStarted::Refuse).await.unwrap();
    assert_eq!((started.handle.as_str(), started.attempt), ("@Architect", 1));
    let run = office.next().await;
    drop(changes.wait_for(|items| items.is_empty()).await.unwrap());

    let refused = office.start_next(&task, IfStarted::Refuse).await.unwrap_err();
    assert_eq!(refused.code(), "already_started");
    assert!(refused.to_string().ends_with("still runs"), "{refused}");
    Office::end(run, "no such file");
    let items = changes.wait_for(|items| items.iter().any(|item| item.want.kind() == "start_failed")).await;
    assert_eq!(items.unwrap()[0].command(), "turnroom task start-next parser --force");
    let refused = office.start_next(&task, IfStarted::Refuse).await.unwrap_err();
    assert_eq!(refused.code(), "already_started");
    assert!(refused.to_string().contains("has ended"), "{refused}");

    assert_eq!(office.start_next(&task, IfStarted::StartAnew).await.unwrap().attempt, 2);
    let run = office.next().await;
    office.publish("architect", "design").await;
    Office::end(run, "done");
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    assert_eq!(office.next().await.start.role.as_str(), "executor");
}

#[tokio::test(start_paused = true)]
async fn of_many_that_start_at_once_one_succeeds() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    let started =
        futures::future::join_all((0..8).map(|_| office.start_next(&task, IfStarted::Refuse))).await;
    assert_eq!(started.iter().filter(|started| started.is_ok()).count(), 1);
    office.next().await;
    assert!(office.runs.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_forced_start_ends_the_one_that_runs_and_its_end_is_not_taken_for_the_new_one() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    let mut first = office.next().await;
    office.start_next(&task, IfStarted::StartAnew).await.unwrap();
    let second = office.next().await;
    first.end.closed().await;
    assert_eq!(second.start.attempt, 2);
    let refused = office.start_next(&task, IfStarted::Refuse).await.unwrap_err();
    assert!(refused.to_string().ends_with("still runs"), "{refused}");
    assert!(!second.end.is_closed());
}

#[tokio::test(start_paused = true)]
async fn a_program_that_hangs_after_its_turn_is_told_of_in_the_next_one_and_gives_way_to_force() {
    let mut office = Office::auto().await;
    let task = office.task().await;
    let mut hung = office.next().await;
    // Its turn ends with what did not fit, and begins anew when somebody has looked.
    office.publish("architect", "review").await;
    office.acknowledge("human").await;
    assert!(office.next_within(Duration::from_mins(2)).await.is_none());
    assert_eq!(office.kinds().await, ["runs_on"]);
    let refused = office.start_next(&task, IfStarted::Refuse).await.unwrap_err();
    assert_eq!(refused.code(), "already_started");
    assert!(refused.to_string().contains("for an earlier turn of task"), "{refused}");
    assert_eq!(office.start_next(&task, IfStarted::StartAnew).await.unwrap().attempt, 1);
    hung.end.closed().await;
    office.next().await;
    drop(office.table.hub.inbox_changes().wait_for(|items| items.is_empty()).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_start_outlives_the_hub() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    let _run = office.next().await;
    office.crash().await;
    let refused = office.start_next(&task, IfStarted::Refuse).await.unwrap_err();
    assert_eq!(refused.code(), "already_started");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_started_says_what_to_do() {
    let mut office = Office::with(TaskSettings::default()).await;
    let task = office.task().await;
    let none = office.start_next(&task, IfStarted::StartAnew).await.unwrap_err();
    assert!(matches!(none, HubError::NotStarted(NotStarted::NoCommand { .. })));
    let (code_of_none, next) = code(&none);
    assert_eq!(code_of_none, "not_startable");
    assert!(next.contains("turnroom task assign architect --start"), "{next}");
    let inbox = office.table.hub.inbox().await;
    assert!(inbox.iter().all(|item| !item.command().contains("start-next")), "{inbox:?}");

    office.publish("architect", "design").await;
    office.publish("executor", "code_changes").await;
    let gate = office.start_next(&task, IfStarted::StartAnew).await.unwrap_err();
    assert!(matches!(gate, HubError::NotStarted(NotStarted::WaitsForPerson(_))), "{gate}");
    office.publish("human", "note").await;
    let unknown = office.start_next("nowhere", IfStarted::Refuse).await.unwrap_err();
    assert_eq!(unknown.code(), "task_not_found");
    assert!(office.runs.try_recv().is_err());
}
