//! A person has looked at what did not fit in a task, and it goes on.

use serde_json::json;

use super::{PublishRecord, TaskState};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::task::Content;

/// Take note of the warnings of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledge {
    /// Which task.
    pub task: String,
    /// By whom.
    pub by: String,
    /// What was found.
    pub note: Option<String>,
    /// How many records who acknowledges has seen: what came later is not acknowledged with them.
    pub expected_version: Option<u64>,
}

impl Hub {
    /// Takes note of the warnings of a task: a record like another.
    pub async fn acknowledge_task(
        &self,
        caller: &Caller,
        request: Acknowledge,
    ) -> Result<TaskState, HubError> {
        let Acknowledge { task, by, note, expected_version } = request;
        let summary = format!("{by} has seen what did not fit");
        let body = note.filter(|note| !note.trim().is_empty()).unwrap_or_else(|| summary.clone());
        let payload = json!({ "summary": summary, "body": body, "ack": true });
        let record = PublishRecord {
            task,
            role: "human".to_owned(),
            content_type: Content::Note.as_str().to_owned(),
            payload: payload.as_object().cloned().unwrap_or_default(),
            agent: Some(by),
            expected_version,
            ..PublishRecord::default()
        };
        self.publish_record(caller, record).await
    }
}
