//! Tasks: who may publish and decide at once, what passes the gate, and what a gate holds up.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;

use super::Table;
use super::support::{Client, settle};
use crate::hub::{Caller, CreateTask, Decide, HubError, PublishRecord, TaskState, Until, WaitTask};
use crate::task::{Decision, Flow, Role, Standing, Status};

fn publish(task: &str, role: &str, content_type: &str) -> PublishRecord {
    let payload = json!({ "summary": "s", "body": "b" }).as_object().cloned().unwrap();
    let (task, role, content_type) = (task.to_owned(), role.to_owned(), content_type.to_owned());
    PublishRecord { task, role, content_type, payload, ..PublishRecord::default() }
}

impl Client {
    /// Makes a task without a review.
    async fn task(&self, title: &str) -> String {
        let request = CreateTask {
            title: title.to_owned(),
            description: "d".to_owned(),
            creator: "@user".to_owned(),
            role: "human".to_owned(),
            flow: Flow::Solo,
            ..CreateTask::default()
        };
        self.hub.create_task(&self.caller, request).await.unwrap().task
    }

    async fn publish(&self, task: &str, role: &str, content_type: &str) -> TaskState {
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
    async fn decide(&self, task: &str, decision: Decision) -> TaskState {
        let seen = self.hub.task_state(task).await.unwrap().version;
        let request = Decide {
            task: task.to_owned(),
            decision,
            by: "@user".to_owned(),
            reason: None,
            expected_version: Some(seen),
        };
        self.hub.decide_task(&self.caller, request).await.unwrap()
    }

    /// The same client with a person who vouches for it.
    fn vouched_for(&self) -> Self {
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
    let person = table.client("agent").vouched_for();
    let task = person.task_at_its_gate().await;
    for word in [Decision::Approve, Decision::Reject] {
        let (task, by) = (task.clone(), "@user".to_owned());
        let decide = Decide { task: task.clone(), decision: word, by, reason: None, expected_version: None };
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
            titles
                .iter()
                .any(|title| title.starts_with("@user proposes to ") && title.ends_with("task parser")),
            "{titles:?}"
        );
    }
    let state = agent.vouched_for().decide(&task, Decision::Approve).await;
    assert_eq!((state.status, state.proposal), (Some(Status::Approved), None));
    let (_, records) = table.hub.read_task(&task, 3, 10).await.unwrap();
    let standings: Vec<_> = records.iter().map(|record| record.standing.clone()).collect();
    let user = crate::room::Handle::user();
    assert_eq!(standings, [Standing::Proposed, Standing::Proposed, Standing::Verified(user)]);
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
    let turn = waiting.await.unwrap().unwrap().unwrap();
    assert_eq!(turn.task, other, "the turn in another task wakes whoever waits for any");
    agent.publish(&other, "executor", "code_changes").await;
    // In the task at its gate too nothing is refused.
    let noted = agent.publish(&gated, "executor", "note").await;
    assert_eq!((noted.status, noted.version), (Some(Status::PendingApproval), 3));
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_task_hears_of_a_record_and_of_its_end() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    let wait = |until| WaitTask {
        task: Some(task.clone()),
        until: Some(until),
        timeout: Some(Duration::from_mins(1)),
        ..WaitTask::default()
    };
    let after = wait(Until::After(0));
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &after), async {
        settle().await;
        agent.publish(&task, "human", "note").await
    });
    assert_eq!(woken.unwrap().unwrap().version, 1);
    let nothing = agent.hub.wait_for_task(&agent.caller, &wait(Until::After(1))).await.unwrap();
    assert!(nothing.is_none(), "the time is over");
    let pending = wait(Until::Status(Status::PendingApproval));
    let (woken, _) = tokio::join!(agent.hub.wait_for_task(&agent.caller, &pending), async {
        settle().await;
        agent.vouched_for().decide(&task, Decision::Close).await
    });
    assert_eq!(woken.unwrap().unwrap().status, Some(Status::Closed), "nothing else comes any more");
}
