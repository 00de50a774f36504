//! What happens, as ready HTML: one stream for each page, resumed by the number of the last entry that it got.
//!
//! The stream reads the log and never the other way round: a slow page waits at its own channel and slows nothing.
//! One that is far behind, or whose room has another log by now, is told to load itself anew.

use std::collections::BTreeMap;
use std::convert::Infallible;
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
use super::{Page, caller, fill};
use crate::hub::HubError;

/// Events on their way to a page.
const ON_THE_WAY: usize = 64;
/// A page that is so far behind loads itself anew.
const FAR_BEHIND: u64 = 500;
/// Entries that are read at once.
const BATCH: usize = 50;
/// What happens within such a moment is told together, except the first of it.
const MOMENT: Duration = Duration::from_millis(100);
/// A sign of life while nothing happens.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// So long a page waits before it connects again.
const RETRY: Duration = Duration::from_secs(1);

/// What a page follows.
#[derive(Debug, Deserialize)]
pub(super) struct Wish {
    room: Option<String>,
    after: Option<u64>,
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
        room: wish.room,
        last: resumed.max(wish.after),
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
    room: Option<String>,
    /// The newest entry that the page has; none yet: its own markup tells.
    last: Option<u64>,
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
        let mut stirs = self.page.hub.stirs();
        let mut inbox = self.page.hub.inbox_changes();
        if self.send(Event::default().retry(RETRY)).await.is_err() {
            return;
        }
        loop {
            stirs.borrow_and_update();
            inbox.borrow_and_update();
            if self.tell_news().await.is_err() {
                return;
            }
            tokio::time::sleep(MOMENT).await;
            tokio::select! {
                _ = stirs.changed() => {}
                _ = inbox.changed() => {}
                () = self.page.hub.stopped() => {
                    let _ = self.send(Event::default().event("gone").data("connect again")).await;
                    return;
                }
                () = self.events.closed() => return,
            }
        }
    }

    async fn tell_news(&mut self) -> Result<(), Over> {
        let told = match self.room.clone() {
            Some(room) => self.tell_room(&room).await,
            None => self.tell_home().await,
        };
        match told {
            Ok(()) => Ok(()),
            // A room that was deleted or cannot be read: the page says so when it is loaded anew.
            Err(Failure::Hub(error)) => {
                tracing::debug!(%error, "a page cannot follow its room");
                let _ = self.send(Event::default().event("resync").data("load anew")).await;
                Err(Over)
            }
            Err(Failure::Over(over)) => Err(over),
        }
    }

    async fn tell_home(&mut self) -> Result<(), Failure> {
        let items = self.page.hub.inbox().await;
        let rooms = self.page.hub.rooms().await?;
        let token = self.page.access.form_token().to_owned();
        let inbox = fill::inbox_of_all(&items, &token, self.begun);
        self.tell("inbox", html(&inbox)).await?;
        let rooms = fill::rooms(&rooms, &items, self.begun);
        self.tell("rooms", html(&rooms)).await
    }

    async fn tell_room(&mut self, room: &str) -> Result<(), Failure> {
        let state = self.page.hub.room_state(&caller(), Some(room)).await?;
        let names = Names::of(&state);
        self.tell_entries(room, &names).await?;
        let newest = self.page.hub.everything_said(room, None, None, BATCH).await?;
        let delivery = fill::delivery(&state, newest.messages.iter().map(AsRef::as_ref));
        self.tell("delivery", json!(delivery).to_string()).await?;
        let items = self.page.hub.inbox().await;
        let token = self.page.access.form_token().to_owned();
        let inbox = fill::inbox_of_room(&items, room, &names, &token, self.begun);
        self.tell("inbox", html(&inbox)).await?;
        let status = html(&fill::status(&state, &names, self.begun));
        let people = html(&fill::people(&state, &names, self.begun));
        let controls = html(&fill::controls(&state, &token));
        let composer = html(&fill::hint(&state)) + &html(&fill::addressees(&state));
        self.tell("status", status + &people + &controls + &composer).await
    }

    async fn tell_entries(&mut self, room: &str, names: &Names) -> Result<(), Failure> {
        loop {
            let page = self.page.hub.everything_said(room, Some(self.last.unwrap_or(0)), None, BATCH).await?;
            let last = *self.last.get_or_insert(page.last_seq_id);
            if last > page.last_seq_id || page.last_seq_id - last > FAR_BEHIND {
                self.send(Event::default().event("resync").data("load anew")).await?;
                return Err(Over.into());
            }
            for said in page.messages.iter().filter(|said| said.seq_id > last) {
                let entry = html(&fill::entry(said, names, None));
                self.send(Event::default().event("entry").id(said.seq_id.to_string()).data(entry)).await?;
                self.last = Some(said.seq_id);
            }
            if !page.more {
                return Ok(());
            }
        }
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
