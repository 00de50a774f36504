//! The page: what people see in a browser. It reads the hub and asks it for things; it decides nothing.
//!
//! Whoever came in through a link that works once sees everything ([`door`]), and speaks as a verified person where
//! the script shows the key of the page ([`acts`]). Every page works as plain forms and links; the script follows one
//! stream of ready HTML ([`stream`]).

mod acts;
mod address;
mod assets;
mod door;
mod enter;
mod fill;
mod following;
mod look;
mod place;
mod puzzles;
mod start;
mod started;
mod stream;
mod tasks;
mod undone;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use chrono::{DateTime, Utc};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::access::Access;
use crate::clock::Clock;
use crate::hub::{Caller, Hub, Mouth, Session};
use crate::tools::Refused;
use view::{Frame, Problem, ProblemPage};

/// Where links lead that work once.
pub(super) const WAY_IN: &str = "/enter";
/// Where the page is, beside `/`.
const FOLDERS: [&str; 7] = ["/rooms", "/tasks", "/puzzles", "/assets", "/stream", "/search", "/new"];

/// Whether a path belongs to the page.
pub(super) fn is_page(path: &str) -> bool {
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    path == "/" || path == WAY_IN || FOLDERS.into_iter().any(is_below)
}

/// The path of a room's page.
#[must_use]
pub fn room_path(room: &str) -> String {
    format!("/rooms/{}", encoded(room))
}

/// The path of a task's page.
#[must_use]
pub fn task_path(task: &str) -> String {
    format!("/tasks/{}", encoded(task))
}

/// The path of a puzzle's page.
fn puzzle_path(puzzle: &str) -> String {
    format!("/puzzles/{}", encoded(puzzle))
}

/// The path of the page of a state's document.
fn document_path(puzzle: &str, state: &str) -> String {
    format!("{}/states/{}", puzzle_path(puzzle), encoded(state))
}

fn encoded(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

/// What the page is made of.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) access: Arc<Access>,
    pub(super) hub: Arc<Hub>,
    pub(super) clock: Clock,
}

/// The routes of the page.
pub(super) fn routes(page: Page) -> Router {
    let inside = Router::new()
        .route("/", get(look::home))
        .route("/rooms/{room}", get(look::room))
        .route("/rooms/{room}/started", get(start::started))
        .route("/rooms/{room}/{act}", post(acts::act))
        .route("/tasks", get(tasks::board))
        .route("/tasks/new", get(tasks::form).post(tasks::start))
        .route("/tasks/{task}", get(tasks::task))
        .route("/tasks/{task}/commits/{commit}", get(tasks::commit))
        .route(
            "/tasks/{task}/decide",
            post(|page, task, headers, form| tasks::act(tasks::Act::Decide, page, task, headers, form)),
        )
        .route(
            "/tasks/{task}/ack",
            post(|page, task, headers, form| tasks::act(tasks::Act::Acknowledge, page, task, headers, form)),
        )
        .route(
            "/tasks/{task}/start",
            post(|page, task, headers, form| tasks::act(tasks::Act::Start, page, task, headers, form)),
        )
        .merge(of_puzzles())
        .route("/search", get(look::search))
        .route("/new", get(start::form).post(start::start))
        .route("/stream", get(stream::stream))
        .route_layer(middleware::from_fn(acts::run_to_the_end))
        .route_layer(middleware::from_fn_with_state(page.clone(), door::only_who_has_entered));
    Router::new()
        // Whoever only looks where a link leads does not use it up.
        .route(WAY_IN, get(enter::enter).head(enter::look))
        .route("/assets/{mark}/{name}", get(asset))
        .merge(inside)
        // The guard has looked at the length of every body.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn(door::close_in))
        .with_state(page)
}

fn of_puzzles() -> Router<Page> {
    use puzzles::Act;
    let act = |act| post(move |page, puzzle, headers, form| puzzles::act(act, page, puzzle, headers, form));
    Router::new()
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/new", get(puzzles::form).post(puzzles::start))
        .route("/puzzles/{puzzle}", get(puzzles::puzzle))
        .route("/puzzles/{puzzle}/states/{state}", get(puzzles::document))
        .route("/puzzles/{puzzle}/act", act(Act::Do))
        .route("/puzzles/{puzzle}/answer", act(Act::Answer))
        .route("/puzzles/{puzzle}/remove", act(Act::Remove))
}

impl Page {
    fn now(&self) -> DateTime<Utc> {
        self.clock.now().wall
    }

    /// What is around a page. With `room`, its stream follows that room.
    async fn frame(&self, title: &str, room: Option<&str>) -> Frame {
        let room = room.map(|room| format!("?room={}", encoded(room)));
        self.frame_of(title, &format!("/stream{}", room.unwrap_or_default())).await
    }

    /// What is around a page that follows this stream.
    async fn frame_of(&self, title: &str, stream: &str) -> Frame {
        Frame {
            title: title.to_owned(),
            token: self.access.form_token().to_owned(),
            stream: Some(stream.to_owned()),
            waiting: self.hub.inbox().await.len(),
            problem: None,
        }
    }
}

/// A call of a browser that has come in: it may look at everything.
fn caller() -> Caller {
    Caller::new(Session::Alone, Mouth::Page)
}

/// A page that says what went wrong.
fn refusal(error: impl Into<Refused>) -> Response {
    let error = error.into();
    let code = error.code();
    let (status, title) = fault(code);
    let problem = fill::problem(error);
    let problem = match code {
        "room_not_found" => Problem { next: "The first page lists all rooms.".to_owned(), ..problem },
        "task_not_found" => Problem { next: "The first page leads to all tasks.".to_owned(), ..problem },
        "puzzle_not_found" => Problem { next: "The first page leads to all puzzles.".to_owned(), ..problem },
        "puzzle_removed" => Problem {
            next: "`turnroom puzzle history` still tells what has happened to it. The first page leads to all puzzles."
                .to_owned(),
            ..problem
        },
        _ => problem,
    };
    problem_page(status, title, problem)
}

/// The status and the title of a fault.
fn fault(code: &str) -> (StatusCode, &'static str) {
    match code {
        "room_not_found" => (StatusCode::NOT_FOUND, "No such room"),
        "task_not_found" => (StatusCode::NOT_FOUND, "No such task"),
        "puzzle_not_found" => (StatusCode::NOT_FOUND, "No such puzzle"),
        "puzzle_removed" => (StatusCode::GONE, "The puzzle was removed"),
        "puzzle_damaged" => (StatusCode::INTERNAL_SERVER_ERROR, "The puzzle is damaged"),
        "task_damaged" => (StatusCode::INTERNAL_SERVER_ERROR, "The task is damaged"),
        "room_damaged" => (StatusCode::INTERNAL_SERVER_ERROR, "The room is damaged"),
        "journal_unavailable" => (StatusCode::SERVICE_UNAVAILABLE, "The log cannot be read now"),
        "stopping" => (StatusCode::SERVICE_UNAVAILABLE, "The hub stops"),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, "This cannot be done"),
    }
}

fn problem_page(status: StatusCode, title: &str, problem: Problem) -> Response {
    let frame = Frame { title: title.to_owned(), ..Frame::default() };
    (status, shown(&ProblemPage { frame, problem, back: "/".to_owned() })).into_response()
}

/// A view as the answer to a request.
fn shown(view: &impl askama::Template) -> Response {
    match view.render() {
        // What waits and who has the floor changes with every moment.
        Ok(html) => ([(header::CACHE_CONTROL, "no-store")], Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "a page cannot be shown");
            (StatusCode::INTERNAL_SERVER_ERROR, "this page cannot be shown; a fault of turnroom")
                .into_response()
        }
    }
}

async fn asset(
    axum::extract::Path((mark, name)): axum::extract::Path<(String, String)>,
) -> Result<Response, StatusCode> {
    let asset = assets::Asset::find(&mark, &name).ok_or(StatusCode::NOT_FOUND)?;
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        // Another version has another address.
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.text).into_response())
}
