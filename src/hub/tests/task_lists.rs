//! What the disk refuses, or holds up, beside the log of a task: its entry in the list, and the word to its room.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::Table;
use super::support::{Client, settle};
use super::tasks::parser;
use super::twisted::{Twist, Twisted, no_space};
use crate::hub::{CreateTask, ListTasks, TaskState};
use crate::journal::{AppendError, Journal, MemoryJournal, NewEvent, StreamId, Version};
use crate::task::{Decision, Status};

/// What is appended to some streams is refused, or held up.
#[derive(Debug, Default)]
struct Choosy {
    /// How the names of those begin to which nothing is appended.
    refused: Mutex<Option<&'static str>>,
    /// How the names of those begin to which nothing is appended until it goes on.
    held: Mutex<Option<&'static str>>,
    is_held: Notify,
    go_on: Notify,
}

type Disk = Twisted<Choosy>;

impl Choosy {
    fn refuse(&self, streams: Option<&'static str>) {
        *self.refused.lock().unwrap() = streams;
    }

    fn hold(&self, streams: &'static str) {
        *self.held.lock().unwrap() = Some(streams);
    }
}

fn begins(stream: &StreamId, streams: &Mutex<Option<&'static str>>) -> bool {
    streams.lock().unwrap().is_some_and(|streams| stream.as_str().starts_with(streams))
}

#[async_trait]
impl Twist for Choosy {
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        if begins(stream, &self.refused) {
            return Err(no_space());
        }
        if begins(stream, &self.held) {
            self.is_held.notify_one();
            self.go_on.notified().await;
        }
        inner.append(stream, expected, events, at).await
    }
}

async fn create(client: &Client, request_id: &str) -> Option<TaskState> {
    let request = CreateTask { request_id: Some(request_id.to_owned()), ..parser() };
    client.hub.create_task(&client.caller, request).await.ok()
}

async fn ids(table: &Table) -> Vec<String> {
    let all = ListTasks { status: None, include_closed: true, limit: 50, after: None };
    let tasks = table.hub.list_tasks(&all).await.unwrap().tasks;
    tasks.into_iter().map(|task| task.task).collect()
}

/// The kinds of what happened in all rooms.
async fn in_rooms(journal: &Disk) -> Vec<String> {
    let mut kinds = Vec::new();
    for stream in journal.streams().await.unwrap() {
        if stream.as_str().starts_with("room/") {
            let events = journal.read(&stream, Version::EMPTY, 1_000).await.unwrap();
            kinds.extend(events.into_iter().map(|event| event.kind));
        }
    }
    kinds
}

#[tokio::test(start_paused = true)]
async fn a_task_that_did_not_come_into_the_list_is_found_and_its_request_makes_no_other() {
    for dies in [false, true] {
        let journal = Arc::new(Disk::default());
        let mut table = Table::over(journal.clone()).await;
        assert!(create(&table.client("a"), "first").await.is_some());
        journal.refuse(Some("tasks"));
        assert!(create(&table.client("a"), "second").await.is_some(), "its own log has it");
        journal.refuse(None);
        if dies {
            table.restart_over(journal.clone()).await;
        }
        assert_eq!(create(&table.client("a"), "second").await.unwrap().task, "parser-2", "dies: {dies}");
        assert_eq!(ids(&table).await, ["parser-2", "parser"]);
        table.restart_over(journal.clone()).await;
        assert_eq!(create(&table.client("a"), "second").await.unwrap().task, "parser-2");
        assert_eq!(ids(&table).await.len(), 2);
        let streams = journal.streams().await.unwrap();
        let logs = streams.iter().filter(|stream| stream.as_str().starts_with("task-")).count();
        assert_eq!(logs, 2, "the request has made one task");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_list_cannot_be_told_is_known_all_the_same() {
    let journal = Arc::new(Disk::default());
    let mut table = Table::over(journal.clone()).await;
    journal.refuse(Some("tasks"));
    assert!(create(&table.client("a"), "first").await.is_some());
    table.restart_over(journal.clone()).await;
    assert_eq!(ids(&table).await, ["parser"]);
    let client = table.client("a");
    assert_eq!(client.publish("parser", "architect", "design").await.version, 1);
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_entry_is_not_yet_written_delays_no_record_of_another() {
    let journal = Arc::new(Disk::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    let task = client.task("Parser").await;
    journal.hold("tasks");
    let other = table.client("b");
    let making = tokio::spawn(async move { create(&other, "slow").await.is_some() });
    journal.is_held.notified().await;
    let published = timeout(Duration::from_mins(1), client.publish(&task, "architect", "design")).await;
    assert_eq!(published.expect("it does not wait for the list").version, 1);
    assert_eq!(client.hub.task_state(&task).await.unwrap().status, Some(Status::Implementing));
    assert!(!making.is_finished());
    *journal.held.lock().unwrap() = None;
    journal.go_on.notify_one();
    assert!(making.await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_room_that_could_not_be_told_of_its_task_is_told_as_soon_as_it_can() {
    let journal = Arc::new(Disk::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    let task = client.task("Parser").await;
    let moves = async |kind: &str| in_rooms(&journal).await.iter().filter(|is| *is == kind).count();
    let before = moves("task_moved").await;
    journal.refuse(Some("room/"));
    client.publish(&task, "architect", "design").await;
    sleep(Duration::from_mins(1)).await;
    assert_eq!(moves("task_moved").await, before);
    journal.refuse(None);
    sleep(Duration::from_secs(10)).await;
    assert_eq!(moves("task_moved").await, before + 1);
    // Its end, too: till then it is among those that are looked at.
    journal.refuse(Some("room/"));
    client.vouched_for().decide(&task, Decision::Close).await;
    assert_eq!(moves("closed").await, 0);
    journal.refuse(None);
    sleep(Duration::from_secs(10)).await;
    assert_eq!((moves("task_moved").await, moves("closed").await), (before + 2, 1));
    assert_eq!(table.hub.open_task_count().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn an_end_that_did_not_come_into_the_list_comes_there_later() {
    let journal = Arc::new(Disk::default());
    let table = Table::over(journal.clone()).await;
    let client = table.client("a");
    let task = client.task("Parser").await;
    settle().await;
    journal.refuse(Some("tasks"));
    assert_eq!(client.vouched_for().decide(&task, Decision::Close).await.status, Some(Status::Closed));
    journal.refuse(None);
    sleep(Duration::from_secs(10)).await;
    assert_eq!(table.hub.open_task_count().await.unwrap(), 0);
    let ends = journal.read(&StreamId::parse("tasks").unwrap(), Version::EMPTY, 10).await.unwrap();
    assert_eq!(ends.iter().filter(|event| event.kind == "closed").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_a_crash_the_room_of_each_open_task_is_told_how_far_that_has_come() {
    let mut table = Table::new().await;
    let client = table.client("a");
    let task = client.task("Parser").await;
    // The record is stored, and the hub dies before the room hears of it.
    let streams = table.journal.streams().await.unwrap();
    let log = streams.iter().find(|stream| stream.as_str().starts_with("task-")).unwrap();
    let other = Table::new().await;
    let twin = other.client("a").task("Parser").await;
    other.client("a").publish(&twin, "architect", "design").await;
    let twins = other.journal.streams().await.unwrap();
    let record = twins.iter().find(|stream| stream.as_str().starts_with("task-")).unwrap();
    let record = other.journal.read(record, Version(1), 1).await.unwrap().remove(0);
    let body: serde_json::Value = serde_json::from_slice(&record.body).unwrap();
    let copy = vec![NewEvent::new(record.kind, &body).unwrap()];
    table.journal.append(log, Version(1), copy, record.at).await.unwrap();
    table.crash().await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(table.hub.task_state(&task).await.unwrap().version, 1);
    let room = streams.iter().find(|stream| stream.as_str().starts_with("room/")).unwrap();
    let events = table.journal.read(room, Version::EMPTY, 1_000).await.unwrap();
    let moved = events.iter().rfind(|event| event.kind == "task_moved").unwrap();
    let moved: serde_json::Value = serde_json::from_slice(&moved.body).unwrap();
    assert_eq!((&moved["version"], &moved["status"]), (&1.into(), &"implementing".into()));
}
