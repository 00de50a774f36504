//! Tasks on the page: the board, one task with its records, and what a person decides about it.

mod agent;
mod commit;
mod start;

use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Json, Redirect, Response};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;

use super::acts::{Fields, by, version};
use super::address::Readable;
use super::door::wants_json;
use super::undone::Undone;
use super::view::{Board, BoardPage, Html, Moment, OverPage, Record, TaskPage, TasksHere, TasksLink};
use super::{Page, encoded, fill, refusal, shown, task_path};
use crate::hub::{Acknowledge, Caller, Decide, HubError, Item, ListTasks, RoomState, TaskState};
use crate::task::{self, Decision, PROJECT, Status};

pub(super) use agent::problem as agent_problem;
pub(super) use commit::commit;
pub(super) use start::{form, start};

/// The stream of pages that show tasks, or only what waits in the bar.
const BOARD: &str = "/stream?board=yes";
/// Tasks on the board.
const ON_BOARD: usize = 300;
/// Closed tasks on a page.
const OVER: usize = 50;
/// Records on a page.
const RECORDS: u64 = 100;
/// Records before the one that is asked for.
const BEFORE: u64 = 10;
/// Bytes of records on a page; the first that is asked for is always there, whole.
const BYTES: usize = 1 << 20;
/// Tasks of one room that its page looks at.
const HERE: usize = 20;

/// Which tasks are looked at.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Which {
    closed: Option<String>,
    after: Option<String>,
}

/// The board, or the tasks that are over.
pub(super) async fn board(
    State(page): State<Page>,
    Readable(Query(which)): Readable<Query<Which>>,
) -> Response {
    let shown = match which.closed {
        Some(_) => page.over(which.after).await.map(|view| shown(&view)),
        None => page.board_page().await.map(|view| shown(&view)),
    };
    shown.unwrap_or_else(refusal)
}

/// Which records of a task are looked at.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Part {
    since: Option<u64>,
    at: Option<u64>,
}

/// A task.
pub(super) async fn task(
    State(page): State<Page>,
    Readable(Path(task)): Readable<Path<String>>,
    Readable(Query(part)): Readable<Query<Part>>,
) -> Response {
    page.task(&task, &part).await.map_or_else(refusal, |view| shown(&view))
}

/// What a person does about a task.
#[derive(Clone, Copy)]
pub(super) enum Act {
    /// Decides.
    Decide,
    /// Acknowledges what did not fit.
    Acknowledge,
    /// Starts the agent for which it waits.
    Start,
}

/// Does what a form asks for.
pub(super) async fn act(
    act: Act,
    State(page): State<Page>,
    Readable(Path(task)): Readable<Path<String>>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let person = page.caller(&headers);
    let done = match act {
        Act::Decide => page.decide(&person, &task, &fields).await.map(drop),
        Act::Acknowledge => page.acknowledge(&person, &task, &fields).await.map(drop),
        Act::Start => page.start_agent(&person, &task, &fields).await,
    };
    page.done(&person, &task, done, (&headers, &fields)).await
}

impl Page {
    async fn decide(&self, person: &Caller, task: &str, fields: &Fields) -> Result<TaskState, Undone> {
        let decision = fields.get("decision").and_then(|decision| Decision::of(decision.trim()));
        let decision =
            decision.ok_or_else(|| Undone::form("The form names no decision.", "Load the page again."))?;
        let reason = fields.get("reason").map(|reason| reason.replace("\r\n", "\n"));
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        if decision == Decision::Reject && reason.is_none() {
            let next = "Say in the field above the buttons what has to be mended.";
            return Err(Undone::form("A rejection needs a reason.", next));
        }
        let (by, expected_version) = (by(fields), Some(version(fields)?));
        let task = task.to_owned();
        let request = Decide { task, decision, by, reason, expected_version, request_id: None };
        Ok(self.hub.decide_task(person, request).await?)
    }

    async fn acknowledge(&self, person: &Caller, task: &str, fields: &Fields) -> Result<TaskState, Undone> {
        let (by, expected_version) = (by(fields), Some(version(fields)?));
        let request = Acknowledge { task: task.to_owned(), by, note: None, expected_version };
        Ok(self.hub.acknowledge_task(person, request).await?)
    }

    /// The answer to an act, for the script or for a plain form.
    async fn done(
        &self,
        person: &Caller,
        task: &str,
        done: Result<(), Undone>,
        (headers, fields): (&HeaderMap, &Fields),
    ) -> Response {
        let undone = match done {
            Ok(()) if wants_json(headers) => {
                return Json(json!({ "status": "done", "verified": person.is_verified })).into_response();
            }
            Ok(()) => return Redirect::to(&task_path(task)).into_response(),
            Err(undone) => undone,
        };
        if wants_json(headers) {
            return undone.into_json();
        }
        match self.task(task, &Part::default()).await {
            Ok(mut view) => {
                view.frame.problem = Some(undone.problem());
                view.forms.reason = fields.get("reason").cloned().unwrap_or_default();
                (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response()
            }
            Err(error) => refusal(error),
        }
    }

    async fn board_page(&self) -> Result<BoardPage, HubError> {
        let items = self.hub.inbox().await;
        let board = self.board(&items, self.now()).await?;
        let waiting = fill::waiting(&items);
        let frame = self.frame_of("tasks", BOARD).await;
        Ok(BoardPage { frame, waiting, board })
    }

    /// The tasks that are not over, with ages as of `now`, and with what waits for people.
    pub(super) async fn board(&self, items: &[Item], now: DateTime<Utc>) -> Result<Board, HubError> {
        let open = ListTasks { status: None, include_closed: false, limit: ON_BOARD, after: None };
        let listed = self.hub.list_tasks(&open).await?;
        let starts = (&fill::agents(items), self.access.form_token());
        let mut board = fill::board(&listed.tasks, starts, now);
        board.has_more = listed.more;
        board.has_project = self.hub.task_state(PROJECT).await.is_ok();
        Ok(board)
    }

    /// The link to the board.
    pub(super) async fn tasks_link(&self) -> Result<TasksLink, HubError> {
        Ok(TasksLink { open: self.hub.open_task_count().await? })
    }

    async fn over(&self, after: Option<String>) -> Result<OverPage, HubError> {
        let closed = ListTasks { status: Some(Status::Closed), include_closed: true, limit: OVER, after };
        let listed = self.hub.list_tasks(&closed).await?;
        let now = self.now();
        let last = listed.tasks.last().filter(|_| listed.more);
        Ok(OverPage {
            frame: self.frame_of("closed tasks", BOARD).await,
            waiting: fill::waiting(&self.hub.inbox().await),
            more: last.map(|last| format!("/tasks?closed=yes&after={}", encoded(&last.task))),
            tasks: listed.tasks.iter().map(|task| fill::card(task, now)).collect(),
        })
    }

    async fn task(&self, task: &str, part: &Part) -> Result<TaskPage, HubError> {
        let (state, records) = self.part_of_task(task, part).await?;
        let first = records.first().map_or(1, |record| record.version);
        let last = records.last().map_or(0, |record| record.version);
        let (token, now, here) = (self.access.form_token(), self.now(), task_path(&state.task));
        let is_over = matches!(state.status, None | Some(Status::Closed));
        let stream = format!("/stream?task={}", encoded(&state.task));
        let items = self.hub.inbox().await;
        Ok(TaskPage {
            frame: self.frame_of(&state.task, &stream).await,
            waiting: fill::waiting(&items),
            title: fill::title(&state),
            description: Html::of_markdown(&state.description),
            creator: fill::creator(&state),
            flow: state.flow.map(fill::flow),
            gate: fill::gate(state.gate),
            made: Moment::ago(state.made, now),
            room: state.room.clone(),
            can_join: state.has_own_room && !is_over,
            forms: fill::task_forms(&state, state.version, &fill::agents(&items), token),
            state: fill::task_line(&state, now),
            cast: fill::cast(&state),
            records,
            last,
            older: (first > 1).then(|| format!("{here}?since={}", first.saturating_sub(RECORDS).max(1))),
            newer: (last < state.version).then(|| format!("{here}?since={}", last + 1)),
            task: state.task,
        })
    }

    /// How a task stands, and the records of a part of it.
    async fn part_of_task(&self, task: &str, part: &Part) -> Result<(TaskState, Vec<Record>), HubError> {
        let newest = self.hub.task_state(task).await?.version;
        let asked = part.since.or(part.at.filter(|_| newest > RECORDS).map(|at| at.saturating_sub(BEFORE)));
        let since = asked.unwrap_or_else(|| (newest + 1).saturating_sub(RECORDS)).clamp(1, newest.max(1));
        let limit = usize::try_from(RECORDS).unwrap_or(usize::MAX);
        let (state, mut records) = self.hub.read_task(task, since, limit).await?;
        // What came since the look at the task is told over the stream.
        records.retain(|record| record.version <= state.version);
        let size = |record: &task::Record| record.payload.text("body").map_or(0, str::len);
        let mut bytes = 0;
        let mut fits = |record: &task::Record| {
            bytes += size(record);
            bytes <= BYTES
        };
        // Large ones give way: those furthest from what is asked for.
        let kept = match asked {
            Some(_) => records.iter().take_while(|record| fits(record)).count(),
            None => records.iter().rev().take_while(|record| fits(record)).count(),
        };
        let kept = kept.max(1).min(records.len());
        match asked {
            Some(_) => records.truncate(kept),
            None => drop(records.drain(..records.len() - kept)),
        }
        let records =
            records.iter().map(|record| fill::record(&state.task, record, &state.warnings)).collect();
        Ok((state, records))
    }

    /// The tasks whose turns are taken in a room, with ages as of `now`.
    pub(super) async fn tasks_of(&self, room: &RoomState, now: DateTime<Utc>) -> TasksHere {
        let looks = room.tasks.iter().take(HERE).map(|task| self.hub.task_state(task));
        let tasks: Vec<_> = futures::future::join_all(looks).await.into_iter().flatten().collect();
        fill::tasks_here(&tasks, now)
    }
}
