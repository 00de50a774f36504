//! A task and the room in which its turns are taken: which one it is, and what each hears of the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::json;

use super::Table;
use super::support::{Client, settle};
use super::twisted::{NoRooms, Twist, Twisted};
use crate::hub::request::{BarrierRequest, Delete, Init};
use crate::hub::{ActOnPuzzle, AddPuzzle, Caller, CreateTask, Decide, HubError, PublishRecord, TaskState};
use crate::journal::{AppendError, Journal, MemoryJournal, NewEvent, StreamId, Version};
use crate::task::event::Created;
use crate::task::{self, Decision, Flow, Role};

/// A room that is open from the beginning.
fn at_once(init: &mut Init) {
    init.policy.barrier = Some(BarrierRequest::Count(0));
}

impl Client {
    /// Makes a task of Ada, who designs, and of Bob, who does the rest.
    async fn lodge(&self, title: &str, room: Option<&str>) -> Result<TaskState, HubError> {
        let cast = [(Role::Architect, "@Ada"), (Role::Executor, "@Bob"), (Role::Reviewer, "@Bob")];
        let request = CreateTask {
            title: title.to_owned(),
            description: "d".to_owned(),
            creator: "@Ada".to_owned(),
            role: "architect".to_owned(),
            flow: Flow::Solo,
            cast: cast.map(|(role, handle)| (role, handle.to_owned())).into(),
            room: room.map(str::to_owned),
            ..CreateTask::default()
        };
        self.hub.create_task(&self.caller, request).await
    }

    async fn record(&self, task: &str, role: &str, content_type: &str) -> TaskState {
        let request = PublishRecord {
            task: task.to_owned(),
            role: role.to_owned(),
            content_type: content_type.to_owned(),
            payload: json!({ "summary": "s", "body": "b" }).as_object().cloned().unwrap(),
            ..PublishRecord::default()
        };
        self.hub.publish_record(&self.caller, request).await.unwrap()
    }
}

impl Client {
    /// A person closes a task.
    async fn close_task(&self, task: &str) {
        let caller = Caller { is_verified: true, ..self.caller.clone() };
        let decide = Decide {
            task: task.to_owned(),
            decision: Decision::Close,
            by: "@user".to_owned(),
            reason: None,
            expected_version: None,
            request_id: None,
        };
        self.hub.decide_task(&caller, decide).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_publishes_keeps_its_turn() {
    let table = Table::new().await;
    table
        .room(&["@Ada", "@Bob", "@user"], |init| {
            at_once(init);
            init.policy.turn_lease_seconds = Some(60);
        })
        .await;
    let agent = table.client("agent");
    agent.join("@Ada").await;
    let task = agent.lodge("Parser", Some("talk")).await.unwrap().task;
    for _ in 0..6 {
        tokio::time::sleep(Duration::from_secs(40)).await;
        agent.record(&task, "architect", "note").await;
    }
    assert_eq!(table.floor("talk").await.as_deref(), Some("@Ada"));
    tokio::time::sleep(Duration::from_secs(61)).await;
    settle().await;
    assert_eq!(table.floor("talk").await.as_deref(), Some("@user"), "she is silent for too long");
    agent.record(&task, "architect", "note").await;
    assert_eq!(table.floor("talk").await.as_deref(), Some("@Ada"), "she is back");
}

#[tokio::test(start_paused = true)]
async fn a_task_stays_out_of_the_room_that_gets_the_name_of_its_own() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.lodge("Talk", None).await.unwrap();
    let delete = |force| Delete { room: "talk".to_owned(), force, with_transcript: true };
    let refused = table.hub.delete(&agent.caller, delete(false)).await.unwrap_err();
    assert_eq!(refused.code(), "room_in_use");
    assert!(refused.to_string().contains("task `talk`"), "{refused}");
    let deleted = table.hub.delete(&agent.caller, delete(true)).await.unwrap();
    assert_eq!(deleted.warning.unwrap(), "no room any more: task `talk`");
    table.room(&["@Bob", "@Mallory"], at_once).await;
    let other = table.client("other");
    for handle in ["@Bob", "@Mallory"] {
        other.join(handle).await;
    }
    other.say("@Bob", "@Mallory go on").await;
    let state = agent.record(&task.task, "architect", "design").await;
    assert_eq!((state.room, table.floor("talk").await.as_deref()), (None, Some("@Mallory")));
    agent.close_task(&task.task).await;
    let room = table.hub.room_state(&other.caller, Some("talk")).await.unwrap();
    assert_eq!(room.phase, "open");
}

#[tokio::test(start_paused = true)]
async fn a_puzzle_stays_out_of_the_room_that_gets_the_name_of_its_own() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let draft = json!({ "who": "@Bob", "actions": { "go": { "targetState": "OUT" } } });
    let states = json!({ "DRAFT": draft, "OUT": { "who": "@Bob" } });
    let config = json!({ "id": "talk", "initialState": "DRAFT", "states": states });
    let request = AddPuzzle { config, ..AddPuzzle::default() };
    agent.hub.add_puzzle(&agent.caller, request).await.unwrap();
    let delete = |force| Delete { room: "talk".to_owned(), force, with_transcript: true };
    let refused = table.hub.delete(&agent.caller, delete(false)).await.unwrap_err();
    assert_eq!(refused.code(), "room_in_use");
    table.hub.delete(&agent.caller, delete(true)).await.unwrap();
    table.room(&["@Bob", "@Mallory"], at_once).await;
    let before = table.hub.room_state(&agent.caller, Some("talk")).await.unwrap().last_seq_id;
    let go = ActOnPuzzle {
        puzzle: "talk".to_owned(),
        action: "go".to_owned(),
        actor: Some("@Bob".to_owned()),
        ..ActOnPuzzle::default()
    };
    agent.hub.act_on_puzzle(&agent.caller, go).await.unwrap();
    let after = table.hub.room_state(&agent.caller, Some("talk")).await.unwrap().last_seq_id;
    assert_eq!(after, before);
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_log_knows_only_the_name_of_its_room_lives_there() {
    let mut table = Table::new().await;
    let task = table.client("agent").lodge("Parser", None).await.unwrap();
    let stream = StreamId::parse("task-old").unwrap();
    let created = Created {
        task: "old".to_owned(),
        room: task.room,
        has_own_room: true,
        flow: Some(Flow::Solo),
        ..Created::default()
    };
    let made = NewEvent::new("task_created", &task::Event::TaskCreated(Box::new(created))).unwrap();
    let listed = json!({ "kind": "task_listed", "task": "old", "stream": "task-old" });
    let listed = NewEvent::new("task_listed", &listed).unwrap();
    for (stream, after, event) in
        [(&stream, Version::EMPTY, made), (&StreamId::parse("tasks").unwrap(), Version(1), listed)]
    {
        table.journal.append(stream, after, vec![event], DateTime::UNIX_EPOCH).await.unwrap();
    }
    table.restart().await;
    assert_eq!(table.hub.task_state("old").await.unwrap().room.as_deref(), Some("parser"));
}

#[tokio::test(start_paused = true)]
async fn the_own_room_of_a_task_takes_nothing_over() {
    let table = Table::new().await;
    let agent = table.client("agent");
    // Nobody has said anything here, and somebody waits.
    table.room(&["@Ann", "@Ben"], |init| init.filepath = "plans.md".to_owned()).await;
    let ann = agent.spawn_join("@Ann");
    settle().await;
    let made = agent.lodge("Plans", None).await.unwrap();
    assert_eq!((made.task.as_str(), made.room.as_deref()), ("plans", Some("plans-2")));
    settle().await;
    assert!(!ann.is_finished(), "her room is as it was");
}

#[tokio::test(start_paused = true)]
async fn what_was_said_in_a_room_that_is_over_is_found_when_a_task_has_its_name() {
    let table = Table::new().await;
    let agent = table.client("agent");
    table.room(&["@Ann", "@Ben"], at_once).await;
    agent.say("@Ann", "@Ben an important word").await;
    agent.close("@user").await.unwrap();
    assert_eq!(agent.lodge("Talk", None).await.unwrap().room.as_deref(), Some("talk-2"));
    let found = table.hub.room_state(&agent.caller, Some("talk")).await.unwrap();
    assert_eq!((found.phase, found.message_count), ("closed", 1));
}

#[tokio::test(start_paused = true)]
async fn every_title_becomes_a_task_whatever_lies_at_its_name() {
    let table = Table::new().await;
    let agent = table.client("agent");
    std::fs::write(table.folder().join("todo.md"), "mine").unwrap();
    for (title, room) in [("Todo", "todo-2"), ("Con", "con-2"), ("Aux", "aux-2"), ("𝐏𝐥𝐚𝐧", "plan")]
    {
        let made = agent.lodge(title, None).await.unwrap();
        assert_eq!(made.room.as_deref(), Some(room), "{title}");
    }
    let long = "新".repeat(200);
    agent.lodge(&long, None).await.unwrap();
    assert_eq!(std::fs::read_to_string(table.folder().join("todo.md")).unwrap(), "mine");
}

#[tokio::test(start_paused = true)]
async fn no_task_lives_in_a_room_that_asks_who_speaks_for_whom() {
    let table = Table::new().await;
    let (agent, code) = (table.client("agent"), |refused: HubError| refused.code());
    for identity in ["keyed", "session"] {
        table
            .room(&["@Ada", "@Bob"], |init| {
                init.filepath = format!("{identity}.md");
                init.policy.identity = Some(identity.to_owned());
            })
            .await;
        assert_eq!(agent.lodge("x", Some(identity)).await.map_err(code).unwrap_err(), "invalid_argument");
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_puts_a_task_into_a_room_that_is_over_or_invites_others() {
    let table = Table::new().await;
    let (agent, code) = (table.client("agent"), |refused: HubError| refused.code());
    table
        .room(&["@Ada", "@Bob"], |init| {
            at_once(init);
            init.policy.invite_only = Some(true);
        })
        .await;
    assert_eq!(agent.lodge("x", Some("talk")).await.map_err(code).unwrap_err(), "invalid_argument");
    agent.join("@Ada").await;
    agent.lodge("x", Some("talk")).await.unwrap();
    agent.close("@user").await.unwrap();
    assert_eq!(agent.lodge("y", Some("talk")).await.map_err(code).unwrap_err(), "room_closed");
    assert!(table.hub.task_state("y").await.is_err(), "nothing was made");
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_nobody_vouches_for_is_told_so_in_the_room_and_the_note_names_the_task() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.lodge("Parser", None).await.unwrap().task;
    agent.join("@Bob").await;
    for (role, content) in [("architect", "design"), ("executor", "code_changes")] {
        agent.record(&task, role, content).await;
    }
    let decide = Decide {
        task,
        decision: Decision::Approve,
        by: "@user".to_owned(),
        reason: None,
        expected_version: None,
        request_id: None,
    };
    agent.hub.decide_task(&agent.caller, decide).await.unwrap();
    let given = agent.look("@Bob").await.turn.new_messages;
    let told = &given.last().unwrap().message.content;
    assert!(told.contains("record 3: `decision` (proposed, not verified); now `pending_approval`"), "{told}");
    table.hub.stop();
    table.hub.shut_down().await;
    let note = std::fs::read_to_string(table.folder().join("parser.md")).unwrap();
    assert!(note.contains("⏳ Tasks that wait for a person: `parser`."), "{note}");
    assert!(!note.contains("Nothing waits for you"), "{note}");
}

#[tokio::test(start_paused = true)]
async fn the_floor_follows_a_record_as_soon_as_the_disk_takes_it() {
    let journal = Arc::new(Twisted::<NoRooms>::default());
    let table = Table::over(Arc::<Twisted<NoRooms>>::clone(&journal)).await;
    let agent = table.client("agent");
    let task = agent.lodge("Parser", None).await.unwrap().task;
    let bob = table.client("bob");
    agent.join("@Ada").await;
    bob.spawn_join("@Bob");
    settle().await;
    journal.0.store(true, Ordering::SeqCst);
    assert_eq!(agent.record(&task, "architect", "design").await.version, 1);
    tokio::time::sleep(Duration::from_mins(1)).await;
    assert_eq!(table.floor("parser").await.as_deref(), Some("@Ada"));
    journal.0.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(table.floor("parser").await.as_deref(), Some("@Bob"));
    journal.0.store(true, Ordering::SeqCst);
    agent.close_task(&task).await;
    journal.0.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(6)).await;
    let room = table.hub.room_state(&agent.caller, Some("parser")).await.unwrap();
    assert_eq!(room.phase, "closed");
}

#[tokio::test(start_paused = true)]
async fn a_room_is_told_each_record_that_it_lacks_before_the_next_one() {
    let journal = Arc::new(Twisted::<NoRooms>::default());
    let mut table = Table::over(Arc::<Twisted<NoRooms>>::clone(&journal)).await;
    let task = table.client("agent").lodge("Parser", None).await.unwrap().task;
    let lose = async |table: &Table, role: &str, content: &str| {
        journal.0.store(true, Ordering::SeqCst);
        table.client("agent").record(&task, role, content).await;
        journal.0.store(false, Ordering::SeqCst);
    };
    lose(&table, "architect", "design").await;
    table
        .restart_over_with(Arc::<Twisted<NoRooms>>::clone(&journal), |settings| {
            settings.is_after_crash = true;
        })
        .await;
    // Something new is published before the hub has looked what the room lacks.
    table.client("agent").record(&task, "executor", "code_changes").await;
    lose(&table, "executor", "note").await;
    lose(&table, "reviewer", "note").await;
    table.client("agent").record(&task, "human", "note").await;
    let said = table.hub.everything_said("parser", None, None, 50).await.unwrap().messages;
    let records = said.iter().filter_map(|said| {
        let (_, rest) = said.content.split_once("record ")?;
        Some(rest.split_once(':')?.0.to_owned())
    });
    assert_eq!(records.collect::<Vec<_>>(), ["1", "2", "3", "4", "5"]);
    let said: Vec<_> = said.iter().map(|said| said.content.clone()).collect();
    assert!(said.iter().any(|words| words.contains("`design`; now `implementing`")), "{said:?}");
}

#[tokio::test(start_paused = true)]
async fn a_room_is_told_of_a_record_whose_writer_was_gone_before_it_was_stored() {
    let journal = Arc::new(Twisted::<Slow>::default());
    let table = Table::over(Arc::<Twisted<Slow>>::clone(&journal)).await;
    let agent = table.client("agent");
    let task = agent.lodge("Parser", None).await.unwrap().task;
    journal.0.store(true, Ordering::SeqCst);
    let gone = tokio::time::timeout(Duration::from_secs(1), agent.record(&task, "architect", "design")).await;
    assert!(gone.is_err(), "nobody waits for it any more");
    journal.0.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(6)).await;
    let said = table.hub.everything_said("parser", None, None, 50).await.unwrap().messages;
    assert!(said.iter().any(|said| said.content.contains("record 1: `design`")), "{said:?}");
}

/// What is stored of a task is stored, and nobody is told so for a while.
#[derive(Debug, Default)]
struct Slow(AtomicBool);

#[async_trait]
impl Twist for Slow {
    async fn append(
        &self,
        inner: &MemoryJournal,
        stream: &StreamId,
        expected: Version,
        events: Vec<NewEvent>,
        at: DateTime<Utc>,
    ) -> Result<Version, AppendError> {
        let stored = inner.append(stream, expected, events, at).await;
        if self.0.load(Ordering::SeqCst) && stream.as_str().starts_with("task-") {
            std::future::pending::<()>().await;
        }
        stored
    }
}
