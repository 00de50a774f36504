//! The turns of agents in tasks: who is started, who is told, and that nothing is started twice.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::Table;
use super::support::Client;
use crate::hub::{
    CreateTask, Decide, HubError, IfStarted, PublishRecord, Start, StartedAgent, Starter, TaskSettings,
    WaitTask, Waited,
};
use crate::journal::Journal;
use crate::task::{Decision, Flow, Role};

const MINUTE: Duration = Duration::from_mins(1);
/// Longer than anything within one moment.
const SHORT: Duration = Duration::from_secs(20);

/// Starts nothing, but tells the test what it should start; the test says how that ends.
#[derive(Debug)]
pub(super) struct Agency {
    pub(super) settings: Mutex<TaskSettings>,
    started: mpsc::UnboundedSender<Run>,
    is_running: AtomicBool,
    /// Whether its hub is killed, and does nothing any more.
    is_dead: AtomicBool,
}

#[derive(Debug)]
pub(super) struct Run {
    pub(super) start: Start,
    pub(super) end: oneshot::Sender<String>,
}

#[async_trait]
impl Starter for Agency {
    fn settings(&self) -> Arc<TaskSettings> {
        let is_dead = self.is_dead.load(Ordering::SeqCst);
        Arc::new(if is_dead { dead() } else { self.settings.lock().unwrap().clone() })
    }

    async fn run(&self, start: &Start) -> String {
        let (end, ended) = oneshot::channel();
        self.started.send(Run { start: start.clone(), end }).unwrap();
        ended.await.unwrap()
    }

    fn is_running(&self, _: &str) -> bool {
        self.is_running.load(Ordering::SeqCst)
    }
}

/// With these a hub does nothing.
fn dead() -> TaskSettings {
    TaskSettings { stalled_after: Duration::MAX, ..TaskSettings::default() }
}

impl Agency {
    fn new(settings: TaskSettings, started: mpsc::UnboundedSender<Run>) -> Arc<Self> {
        let (is_running, is_dead) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Self { settings: Mutex::new(settings), started, is_running, is_dead })
    }
}

pub(super) struct Office {
    pub(super) table: Table,
    pub(super) agency: Arc<Agency>,
    pub(super) runs: mpsc::UnboundedReceiver<Run>,
}

impl Office {
    pub(super) async fn manual() -> Self {
        Self::with(TaskSettings { startable: Role::ALL.into(), ..TaskSettings::default() }).await
    }

    pub(super) async fn auto() -> Self {
        let all: BTreeSet<Role> = Role::ALL.into();
        Self::with(TaskSettings {
            is_auto: true,
            auto_roles: all.clone(),
            startable: all,
            ..TaskSettings::default()
        })
        .await
    }

    pub(super) async fn with(settings: TaskSettings) -> Self {
        let (started, runs) = mpsc::unbounded_channel();
        let agency = Agency::new(settings, started);
        let mut table = Table::new().await;
        table.restart_with(|settings| settings.starter = agency.clone()).await;
        // Those who were here before a start have had their moment.
        sleep(SHORT).await;
        Self { table, agency, runs }
    }

    /// The hub dies, and another one starts.
    pub(super) async fn crash(&mut self) {
        self.agency.is_dead.store(true, Ordering::SeqCst);
        self.restart().await;
    }

    /// Another hub starts on the same log.
    pub(super) async fn restart(&mut self) {
        let settings = self.agency.settings.lock().unwrap().clone();
        let agency = Agency::new(settings, self.agency.started.clone());
        agency.is_running.store(self.agency.is_running.load(Ordering::SeqCst), Ordering::SeqCst);
        self.agency = agency.clone();
        self.table
            .restart_with(|settings| (settings.starter, settings.is_after_crash) = (agency, true))
            .await;
    }

    /// A person starts the agent that a task waits for.
    pub(super) async fn start_next(&self, task: &str, again: IfStarted) -> Result<StartedAgent, HubError> {
        let mut client = self.client();
        client.caller.is_verified = true;
        client.hub.start_next(&client.caller, task, again).await
    }

    pub(super) fn client(&self) -> Client {
        self.table.client("agent")
    }

    /// A task without a review, which waits for its architect.
    pub(super) async fn task(&self) -> String {
        let request = CreateTask {
            title: "Parser".to_owned(),
            description: "Write it".to_owned(),
            creator: "@user".to_owned(),
            role: "human".to_owned(),
            flow: Flow::Solo,
            ..CreateTask::default()
        };
        self.table.hub.create_task(&self.client().caller, request).await.unwrap().task
    }

    pub(super) async fn publish(&self, role: &str, content_type: &str) {
        let payload = json!({ "summary": "s", "body": "b" }).as_object().cloned().unwrap();
        let (task, role, content_type) = ("parser".to_owned(), role.to_owned(), content_type.to_owned());
        let request = PublishRecord { task, role, content_type, payload, ..PublishRecord::default() };
        self.table.hub.publish_record(&self.client().caller, request).await.unwrap();
    }

    /// What is started within so long.
    pub(super) async fn next_within(&mut self, limit: Duration) -> Option<Run> {
        timeout(limit, self.runs.recv()).await.ok().flatten()
    }

    pub(super) async fn next(&mut self) -> Run {
        self.next_within(SHORT).await.expect("an agent is started")
    }

    pub(super) async fn kinds(&self) -> Vec<&'static str> {
        self.table.hub.inbox().await.iter().map(|item| item.want.kind()).collect()
    }

    /// Ends a run, once nobody has published anything in it.
    pub(super) fn end(run: Run, words: &str) {
        run.end.send(words.to_owned()).unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_goes_to_its_gate_by_the_agents_that_are_started() {
    let mut office = Office::auto().await;
    let task = office.task().await;
    for (role, content_type) in [(Role::Architect, "design"), (Role::Executor, "code_changes")] {
        let run = office.next().await;
        assert_eq!((run.start.role, run.start.task.as_str(), run.start.attempt), (role, task.as_str(), 1));
        office.publish(role.as_str(), content_type).await;
        Office::end(run, "done");
    }
    assert!(office.next_within(MINUTE * 20).await.is_none(), "it waits for a person");
    assert_eq!(office.kinds().await, ["decision"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_started_twice_for_one_turn_whatever_comes_in_between() {
    let mut office = Office::auto().await;
    office.task().await;
    let run = office.next().await;
    office.publish("human", "note").await;
    assert!(office.next_within(MINUTE * 20).await.is_none());
    // The program outlives the hub.
    office.agency.is_running.store(true, Ordering::SeqCst);
    office.crash().await;
    assert!(office.next_within(MINUTE * 20).await.is_none());
    assert_eq!(office.kinds().await, Vec::<&str>::new(), "it is at work");
    office.publish("architect", "design").await;
    let next = office.next().await;
    assert_eq!(next.start.role, Role::Executor);
    assert!(office.next_within(MINUTE * 20).await.is_none());
    drop(run);
}

#[tokio::test(start_paused = true)]
async fn what_died_with_the_hub_is_started_again_after_a_pause() {
    let mut office = Office::auto().await;
    office.task().await;
    let _run = office.next().await;
    office.crash().await;
    assert!(office.next_within(Duration::from_secs(59)).await.is_none());
    assert_eq!(office.next().await.start.attempt, 2);
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_stops_ends_its_agents_and_the_next_one_starts_them_again_at_once() {
    let mut office = Office::auto().await;
    office.task().await;
    let run = office.next().await;
    office.table.hub.stop();
    sleep(SHORT).await;
    assert!(run.end.is_closed(), "it was ended");
    office.restart().await;
    assert_eq!(office.next().await.start.attempt, 1);
}

#[tokio::test(start_paused = true)]
async fn in_manual_mode_a_person_is_told_whose_turn_it_is_until_the_agent_comes() {
    let mut office = Office::manual().await;
    let mut changes = office.table.hub.inbox_changes();
    office.task().await;
    changes.wait_for(|items| items.iter().any(|item| item.want.kind() == "task_turn")).await.unwrap();
    let inbox = office.table.hub.inbox().await;
    assert_eq!(inbox[0].title(), "it is the turn of @Architect (architect) in task parser");
    let (client, hub) = (office.client(), office.table.hub.clone());
    let waiting = tokio::spawn(async move {
        let join = crate::hub::request::Join {
            handle: "@Architect".to_owned(),
            room: Some("parser".to_owned()),
            ..Default::default()
        };
        hub.join(&client.caller, join).await
    });
    drop(changes.wait_for(|items| items.is_empty()).await.unwrap());
    waiting.await.unwrap().unwrap();
    assert_eq!(office.kinds().await, Vec::<&str>::new(), "it has come");
    office.publish("architect", "design").await;
    changes.wait_for(|items| items.iter().any(|item| item.want.kind() == "task_turn")).await.unwrap();
    assert!(office.runs.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_or_started_of_an_agent_that_waits_for_its_turn() {
    for is_auto in [true, false] {
        let mut office = if is_auto { Office::auto().await } else { Office::manual().await };
        let (client, hub) = (office.client(), office.table.hub.clone());
        let waiting = tokio::spawn(async move {
            let wait = WaitTask {
                role: Some(Role::Architect),
                timeout: Some(Duration::from_mins(5)),
                ..WaitTask::default()
            };
            hub.wait_for_task(&client.caller, &wait).await
        });
        sleep(Duration::from_secs(1)).await;
        office.task().await;
        assert!(matches!(waiting.await.unwrap(), Ok(Waited::Over(_))));
        assert!(office.next_within(MINUTE * 14).await.is_none());
        assert_eq!(office.kinds().await, Vec::<&str>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn a_look_holds_a_start_up_for_a_while_and_not_for_ever() {
    for is_auto in [true, false] {
        let mut office = if is_auto { Office::auto().await } else { Office::manual().await };
        let task = Some(office.task().await);
        let look = WaitTask {
            task,
            role: Some(Role::Architect),
            timeout: Some(Duration::ZERO),
            ..WaitTask::default()
        };
        office.table.hub.wait_for_task(&office.client().caller, &look).await.unwrap();
        assert!(office.next_within(MINUTE * 14).await.is_none());
        assert_eq!(office.kinds().await, Vec::<&str>::new());
        let begun = office.next_within(MINUTE * 2).await;
        assert_eq!((begun.is_some(), office.kinds().await.contains(&"task_turn")), (is_auto, !is_auto));
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_an_agent_is_in_the_inbox_of_the_next_hub() {
    let mut office = Office::manual().await;
    office.task().await;
    office.crash().await;
    let mut changes = office.table.hub.inbox_changes();
    changes.wait_for(|items| items.iter().any(|item| item.want.kind() == "task_turn")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn silence_is_told_once_in_the_room_and_again_after_the_next_record() {
    let mut office = Office::manual().await;
    office.task().await;
    let room = |events: Vec<String>| events.iter().filter(|kind| *kind == "noted").count();
    sleep(MINUTE * 29).await;
    assert_eq!((office.kinds().await, room(office.log().await)), (vec!["task_turn"], 0));
    sleep(MINUTE * 40).await;
    assert_eq!((office.kinds().await, room(office.log().await)), (vec!["stalled"], 1));
    office.crash().await;
    sleep(MINUTE * 40).await;
    assert_eq!(room(office.log().await), 1, "a restart tells nothing again");
    office.publish("human", "note").await;
    sleep(MINUTE).await;
    assert_eq!(office.kinds().await, ["task_turn"]);
    sleep(MINUTE * 40).await;
    assert_eq!((office.kinds().await, room(office.log().await)), (vec!["stalled"], 2));
}

#[tokio::test(start_paused = true)]
async fn new_settings_count_without_a_restart() {
    let mut office = Office::manual().await;
    office.task().await;
    assert!(office.next_within(SHORT).await.is_none());
    let all: BTreeSet<Role> = Role::ALL.into();
    {
        let mut settings = office.agency.settings.lock().unwrap();
        (settings.is_auto, settings.auto_roles) = (true, all);
    }
    let run = office.next().await;
    assert_eq!(run.start.role, Role::Architect);
}

#[tokio::test(start_paused = true)]
async fn a_closed_task_starts_nobody_and_ends_who_works_for_it() {
    let mut office = Office::auto().await;
    office.task().await;
    let run = office.next().await;
    let mut client = office.client();
    client.caller.is_verified = true;
    let decide = Decide {
        task: "parser".to_owned(),
        decision: Decision::Close,
        by: "@user".to_owned(),
        reason: None,
        expected_version: None,
        request_id: None,
    };
    office.table.hub.decide_task(&client.caller, decide).await.unwrap();
    let mut run = run;
    timeout(SHORT, run.end.closed()).await.expect("its agent is ended");
    assert!(office.next_within(MINUTE * 20).await.is_none());
    assert_eq!(office.kinds().await, Vec::<&str>::new());
}

impl Office {
    /// The kinds of what happened in the room of the task.
    async fn log(&self) -> Vec<String> {
        let mut kinds = Vec::new();
        for stream in self.table.journal.streams().await.unwrap() {
            let events =
                self.table.journal.read(&stream, crate::journal::Version::EMPTY, 1_000).await.unwrap();
            kinds.extend(events.into_iter().map(|event| event.kind));
        }
        kinds
    }
}
