//! What happens, as ready HTML: one stream for each page, resumed by the number of the last entry that it got.
//!
//! The stream reads the log and never the other way round: a slow page waits at its own channel and slows nothing, and
//! what happens in other rooms does not wake it ([`following`](super::following)).
//! One that is far behind, or whose room has another log by now, is told to load itself anew.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::fill::Names;
use super::following::{Changed, Following, Place};
use super::{Page, caller, fill};
use crate::hub::{self, HubError, Item};
use crate::puzzle::Puzzle;

/// Events on their way to a page.
const ON_THE_WAY: usize = 64;
/// A page that is so far behind loads itself anew.
const FAR_BEHIND: u64 = 500;
/// Entries that are read at once.
const BATCH: usize = 50;
/// A sign of life while nothing happens.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// So long a page waits before it connects again.
const RETRY: Duration = Duration::from_secs(1);

/// What a page follows.
#[derive(Debug, Deserialize)]
pub(super) struct Wish {
    room: Option<String>,
    task: Option<String>,
    board: Option<String>,
    puzzle: Option<String>,
    puzzles: Option<String>,
    after: Option<u64>,
    /// On the page of a task: its forms, and the record up to which they are about it.
    forms: Option<String>,
    seen: Option<u64>,
}

impl Wish {
    fn place(&self) -> Place {
        match self {
            Self { room: Some(room), .. } => Place::Room(room.clone()),
            Self { task: Some(task), .. } => Place::Task(task.clone()),
            Self { board: Some(_), .. } => Place::Board,
            Self { puzzle: Some(puzzle), .. } => Place::Puzzle(puzzle.clone()),
            Self { puzzles: Some(_), .. } => Place::Puzzles,
            Self { .. } => Place::Home,
        }
    }
}

/// The stream of one page.
pub(super) async fn stream(
    State(page): State<Page>,
    headers: HeaderMap,
    Query(wish): Query<Wish>,
) -> Response {
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (events, stream) = mpsc::channel(ON_THE_WAY);
    let follower = Follower {
        begun: page.now(),
        page,
        place: wish.place(),
        last: resumed.max(wish.after),
        forms: wish.forms.zip(wish.seen),
        agents: fill::Agents::default(),
        newest: None,
        names: Names::default(),
        told: BTreeMap::new(),
        events,
    };
    // It ends with its page: then nobody takes its events.
    tokio::spawn(follower.follow());
    let sse = Sse::new(ReceiverStream::new(stream)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    ([("x-accel-buffering", "no")], sse).into_response()
}

/// Follows the hub for one page.
struct Follower {
    page: Page,
    place: Place,
    /// The newest entry or record that the page has; none yet: its own markup tells.
    last: Option<u64>,
    /// On the page of a task: what its forms depend on, and the record up to which they are about it.
    forms: Option<(String, u64)>,
    /// On the board and the page of a task: the agents that could be started when it was told last.
    agents: fill::Agents,
    /// The newest entries of the room when it was looked at last.
    newest: Option<hub::Page>,
    /// Who is who in the room.
    names: Names,
    /// What it was told last, by the name of the event.
    told: BTreeMap<&'static str, String>,
    /// Times in the markup are told from then; the script goes on from there. So nothing differs that has not changed.
    begun: DateTime<Utc>,
    events: mpsc::Sender<Result<Event, Infallible>>,
}

/// The page is gone, or must load itself anew.
struct Over;

impl Follower {
    async fn follow(mut self) {
        if self.send(Event::default().retry(RETRY)).await.is_err() {
            return;
        }
        let hub = Arc::clone(&self.page.hub);
        let Ok(mut following) = Following::new(Arc::clone(&hub), self.place.clone()).await else {
            return self.end("resync", "load anew").await;
        };
        loop {
            let changed = tokio::select! {
                changed = following.changed() => changed,
                () = hub.stopped() => return self.end("gone", "connect again").await,
                () = self.events.closed() => return,
            };
            let told = match changed {
                Ok(changed) => self.tell_news(changed, &following.items()).await,
                Err(error) => Err(error.into()),
            };
            match told {
                Ok(()) => {}
                Err(Failure::Over(Over)) => return,
                // It passes: the page has what it has, and is told the rest as soon as it can be read.
                Err(Failure::Hub(HubError::NotReadable(error))) => {
                    tracing::debug!(%error, "a page cannot follow its room now");
                    following.begin_again();
                }
                // A room that was deleted or is damaged: the page says so when it is loaded anew.
                Err(Failure::Hub(error)) => {
                    tracing::debug!(%error, "a page cannot follow its room");
                    return self.end("resync", "load anew").await;
                }
            }
        }
    }

    async fn tell_news(&mut self, changed: Changed, items: &[Item]) -> Result<(), Failure> {
        let token = self.page.access.form_token().to_owned();
        let inbox = match self.place.clone() {
            Place::Home => return self.tell_home(items, &token).await,
            Place::Room(room) => {
                if changed.place {
                    self.tell_room(&room).await?;
                }
                html(&fill::inbox_of_room(items, &room, &self.names, &token, self.begun))
            }
            Place::Board => {
                if self.has_other_agents(items) || changed.place {
                    self.tell_board(items).await?;
                }
                html(&fill::waiting(items))
            }
            Place::Task(task) => {
                if self.has_other_agents(items) || changed.place {
                    self.tell_task(&task, &token).await?;
                }
                html(&fill::waiting(items))
            }
            Place::Puzzles => {
                if changed.place {
                    let puzzles = self.page.puzzles(None, self.begun).await?;
                    self.tell("status", html(&puzzles)).await?;
                }
                html(&fill::waiting(items))
            }
            Place::Puzzle(puzzle) => {
                if changed.place {
                    self.tell_puzzle(&puzzle, &token).await?;
                }
                html(&fill::waiting(items))
            }
        };
        self.tell("inbox", inbox).await
    }

    async fn tell_home(&mut self, items: &[Item], token: &str) -> Result<(), Failure> {
        let rooms = self.page.hub.rooms().await?;
        let inbox = fill::inbox_of_all(items, token, self.begun);
        self.tell("inbox", html(&inbox)).await?;
        let (rooms, tasks) = (fill::rooms(&rooms, items, self.begun), self.page.tasks_link().await?);
        let puzzles = self.page.puzzles_link().await?;
        self.tell("rooms", html(&rooms) + &html(&tasks) + &html(&puzzles)).await
    }

    /// Takes note of the agents that can be started; gives whether they are others.
    fn has_other_agents(&mut self, items: &[Item]) -> bool {
        let agents = fill::agents(items);
        std::mem::replace(&mut self.agents, agents) != self.agents
    }

    async fn tell_board(&mut self, items: &[Item]) -> Result<(), Failure> {
        let board = self.page.board(items, self.begun).await?;
        self.tell("status", html(&board)).await
    }

    /// Tells the records that the page has not got, then how the task stands.
    async fn tell_task(&mut self, task: &str, token: &str) -> Result<(), Failure> {
        let state = self.page.hub.task_state(task).await?;
        let mut last = self.near(state.version).await?;
        let key = fill::forms_key(&state);
        while last < state.version {
            let (_, records) = self.page.hub.read_task(task, last + 1, BATCH).await?;
            let Some(end) = records.last().map(|record| record.version) else { break };
            for record in records.iter().filter(|record| record.version <= state.version) {
                let html = html(&fill::record(&state.task, record, &state.warnings));
                let event = Event::default().event("record").id(record.version.to_string()).data(html);
                self.send(event).await?;
            }
            last = end.min(state.version);
        }
        self.last = Some(last);
        // What a person is about to decide is not changed under the pointer: a form goes on to be about what it was
        // about until it is another form. A decision that comes too late is told so.
        let seen = match &self.forms {
            Some((known, seen)) if *known == key => last.min(*seen),
            _ => last,
        };
        self.forms = Some((key, seen));
        let line = html(&fill::task_line(&state, self.begun));
        self.tell("status", line + &html(&fill::task_forms(&state, seen, &self.agents, token))).await
    }

    /// Tells what has happened to a puzzle that the page has not got, then how it stands.
    async fn tell_puzzle(&mut self, puzzle: &str, token: &str) -> Result<(), Failure> {
        let now = self.begun;
        // It is shown once it is free again: nobody waits for that.
        let looked = self.page.hub.look_at_puzzle(puzzle, Puzzle::clone).await?;
        let status = html(&fill::puzzle_line(&looked, now)) + &html(&fill::puzzle_forms(&looked, token, now));
        let drawing = fill::drawing(&looked).map(|drawing| html(&drawing)).unwrap_or_default();
        let (version, status) = (looked.version(), status + &drawing + &html(&fill::mermaid(&looked)));
        let mut last = self.near(version).await?;
        while last < version {
            let (_, history) = self.page.hub.puzzle_history(puzzle, last, BATCH).await?;
            let Some(end) = history.last().map(|happened| happened.version) else { break };
            for happened in history.iter().filter(|happened| happened.version <= version) {
                let html = html(&fill::step(happened));
                let event = Event::default().event("record").id(happened.version.to_string()).data(html);
                self.send(event).await?;
            }
            last = end.min(version);
        }
        self.last = Some(last);
        self.tell("status", status).await
    }

    /// The newest that the page has. One that is far behind `newest`, or before it, loads itself anew.
    async fn near(&mut self, newest: u64) -> Result<u64, Failure> {
        let last = *self.last.get_or_insert(newest);
        if last > newest || newest - last > FAR_BEHIND {
            self.send(Event::default().event("resync").data("load anew")).await?;
            return Err(Over.into());
        }
        Ok(last)
    }

    async fn tell_room(&mut self, room: &str) -> Result<(), Failure> {
        let state = self.page.hub.room_state(&caller(), Some(room)).await?;
        self.names = Names::of(&state);
        let newest = self.newest(room, state.last_seq_id).await?;
        self.tell_entries(room, &newest, state.last_seq_id).await?;
        let delivery = fill::delivery(&state, newest.messages.iter().map(AsRef::as_ref));
        self.newest = Some(newest);
        self.tell("delivery", json!(delivery).to_string()).await?;
        let status = html(&fill::status(&state, &self.names, self.begun));
        let people = html(&fill::people(&state, &self.names, self.begun));
        let controls = html(&fill::controls(&state, self.page.access.form_token()));
        let composer = html(&fill::hint(&state)) + &html(&fill::addressees(&state));
        let tasks = html(&self.page.tasks_of(&state, self.begun).await);
        let puzzles = html(&self.page.puzzles_of(&state, self.begun).await);
        self.tell("status", status + &tasks + &puzzles + &people + &controls + &composer).await
    }

    /// The newest entries up to the last one: read only if there are others than before.
    async fn newest(&mut self, room: &str, last: u64) -> Result<hub::Page, HubError> {
        if let Some(known) = self.newest.take().filter(|known| known.last_seq_id == last) {
            return Ok(known);
        }
        let mut newest = self.page.hub.everything_said(room, None, None, BATCH).await?;
        // What was said since the look at the room is told with the next one, when its sender is known.
        newest.messages.retain(|said| said.seq_id <= last);
        newest.last_seq_id = last;
        Ok(newest)
    }

    /// Tells the entries that the page has not got, up to the newest that is told of with the room.
    async fn tell_entries(&mut self, room: &str, newest: &hub::Page, upto: u64) -> Result<(), Failure> {
        let mut last = self.near(upto).await?;
        let oldest = newest.messages.first().map_or(u64::MAX, |said| said.seq_id);
        while last < upto && last + 1 < oldest {
            let page = self.page.hub.everything_said(room, Some(last), None, BATCH).await?;
            let Some(end) = page.messages.last().map(|said| said.seq_id) else { break };
            self.tell_each(&page, upto).await?;
            last = end;
        }
        self.tell_each(newest, upto).await
    }

    async fn tell_each(&mut self, page: &hub::Page, upto: u64) -> Result<(), Failure> {
        for said in &page.messages {
            if said.seq_id > upto || self.last.is_some_and(|last| said.seq_id <= last) {
                continue;
            }
            let entry = html(&fill::entry(said, &self.names, None));
            self.send(Event::default().event("entry").id(said.seq_id.to_string()).data(entry)).await?;
            self.last = Some(said.seq_id);
        }
        Ok(())
    }

    /// The last word to a page.
    async fn end(&self, event: &str, words: &str) {
        // Whoever is gone needs none.
        let _ = self.send(Event::default().event(event).data(words)).await;
    }

    /// Tells something that replaces what was told before, unless it is the same.
    async fn tell(&mut self, name: &'static str, data: String) -> Result<(), Failure> {
        if self.told.get(name) != Some(&data) {
            self.send(Event::default().event(name).data(&data)).await?;
            self.told.insert(name, data);
        }
        Ok(())
    }

    async fn send(&self, event: Event) -> Result<(), Over> {
        self.events.send(Ok(event)).await.map_err(|_| Over)
    }
}

enum Failure {
    Hub(HubError),
    Over(Over),
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        Self::Hub(error)
    }
}

impl From<Over> for Failure {
    fn from(over: Over) -> Self {
        Self::Over(over)
    }
}

/// A fragment. Ours are well formed: they fail only if the memory is full.
fn html(view: &impl Template) -> String {
    view.render().unwrap_or_default()
}
