//! Tasks: who may publish and decide at once, what passes the gate, and what a gate holds up.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;

use super::Table;
use super::support::{Client, settle};
use crate::hub::{
    Caller, Commit, Commits, CreateTask, Decide, HubError, PublishRecord, TaskState, WaitTask, Waited,
};
use crate::task::{Decision, Flow, Role, Standing, Status};

pub(super) fn publish(task: &str, role: &str, content_type: &str) -> PublishRecord {
    let payload = json!({ "summary": "s", "body": "b" }).as_object().cloned().unwrap();
    let (task, role, content_type) = (task.to_owned(), role.to_owned(), content_type.to_owned());
    PublishRecord { task, role, content_type, payload, ..PublishRecord::default() }
}

/// A task without a review.
pub(super) fn parser() -> CreateTask {
    CreateTask {
        title: "Parser".to_owned(),
        description: "d".to_owned(),
        creator: "@user".to_owned(),
        role: "human".to_owned(),
        flow: Flow::Solo,
        ..CreateTask::default()
    }
}

impl Client {
    /// Makes a task without a review.
    pub(super) async fn task(&self, title: &str) -> String {
        self.task_with(title, |_| ()).await
    }

    /// The same, changed.
    pub(super) async fn task_with(&self, title: &str, change: impl FnOnce(&mut CreateTask)) -> String {
        let mut request = CreateTask { title: title.to_owned(), ..parser() };
        change(&mut request);
        self.hub.create_task(&self.caller, request).await.unwrap().task
    }

    pub(super) async fn publish(&self, task: &str, role: &str, content_type: &str) -> TaskState {
        self.hub.publish_record(&self.caller, publish(task, role, content_type)).await.unwrap()
    }

    /// A task that waits for a person.
    async fn task_at_its_gate(&self) -> String {
        let task = self.task("Parser").await;
        self.publish(&task, "architect", "design").await;
        self.publish(&task, "executor", "code_changes").await;
        task
    }

    /// Decides about all that there is.
    pub(super) async fn decide(&self, task: &str, decision: Decision) -> TaskState {
        let seen = self.hub.task_state(task).await.unwrap().version;
        let request = Decide {
            task: task.to_owned(),
            decision,
            by: "@user".to_owned(),
            reason: None,
            expected_version: Some(seen),
            request_id: None,
        };
        self.hub.decide_task(&self.caller, request).await.unwrap()
    }

    /// The same client with a person who vouches for it.
    pub(super) fn vouched_for(&self) -> Self {
        Self { caller: Caller { is_verified: true, ..self.caller.clone() }, ..self.clone() }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_24_that_publish_on_one_version_one_succeeds_and_the_others_learn_what_came() {
    let table = Table::new().await;
    let maker = table.client("maker");
    let task = maker.task("Parser").await;
    let racers = (0..24).map(|racer| {
        let (racer, task) = (table.client(&format!("racer {racer}")), task.clone());
        tokio::spawn(async move {
            let request =
                PublishRecord { expected_version: Some(0), ..publish(&task, "architect", "design") };
            racer.hub.publish_record(&racer.caller, request).await
        })
    });
    let outcomes: Vec<_> = join_all(racers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for refused in outcomes.into_iter().filter_map(Result::err) {
        let HubError::TaskMovedOn { expected: 0, actual: 1, since, .. } = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(since.iter().map(|record| record.version).collect::<Vec<_>>(), [1]);
    }
    assert_eq!(maker.hub.read_task(&task, 1, 10).await.unwrap().1.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_came_in_after_a_person_looked_is_not_decided_with_it_however_it_decides() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let (task, person) = (agent.task_at_its_gate().await, agent.vouched_for());
    for word in [Decision::Approve, Decision::Reject] {
        let (task, by) = (task.clone(), "@user".to_owned());
        let decide = Decide {
            task: task.clone(),
            decision: word,
            by,
            reason: None,
            expected_version: None,
            request_id: None,
        };
        let mut published = publish(&task, "human", "decision");
        published.payload.insert("decision".to_owned(), json!(word.as_str()));
        let decided = person.hub.decide_task(&person.caller, decide).await.unwrap_err();
        let published = person.hub.publish_record(&person.caller, published).await.unwrap_err();
        assert_eq!(decided.code(), "validation_error");
        assert_eq!(decided.to_string(), published.to_string());
        assert!(decided.to_string().contains("it is 2 now"), "{decided}");
    }
    assert_eq!(person.decide(&task, Decision::Approve).await.status, Some(Status::Approved));
}

#[tokio::test(start_paused = true)]
async fn only_a_person_who_is_vouched_for_passes_the_gate_and_the_record_says_who() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task_at_its_gate().await;
    for decision in [Decision::Approve, Decision::Close] {
        let state = agent.decide(&task, decision).await;
        assert_eq!(state.status, Some(Status::PendingApproval));
        let inbox = table.hub.inbox().await;
        let titles: Vec<_> = inbox.iter().map(crate::hub::Item::title).collect();
        assert!(
            titles.iter().any(|title| title.starts_with("@user (not verified) proposes to ")
                && title.ends_with("task parser")),
            "{titles:?}"
        );
    }
    let state = agent.vouched_for().decide(&task, Decision::Approve).await;
    assert_eq!((state.status, state.proposal()), (Some(Status::Approved), None));
    let (_, records) = table.hub.read_task(&task, 3, 10).await.unwrap();
    let standings: Vec<_> = records.iter().map(|record| record.standing.clone()).collect();
    let user = crate::room::Handle::user();
    assert_eq!(standings, [Standing::Proposed, Standing::Proposed, Standing::Verified(user)]);
}

#[tokio::test(start_paused = true)]
async fn what_a_person_publishes_without_a_name_is_his_work_and_not_his_to_approve() {
    let table = Table::new().await;
    let person = table.client("person").vouched_for();
    for (writer, approved) in [(None, false), (Some("@user"), false), (Some("pi"), true)] {
        let task = person.task("Parser").await;
        for (role, content_type) in [("architect", "design"), ("executor", "code_changes")] {
            let agent = writer.map(ToOwned::to_owned);
            let request = PublishRecord { agent, ..publish(&task, role, content_type) };
            person.hub.publish_record(&person.caller, request).await.unwrap();
        }
        let state = person.decide(&task, Decision::Approve).await;
        assert_eq!(state.status == Some(Status::Approved), approved, "{writer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_decision_in_a_name_that_is_no_handle_is_a_proposal_whoever_publishes_it() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task_at_its_gate().await;
    for client in [agent.vouched_for(), agent] {
        let mut request = PublishRecord {
            agent: Some("Claude, the 4th".to_owned()),
            ..publish(&task, "human", "decision")
        };
        request.payload.insert("decision".to_owned(), json!("approve"));
        let state = client.hub.publish_record(&client.caller, request).await.unwrap();
        let by = state.proposal().map(|proposal| proposal.by.as_str());
        assert_eq!((state.status, by), (Some(Status::PendingApproval), Some("Claude, the 4th")));
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_request_in_another_room_is_another_request() {
    let table = Table::new().await;
    table.room(&["@Architect", "@Executor", "@Reviewer"], |_| ()).await;
    let client = table.client("maker");
    let create = |room: Option<&str>| {
        let (request_id, room) = (Some("r".to_owned()), room.map(ToOwned::to_owned));
        client.hub.create_task(&client.caller, CreateTask { room, request_id, ..parser() })
    };
    let made = create(None).await.unwrap();
    assert_eq!(create(None).await.unwrap().task, made.task);
    let refused = create(Some("talk")).await.unwrap_err();
    assert_eq!(refused.code(), "request_id_reused");
    assert!(refused.to_string().contains("was used for task `parser`"), "{refused}");
    let here = CreateTask { request_id: Some("s".to_owned()), room: Some("talk".to_owned()), ..parser() };
    let first = client.hub.create_task(&client.caller, here.clone()).await.unwrap();
    assert_eq!(client.hub.create_task(&client.caller, here).await.unwrap().task, first.task);
}

#[tokio::test(start_paused = true)]
async fn a_description_that_is_too_long_is_refused_with_the_limit() {
    let table = Table::new().await;
    let client = table.client("maker");
    let request = CreateTask { description: "d".repeat((1 << 20) + 1), ..parser() };
    let refused = client.hub.create_task(&client.caller, request).await.unwrap_err();
    assert_eq!(refused.code(), "payload_too_large");
    assert!(refused.to_string().contains("`description`"), "{refused}");
    assert_eq!(table.hub.rooms().await.unwrap().len(), 0, "no room was made for it");
}

#[tokio::test(start_paused = true)]
async fn a_task_at_its_gate_keeps_nobody_from_other_work() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let gated = agent.task_at_its_gate().await;
    let other = agent.task("Printer").await;
    let wait = WaitTask { role: Some(Role::Executor), ..WaitTask::default() };
    let (hub, caller) = (agent.hub.clone(), agent.caller.clone());
    let waiting = tokio::spawn(async move { hub.wait_for_task(&caller, &wait).await });
    settle().await;
    agent.publish(&other, "architect", "design").await;
    let turn = over(waiting.await.unwrap().unwrap());
    assert_eq!(turn.task, other, "the turn in another task wakes whoever waits for any");
    agent.publish(&other, "executor", "code_changes").await;
    // In the task at its gate too nothing is refused.
    let noted = agent.publish(&gated, "executor", "note").await;
    assert_eq!((noted.status, noted.version), (Some(Status::PendingApproval), 3));
}

/// The task for which a wait is over.
fn over(waited: Waited) -> TaskState {
    let Waited::Over(state) = waited else { panic!("the time is over: {waited:?}") };
    state
}

/// A wait for one task.
fn wait_for(task: &str) -> WaitTask {
    WaitTask { task: Some(task.to_owned()), timeout: Some(Duration::from_mins(1)), ..WaitTask::default() }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_task_hears_of_a_record_and_of_its_end() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    let after = |version| WaitTask { after: Some(version), ..wait_for(&task) };
    let after_none = after(0);
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &after_none), async {
        settle().await;
        agent.publish(&task, "human", "note").await
    });
    assert_eq!(over(woken.unwrap()).version, 1);
    let nothing = agent.hub.wait_for_task(&agent.caller, &after(1)).await.unwrap();
    let Waited::TimedOut(Some(state)) = nothing else { panic!("{nothing:?}") };
    assert_eq!((state.task.as_str(), state.version), (task.as_str(), 1), "how it stands comes along");
    let pending = WaitTask { until: Some(Status::PendingApproval), ..wait_for(&task) };
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &pending), async {
        settle().await;
        agent.vouched_for().decide(&task, Decision::Close).await
    });
    assert_eq!(over(woken.unwrap()).status, Some(Status::Closed), "nothing else comes any more");
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_state_or_a_record_ends_with_whichever_comes() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    let either = WaitTask { until: Some(Status::Implementing), after: Some(1), ..wait_for(&task) };
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &either), async {
        settle().await;
        agent.publish(&task, "architect", "design").await
    });
    assert_eq!(over(woken.unwrap()).version, 1, "it stands there");
    let either = WaitTask { until: Some(Status::Closed), after: Some(1), ..wait_for(&task) };
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &either), async {
        settle().await;
        agent.publish(&task, "human", "note").await
    });
    assert_eq!(over(woken.unwrap()).version, 2, "a record came");
}

#[tokio::test(start_paused = true)]
async fn a_wait_misses_no_round_that_passes_quickly_and_no_warning() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let request = CreateTask { flow: Flow::Full, ..parser() };
    let task = agent.hub.create_task(&agent.caller, request).await.unwrap().task;
    agent.publish(&task, "architect", "design").await;
    agent.publish(&task, "executor", "code_changes").await;
    let wait = wait_for(&task);
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &wait), async {
        settle().await;
        agent.publish(&task, "executor", "note").await;
        agent.publish(&task, "executor", "revision").await
    });
    let state = over(woken.unwrap());
    assert_eq!((state.status, state.version), (Some(Status::Reviewing), 4), "as it stood before");
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &wait), async {
        settle().await;
        agent.publish(&task, "architect", "design").await
    });
    let state = over(woken.unwrap());
    assert_eq!((state.status, state.waits_for_a_look()), (Some(Status::Reviewing), true));
}

/// Knows one commit.
#[derive(Debug)]
struct OneCommit;

#[async_trait::async_trait]
impl Commits for OneCommit {
    async fn find(&self, name: &str) -> Option<Commit> {
        (name == "3f9c2ab").then(|| Commit {
            id: format!("{name}0123456789"),
            folder: "/home/me/work".into(),
            parents: Vec::new(),
            text: format!("commit {name}"),
            is_cut: false,
        })
    }
}

#[tokio::test]
async fn only_commits_that_a_task_names_are_shown() {
    let mut table = Table::new().await;
    table.restart_with(|settings| settings.commits = Arc::new(OneCommit)).await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    assert!(table.hub.commit_of_task(&task, "3f9c2ab").await.unwrap().is_none(), "nobody names it yet");
    let mut record = publish(&task, "executor", "code_changes");
    record.payload.insert("commits".to_owned(), json!(["3f9c2ab", "deadbeef", "--help"]));
    agent.hub.publish_record(&agent.caller, record).await.unwrap();
    let shown = table.hub.commit_of_task(&task, "3f9c2ab").await.unwrap().unwrap();
    assert_eq!(shown.text, "commit 3f9c2ab");
    for name in ["deadbeef", "--help", "3f9c"] {
        assert!(table.hub.commit_of_task(&task, name).await.unwrap().is_none(), "{name}");
    }
}
