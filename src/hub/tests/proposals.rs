//! Proposals in the inbox: what they say, what the command beside them does, and who may decide.

use serde_json::json;

use super::Table;
use super::support::Client;
use super::tasks::publish;
use crate::hub::{Decide, Item, PublishRecord};
use crate::task::{Decision, Role, Status};

impl Client {
    /// Proposes something, in the name of somebody.
    async fn propose(&self, task: &str, by: &str, decision: Decision, reason: Option<&str>) {
        let request = Decide {
            task: task.to_owned(),
            decision,
            by: by.to_owned(),
            reason: reason.map(ToOwned::to_owned),
            expected_version: None,
            request_id: None,
        };
        self.hub.decide_task(&self.caller, request).await.unwrap();
    }

    /// Work in the name of somebody, or of nobody.
    async fn work(&self, task: &str, role: &str, content_type: &str, agent: Option<&str>) {
        let agent = agent.map(ToOwned::to_owned);
        let request = PublishRecord { agent, ..publish(task, role, content_type) };
        self.hub.publish_record(&self.caller, request).await.unwrap();
    }
}

async fn item(table: &Table) -> Item {
    let mut inbox = table.hub.inbox().await.to_vec();
    inbox.retain(|item| item.want.kind() == "decision");
    assert_eq!(inbox.len(), 1, "{inbox:?}");
    inbox.remove(0)
}

#[tokio::test(start_paused = true)]
async fn the_command_of_a_proposal_does_what_its_title_says_and_its_reason_stands_there() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    let decide = |what: &str| format!("turnroom task decide {task} {what}");
    agent.propose(&task, "@Bob", Decision::Approve, Some("Good enough")).await;
    let early = item(&table).await;
    assert_eq!(early.title(), "@Bob proposes to approve task parser");
    assert_eq!(early.command(), "turnroom task ack parser --expected-version 1", "nothing is approved there");
    assert!(
        early.body().contains("Good enough") && early.body().contains("can only be closed"),
        "{}",
        early.body()
    );
    agent.publish(&task, "architect", "design").await;
    assert_eq!(item(&table).await.id, early.id, "work leaves it where it is");
    agent.publish(&task, "executor", "code_changes").await;
    assert_eq!(item(&table).await.command(), decide("approve --expected-version 3"));
    agent.propose(&task, "@Carol", Decision::Reject, Some("A security hole")).await;
    let reject = item(&table).await;
    assert_eq!(reject.title(), "@Carol proposes to reject task parser");
    assert_eq!(reject.command(), decide("reject --reason '…' --expected-version 4"));
    for words in ["A security hole", "@Bob proposes to approve it: Good enough"] {
        assert!(reject.body().contains(words), "{}", reject.body());
    }
    agent.propose(&task, "@user", Decision::Close, None).await;
    let close = item(&table).await;
    assert_eq!(close.title(), "@user (not verified) proposes to close task parser");
    assert_eq!(close.command(), decide("close --expected-version 5"));
    agent.vouched_for().decide(&task, Decision::Approve).await;
    assert_eq!(item(&table).await.command(), decide("close --expected-version 6"), "all are answered");
}

#[tokio::test(start_paused = true)]
async fn no_agent_takes_the_approval_from_a_person_by_working_in_his_name() {
    let table = Table::new().await;
    table.room(&["@Bob"], |init| init.humans = vec!["@Zoe".to_owned()]).await;
    let agent = table.client("agent");
    for (by, approves) in [("@user", true), ("@Zoe", true), ("@Bob", false)] {
        let task = agent.task_with("Parser", |task| {
            task.room = Some("talk".to_owned());
            task.cast = Role::ALL.map(|role| (role, "@Bob".to_owned())).into();
            task.cast.insert(Role::Executor, by.to_owned());
        });
        let task = task.await;
        agent.work(&task, "architect", "design", Some(by)).await;
        agent.work(&task, "executor", "code_changes", None).await;
        let person = agent.vouched_for();
        let seen = person.hub.task_state(&task).await.unwrap().version;
        let decide = Decide {
            task: task.clone(),
            decision: Decision::Approve,
            by: by.to_owned(),
            reason: None,
            expected_version: Some(seen),
            request_id: None,
        };
        let state = person.hub.decide_task(&person.caller, decide).await.unwrap();
        assert_eq!(state.status == Some(Status::Approved), approves, "{by}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_has_done_the_work_himself_is_told_that_another_person_approves_it() {
    let table = Table::new().await;
    let person = table.client("person").vouched_for();
    let task = person.task("Parser").await;
    person.work(&task, "architect", "design", None).await;
    person.work(&task, "executor", "code_changes", None).await;
    let own = item(&table).await;
    assert_eq!(own.command(), "turnroom task decide parser close --expected-version 2");
    assert!(own.body().contains("another person approves it"), "{}", own.body());
    person.decide(&task, Decision::Approve).await;
    assert_eq!(item(&table).await.command(), "turnroom task decide parser close --expected-version 3");
}

#[tokio::test(start_paused = true)]
async fn nobody_proposes_or_makes_a_task_under_a_name_that_looks_like_the_persons() {
    let table = Table::new().await;
    let agent = table.client("agent");
    let task = agent.task("Parser").await;
    for name in ["@uѕer", "＠user", "@system", "@Bob\u{3164}"] {
        let mut record = publish(&task, "human", "decision");
        record.payload.insert("decision".to_owned(), json!("approve"));
        record.agent = Some(name.to_owned());
        let refused = agent.hub.publish_record(&agent.caller, record).await.unwrap_err();
        assert_eq!(refused.code(), "validation_error", "{name:?}");
        let mut parser = super::tasks::parser();
        parser.creator = name.to_owned();
        assert!(agent.hub.create_task(&agent.caller, parser).await.is_err(), "{name:?}");
    }
}
