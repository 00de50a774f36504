//! What a person looks at: the first page, a room, a search.

use std::collections::BTreeMap;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::address::Readable;
use super::place::place;
use super::view::{HomePage, Problem, ReplyTo, RoomPage, Search, SearchPage, Unverified};
use super::{Page, caller, fill, refusal, room_path, shown};
use crate::hub::{self, Find, HubError, RoomState};
use crate::room::{Handle, Sender};
use crate::secret;
use fill::Names;

/// Entries on a page.
const ENTRIES: usize = 200;
/// Entries before the one that is asked for.
const BEFORE: u64 = 50;
/// Hits on a page.
const HITS: usize = 100;

/// Which part of the list of rooms is looked at: what comes after this room.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Rest {
    before: Option<String>,
}

/// The first page.
pub(super) async fn home(State(page): State<Page>, Readable(Query(rest)): Readable<Query<Rest>>) -> Response {
    let items = page.hub.inbox().await;
    let rooms = match page.hub.rooms().await {
        Ok(rooms) => rooms,
        Err(error) => return refusal(error),
    };
    let tasks = match page.tasks_link().await {
        Ok(tasks) => tasks,
        Err(error) => return refusal(error),
    };
    let puzzles = match page.puzzles_link().await {
        Ok(puzzles) => puzzles,
        Err(error) => return refusal(error),
    };
    let (token, now) = (page.access.form_token(), page.now());
    shown(&HomePage {
        tasks,
        puzzles,
        frame: page.frame("", None).await,
        inbox: fill::inbox_of_all(&items, token, now),
        unverified: Unverified::default(),
        rooms: fill::rooms_after(rest.before.as_deref(), &rooms, &items, now),
    })
}

/// Which part of a room is looked at.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Part {
    at: Option<u64>,
    before: Option<u64>,
    after: Option<u64>,
    reply: Option<u64>,
}

/// A room.
pub(super) async fn room(
    State(page): State<Page>,
    Readable(Path(room)): Readable<Path<String>>,
    Readable(Query(part)): Readable<Query<Part>>,
) -> Response {
    match page.room(&room, part).await {
        Ok(view) => shown(&view),
        Err(error) => refusal(error),
    }
}

impl Page {
    /// The page of a room, after a form was refused: with what went wrong, and the words that were not said.
    pub(super) async fn room_again(
        &self,
        room: &str,
        problem: Problem,
        draft: Option<String>,
    ) -> Result<RoomPage, HubError> {
        let mut view = self.room(room, Part::default()).await?;
        view.frame.problem = Some(problem);
        match &mut view.composer {
            Some(composer) => composer.draft = draft.unwrap_or_default(),
            None => view.unsaid = draft.filter(|draft| !draft.is_empty()),
        }
        Ok(view)
    }

    async fn room(&self, room: &str, part: Part) -> Result<RoomPage, HubError> {
        let state = self.hub.room_state(&caller(), Some(room)).await?;
        let said = self.part(room, &part).await?;
        let items = self.hub.inbox().await;
        let (names, token, now) = (Names::of(&state), self.access.form_token(), self.now());
        let messages = || said.messages.iter().map(AsRef::as_ref);
        let mut delivery = fill::delivery(&state, messages());
        let mut entries = Vec::new();
        for said in messages() {
            entries.push(fill::entry(said, &names, delivery.remove(&said.seq_id)));
        }
        let (first, last) = (said.messages.first().map(|said| said.seq_id), said.messages.last());
        let last = last.map_or(0, |said| said.seq_id);
        let here = room_path(room);
        let mut composer = fill::composer(&state, token);
        if let Some(composer) = &mut composer {
            composer.request_id = secret::id();
            if let Some(reply) = part.reply {
                composer.reply_to = self.reply_to(room, reply).await;
            }
        }
        Ok(RoomPage {
            frame: self.frame(room, Some(room)).await,
            room: state.room.clone(),
            topic: state.topic.clone(),
            file: place(&state.filepath),
            status: fill::status(&state, &names, now),
            tasks: self.tasks_of(&state, now).await,
            puzzles: self.puzzles_of(&state, now).await,
            inbox: fill::inbox_of_room(&items, room, &names, token, now),
            people: fill::people(&state, &names, now),
            controls: fill::controls(&state, token),
            older: first.filter(|first| *first > 1).map(|first| format!("{here}?before={first}")),
            last_seq: said.last_seq_id,
            newer: (last < said.last_seq_id).then(|| format!("{here}?after={last}")),
            entries,
            composer,
            closed: self.closed(&state).await?,
            unsaid: None,
        })
    }

    async fn part(&self, room: &str, part: &Part) -> Result<hub::Page, HubError> {
        let (after, before) = match part {
            Part { at: Some(at), .. } => (Some(at.saturating_sub(BEFORE)), None),
            Part { before, after, .. } => (*after, *before),
        };
        self.hub.everything_said(room, after, before, ENTRIES).await
    }

    async fn reply_to(&self, room: &str, seq: u64) -> Option<ReplyTo> {
        let said = self.hub.everything_said(room, Some(seq.checked_sub(1)?), None, 1).await.ok()?;
        match &said.messages.first()?.sender {
            Sender::Participant(sender) => Some(ReplyTo { seq, sender: sender.to_string() }),
            Sender::System => None,
        }
    }

    async fn closed(&self, state: &RoomState) -> Result<Option<super::view::Closed>, HubError> {
        if state.phase != "closed" {
            return Ok(None);
        }
        let newest = self.hub.everything_said(&state.room, None, None, 1).await?;
        Ok(fill::closed(state, &newest, self.now()))
    }
}

/// Words to search for, and where.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
    #[serde(default)]
    room: String,
    #[serde(default)]
    sender: String,
    #[serde(default)]
    day: String,
}

/// A search.
pub(super) async fn search(
    State(page): State<Page>,
    Readable(Query(asked)): Readable<Query<Asked>>,
) -> Response {
    let rooms = match page.hub.rooms().await {
        Ok(rooms) => rooms.into_iter().map(|room| room.room).collect(),
        Err(error) => return refusal(error),
    };
    let mut frame = page.frame("search", None).await;
    let mut hits = None;
    if !asked.q.trim().is_empty() {
        match page.find(&asked).await {
            Ok(found) => hits = Some(found),
            Err(problem) => frame.problem = Some(problem),
        }
    }
    let has_more = hits.as_ref().is_some_and(|hits| hits.len() > HITS);
    if let Some(hits) = &mut hits {
        hits.truncate(HITS);
    }
    let Asked { q, room, sender, day } = asked;
    shown(&SearchPage { frame, search: Search { words: q, room, rooms, sender, day }, hits, has_more })
}

impl Page {
    async fn find(&self, asked: &Asked) -> Result<Vec<super::view::Hit>, Problem> {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let sender = given(&asked.sender).map(|sender| Handle::parse(&sender)).transpose();
        let sender = sender.map_err(|error| fill::problem(HubError::Refused(error.into())))?;
        let day = given(&asked.day).map(|day| day.parse()).transpose().map_err(|_| Problem {
            message: format!("`{}` is no day", asked.day),
            allowed: vec!["a day such as 2026-12-01".to_owned()],
            next: "correct it, and search again".to_owned(),
        })?;
        let find = Find { query: asked.q.clone(), room: given(&asked.room), sender, day, limit: HITS };
        let found = self.hub.find_words(&find).await.map_err(fill::problem)?;
        let now = self.now();
        let mut names: BTreeMap<&str, Names> = BTreeMap::new();
        for found in &found {
            if !names.contains_key(found.room.as_str()) {
                let state = self.hub.room_state(&caller(), Some(&found.room)).await;
                names.insert(&found.room, state.map(|state| Names::of(&state)).unwrap_or_default());
            }
        }
        Ok(found.iter().map(|found| fill::hit(found, &names[found.room.as_str()], now)).collect())
    }
}
