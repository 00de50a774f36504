//! Logs that cannot be read or understood: their rooms say so, and no other room is touched.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::DateTime;
use serde_json::json;

use super::Table;
use super::support::{Client, words};
use super::twisted::{Twist, Twisted};
use crate::hub::request::{BarrierRequest, Init, Join, Send};
use crate::hub::survey::{is_loose, survey};
use crate::hub::{CreateTask, Find, HubError, IfStarted, ListTasks, PublishRecord, TaskSettings};
use crate::journal::{Journal, JournalError, LOST, MemoryJournal, NewEvent, Recorded, StreamId, Version};
use crate::task::Role;

/// Single events can be damaged.
#[derive(Debug, Default)]
pub(super) struct Damaging {
    damaged: Mutex<Vec<(StreamId, Version)>>,
    reads: Mutex<Vec<StreamId>>,
}

pub(super) type Ill = Twisted<Damaging>;

impl Ill {
    pub(super) fn damage(&self, stream: &StreamId, version: u64) {
        self.damaged.lock().unwrap().push((stream.clone(), Version(version)));
    }

    fn heal(&self) {
        self.damaged.lock().unwrap().clear();
    }

    /// How often a stream was read.
    fn reads(&self, stream: &StreamId) -> usize {
        self.reads.lock().unwrap().iter().filter(|read| *read == stream).count()
    }

    /// The streams of rooms, in the order of their making.
    async fn rooms(&self) -> Vec<StreamId> {
        let listed = self.inner.read(&stream("rooms"), Version::EMPTY, 100).await.unwrap();
        let bodies =
            listed.iter().map(|entry| serde_json::from_slice::<serde_json::Value>(&entry.body).unwrap());
        bodies.map(|body| stream(body["stream"].as_str().unwrap())).collect()
    }
}

#[async_trait]
impl Twist for Damaging {
    async fn read(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.reads.lock().unwrap().push(stream.clone());
        let page = inner.read(stream, after, limit).await?;
        let damaged = self.damaged.lock().unwrap();
        let is_damaged = |event: &&Recorded| damaged.contains(&(stream.clone(), event.version));
        match page.iter().find(is_damaged) {
            Some(event) => Err(JournalError::Damaged {
                stream: stream.clone(),
                version: event.version,
                detail: "the checksum differs".to_owned(),
            }),
            None => Ok(page),
        }
    }
}

pub(super) fn stream(name: &str) -> StreamId {
    StreamId::parse(name).unwrap()
}

/// Rooms `talk`, `two` and `three` in this journal, each with a post of Alice; then a new hub.
async fn three_rooms(journal: &Arc<Ill>) -> Table {
    let mut table = Table::over(Arc::<Ill>::clone(journal)).await;
    for name in ["talk", "two", "three"] {
        let change = |init: &mut Init| {
            init.filepath = format!("{name}.md");
            init.policy.barrier = Some(BarrierRequest::Count(0));
        };
        table.room(&["@Alice", "@Bob"], change).await;
        post(&table.client("a"), name).await.unwrap();
    }
    table.restart_over(Arc::<Ill>::clone(journal)).await;
    table
}

async fn post(client: &Client, room: &str) -> Result<(), HubError> {
    let change = |send: &mut Send| {
        send.room = Some(room.to_owned());
        send.block = Some(false);
    };
    client.send("@Alice", &format!("hello {room} @Bob"), change).await.map(|_| ())
}

async fn read(client: &Client, room: &str) -> Result<Vec<String>, HubError> {
    let join = Join { handle: "@Bob".to_owned(), room: Some(room.to_owned()), ..Join::default() };
    client.hub.join(&client.caller, join).await.map(|answer| words(&answer.turn))
}

async fn phases(table: &Table) -> Vec<(String, &'static str)> {
    let mut rooms: Vec<_> =
        table.hub.rooms().await.unwrap().into_iter().map(|room| (room.room, room.phase)).collect();
    rooms.sort();
    rooms
}

#[tokio::test(start_paused = true)]
async fn a_damaged_room_says_so_and_every_other_room_works() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    journal.damage(&journal.rooms().await[0], 2);
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    let bob = table.client("b");
    let refused = read(&bob, "talk").await.unwrap_err();
    assert_eq!(refused.code(), "room_damaged");
    assert!(refused.to_string().contains("`talk` is damaged at event 2"), "{refused}");
    assert!(refused.next().contains("turnroom doctor"), "{}", refused.next());
    assert_eq!(read(&bob, "two").await.unwrap(), ["hello two @Bob"]);
    // A call that names no room is not kept from its own by a damaged one.
    assert!(bob.hub.room_state(&bob.caller, None).await.is_ok());
    let expected = [("talk", "damaged"), ("three", "open"), ("two", "open")];
    assert_eq!(phases(&table).await, expected.map(|(room, phase)| (room.to_owned(), phase)));
    let found = survey(&*journal).await.unwrap();
    let damaged: Vec<_> = found.rooms.iter().filter(|room| room.damage.is_some()).collect();
    assert!(damaged.len() == 1 && damaged[0].room == "talk" && damaged[0].events == 1, "{damaged:?}");
}

#[tokio::test(start_paused = true)]
async fn a_damaged_log_is_not_read_again_only_to_list_its_room() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    let room = journal.rooms().await[0].clone();
    journal.damage(&room, 2);
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    phases(&table).await;
    let reads = journal.reads(&room);
    for _ in 0..10 {
        post(&table.client("a"), "two").await.unwrap();
        assert_eq!(phases(&table).await[0], ("talk".to_owned(), "damaged"));
        table.hub.inbox().await;
    }
    assert_eq!(journal.reads(&room), reads);
    // Who names it looks whether it is still so.
    journal.damaged.lock().unwrap().clear();
    assert_eq!(read(&table.client("b"), "talk").await.unwrap(), ["hello talk @Bob"]);
    assert_eq!(phases(&table).await[0], ("talk".to_owned(), "open"));
}

#[tokio::test(start_paused = true)]
async fn a_search_goes_on_past_a_room_that_cannot_be_read() {
    let journal = Arc::new(Ill::default());
    let table = three_rooms(&journal).await;
    let find = Find { query: "hello".to_owned(), limit: 10, ..Find::default() };
    let found = async || {
        let found = table.hub.find_words(&find).await.unwrap();
        found.into_iter().map(|found| found.room).collect::<Vec<_>>()
    };
    assert_eq!(found().await, ["three", "two", "talk"]);
    // The index knows its words still, when it has left memory and cannot come back.
    let is_awake = || table.hub.shared.rooms_seen().iter().any(|live| live.is_awake.load(Ordering::SeqCst));
    while is_awake() {
        tokio::time::sleep(Duration::from_hours(1)).await;
    }
    journal.damage(&journal.rooms().await[1], 2);
    assert_eq!(found().await, ["three", "talk"]);
}

#[tokio::test(start_paused = true)]
async fn the_place_of_a_damaged_room_is_free_for_whoever_insists() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    journal.damage(&journal.rooms().await[0], 2);
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    let init = |force| Init {
        filepath: "talk.md".to_owned(),
        participants: vec!["@Alice".to_owned()],
        force,
        ..Init::default()
    };
    let maker = table.client("maker");
    assert_eq!(maker.init(init(false)).await.unwrap_err().code(), "room_damaged");
    maker.init(init(true)).await.unwrap();
    assert!(phases(&table).await.iter().all(|(_, phase)| *phase != "damaged"));
}

#[tokio::test(start_paused = true)]
async fn an_event_of_an_unknown_kind_is_kept_and_skipped() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    let room = journal.rooms().await[0].clone();
    let version = journal.read(&room, Version::EMPTY, 100).await.unwrap().last().unwrap().version;
    let song = NewEvent::new("sung", &json!({ "kind": "sung", "song": "la" })).unwrap();
    journal.append(&room, version, vec![song], DateTime::UNIX_EPOCH).await.unwrap();
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    assert_eq!(read(&table.client("b"), "talk").await.unwrap(), ["hello talk @Bob"]);
    assert_eq!(survey(&*journal).await.unwrap().rooms.iter().map(|room| room.unknown).sum::<u64>(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_event_of_a_known_kind_in_a_form_that_is_not_known_is_damage() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    let room = journal.rooms().await[0].clone();
    let version = journal.read(&room, Version::EMPTY, 100).await.unwrap().last().unwrap().version;
    let newer = NewEvent::new("posted", &json!({ "kind": "posted", "form": 2 })).unwrap();
    journal.append(&room, version, vec![newer], DateTime::UNIX_EPOCH).await.unwrap();
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    let bob = table.client("b");
    let refused = read(&bob, "talk").await.unwrap_err();
    assert_eq!(refused.code(), "room_damaged");
    assert!(refused.to_string().contains("`posted` has a form"), "{refused}");
    assert_eq!(read(&bob, "two").await.unwrap(), ["hello two @Bob"]);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_entry_of_the_list_of_rooms_hides_no_room() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    journal.damage(&stream("rooms"), 2);
    assert_eq!(survey(&*journal).await.unwrap().lost.len(), 1);
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    for room in ["talk", "two", "three"] {
        assert_eq!(read(&table.client("b"), room).await.unwrap(), [format!("hello {room} @Bob")]);
    }
    let found = survey(&*journal).await.unwrap();
    assert_eq!((found.damaged_entries, found.lost.len(), found.rooms.len()), (1, 0, 3));
    // The next hub finds it where the last one has listed it.
    table.restart_over(Arc::<Ill>::clone(&journal)).await;
    assert_eq!(phases(&table).await.len(), 3);
}

/// A copy of a journal as a repair makes it: an entry of a list is lost.
async fn without_entry(journal: &Ill, list: &str, entry: u64) -> Arc<Ill> {
    let repaired = Arc::new(Ill::default());
    for stream in journal.inner.streams().await.unwrap() {
        for event in journal.inner.read(&stream, Version::EMPTY, 100).await.unwrap() {
            let body: serde_json::Value = serde_json::from_slice(&event.body).unwrap();
            let is_lost = stream.as_str() == list && event.version == Version(entry);
            let copy = if is_lost { NewEvent::new(LOST, &()) } else { NewEvent::new(event.kind, &body) };
            let before = Version(event.version.0 - 1);
            repaired.append(&stream, before, vec![copy.unwrap()], event.at).await.unwrap();
        }
    }
    repaired
}

#[tokio::test(start_paused = true)]
async fn a_list_that_was_repaired_is_made_whole() {
    let journal = Arc::new(Ill::default());
    let mut table = three_rooms(&journal).await;
    let repaired = without_entry(&journal, "rooms", 1).await;
    table.restart_over(Arc::<Ill>::clone(&repaired)).await;
    assert_eq!(phases(&table).await.len(), 3);
    assert_eq!(survey(&*repaired).await.unwrap().damaged_entries, 0);
}

/// Tasks `a` and `b` in this journal, each with one record; then a new hub.
async fn with_tasks(journal: &Arc<Ill>) -> Table {
    let mut table = Table::over(Arc::<Ill>::clone(journal)).await;
    let maker = table.client("maker");
    for title in ["a", "b"] {
        let request = CreateTask {
            title: title.to_owned(),
            description: "d".to_owned(),
            creator: "@user".to_owned(),
            role: "human".to_owned(),
            ..CreateTask::default()
        };
        let task = maker.hub.create_task(&maker.caller, request).await.unwrap().task;
        let payload = serde_json::json!({ "summary": "s", "body": "b" });
        let record = PublishRecord {
            task,
            role: "architect".to_owned(),
            content_type: "design".to_owned(),
            payload: payload.as_object().cloned().unwrap(),
            ..PublishRecord::default()
        };
        maker.hub.publish_record(&maker.caller, record).await.unwrap();
    }
    table.restart_over(Arc::<Ill>::clone(journal)).await;
    table
}

fn all_open() -> ListTasks {
    ListTasks { status: None, include_closed: false, limit: 50, after: None }
}

#[tokio::test(start_paused = true)]
async fn a_damaged_task_closes_itself_only_and_the_survey_names_it() {
    let journal = Arc::new(Ill::default());
    let table = with_tasks(&journal).await;
    let streams = journal.inner.streams().await.unwrap();
    let list = journal.inner.read(&stream("tasks"), Version::EMPTY, 10).await.unwrap();
    let first: serde_json::Value = serde_json::from_slice(&list[0].body).unwrap();
    let ill = streams.iter().find(|stream| first["stream"] == stream.as_str()).unwrap();
    journal.damage(ill, 2);
    let refused = table.hub.task_state("a").await.unwrap_err();
    assert!(matches!(&refused, HubError::LogDamaged { id, .. } if id == "a"), "{refused}");
    assert_eq!(table.hub.task_state("b").await.unwrap().version, 1);
    let listed = table.hub.list_tasks(&all_open()).await.unwrap().tasks;
    assert_eq!(listed.iter().map(|task| task.task.as_str()).collect::<Vec<_>>(), ["b"]);
    let survey = survey(&*journal).await.unwrap();
    assert_eq!(survey.damaged_tasks.iter().map(|(stream, ..)| stream).collect::<Vec<_>>(), [ill]);
    assert_eq!(survey.sound_tasks, 1);
}

#[tokio::test(start_paused = true)]
async fn a_damaged_task_is_in_the_inbox_also_where_only_its_starts_are_damaged() {
    let journal = Arc::new(Ill::default());
    let mut table = with_tasks(&journal).await;
    let starting = TaskSettings { startable: Role::ALL.into(), ..TaskSettings::default() };
    let starter = Arc::new(starting);
    table.restart_over_with(Arc::<Ill>::clone(&journal), |settings| settings.starter = starter.clone()).await;
    table.hub.start_next(&table.client("agent").caller, "a", IfStarted::Refuse).await.unwrap();
    let streams = journal.inner.streams().await.unwrap();
    let starts = streams.iter().find(|stream| stream.as_str().ends_with("-starts")).unwrap();
    let log = stream(starts.as_str().trim_end_matches("-starts"));
    for ill in [starts, &log] {
        journal.damage(ill, 1);
        table
            .restart_over_with(Arc::<Ill>::clone(&journal), |settings| settings.starter = starter.clone())
            .await;
        let mut changes = table.hub.inbox_changes();
        let is_damage = |item: &crate::hub::Item| item.title() == "the log of task a is damaged";
        let items = changes.wait_for(|items| items.iter().any(is_damage)).await.unwrap().clone();
        let item = items.iter().find(|item| is_damage(item)).unwrap();
        assert_eq!(item.command(), "turnroom doctor");
        let refused =
            table.hub.start_next(&table.client("agent").caller, "a", IfStarted::Refuse).await.unwrap_err();
        assert!(matches!(&refused, HubError::LogDamaged { id, .. } if id == "a"), "{refused}");
        journal.heal();
        changes.wait_for(|items| !items.iter().any(is_damage)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_damaged_entry_of_the_list_of_tasks_loses_none() {
    let journal = Arc::new(Ill::default());
    let table = with_tasks(&journal).await;
    journal.damage(&stream("tasks"), 1);
    for task in ["a", "b"] {
        assert_eq!(table.hub.task_state(task).await.unwrap().version, 1);
    }
    assert_eq!(table.hub.list_tasks(&all_open()).await.unwrap().tasks.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_list_of_tasks_that_was_repaired_is_made_whole() {
    assert!(is_loose(&stream("tasks")) && is_loose(&stream("rooms")) && !is_loose(&stream("task-1")));
    let journal = Arc::new(Ill::default());
    let mut table = with_tasks(&journal).await;
    let repaired = without_entry(&journal, "tasks", 1).await;
    for _ in 0..2 {
        table.restart_over(Arc::<Ill>::clone(&repaired)).await;
        let listed = table.hub.list_tasks(&all_open()).await.unwrap().tasks;
        assert_eq!(listed.len(), 2);
        assert!(listed.iter().all(|task| task.version == 1), "{listed:?}");
    }
    let entries = repaired.inner.read(&stream("tasks"), Version::EMPTY, 10).await.unwrap();
    assert_eq!(entries.len(), 3, "it is listed again once");
}

#[tokio::test(start_paused = true)]
async fn what_was_started_for_a_task_is_surveyed_and_counts_as_no_task() {
    let journal = Arc::new(Ill::default());
    let _table = with_tasks(&journal).await;
    let starts = stream("task-1-starts");
    let told = vec![NewEvent::new("stall_told", &json!({ "kind": "stall_told", "version": 1 })).unwrap()];
    journal.append(&starts, Version::EMPTY, told, DateTime::UNIX_EPOCH).await.unwrap();
    let found = survey(&*journal).await.unwrap();
    assert_eq!((found.sound_tasks, found.damaged_tasks.len()), (2, 0));
    let odd = vec![NewEvent::new("stall_told", &json!({ "kind": "stall_told" })).unwrap()];
    journal.append(&starts, Version(1), odd, DateTime::UNIX_EPOCH).await.unwrap();
    let found = survey(&*journal).await.unwrap();
    let damaged: Vec<_> = found.damaged_tasks.iter().map(|(stream, version, _)| (stream, *version)).collect();
    assert_eq!((found.sound_tasks, damaged), (2, vec![(&starts, Version(2))]));
}
