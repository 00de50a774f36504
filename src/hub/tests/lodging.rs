//! A task and the room in which its turns are taken: which one it is, and what each hears of the other.

use std::time::Duration;

use serde_json::json;

use super::Table;
use super::support::{Client, settle};
use crate::hub::request::{BarrierRequest, Init};
use crate::hub::{CreateTask, HubError, PublishRecord, TaskState};
use crate::task::{Flow, Role};

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

impl Table {
    /// Who has the floor in a room.
    async fn floor(&self, room: &str) -> String {
        let state = self.hub.room_state(&self.client("looker").caller, Some(room)).await.unwrap();
        state.active_turn.map(|holder| holder.to_string()).unwrap_or_default()
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
    assert_eq!(table.floor("talk").await, "@Ada");
    tokio::time::sleep(Duration::from_secs(61)).await;
    settle().await;
    assert_eq!(table.floor("talk").await, "@user", "she is silent for too long");
    agent.record(&task, "architect", "note").await;
    assert_eq!(table.floor("talk").await, "@Ada", "she is back");
}
