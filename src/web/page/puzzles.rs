//! Puzzles on the page: their list, one with its machine and what has happened to it, and what a person does with it.

mod acts;
mod document;
mod start;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::address::Readable;
use super::view::{Demand, Html, Moment, PuzzlePage, Puzzles, PuzzlesHere, PuzzlesLink, PuzzlesPage, Step};
use super::{Page, encoded, fill, puzzle_path, refusal, shown};
use crate::hub::{HubError, RoomState};
use crate::puzzle::{Event, Machine};

pub(super) use acts::{Act, act};
pub(super) use document::document;
pub(super) use start::{form, start};

/// The stream of pages that show puzzles, or only what waits in the bar.
const LIST: &str = "/stream?puzzles=yes";
/// Puzzles on a page.
const ROWS: usize = 100;
/// Events on a page.
const STEPS: u64 = 50;
/// Events before the one that is asked for.
const BEFORE: u64 = 10;
/// Puzzles of one room that its page looks at.
const HERE: usize = 20;

/// Which part of the list is looked at: what was added before this puzzle.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Rest {
    before: Option<String>,
}

/// The list of puzzles.
pub(super) async fn list(State(page): State<Page>, Readable(Query(rest)): Readable<Query<Rest>>) -> Response {
    match page.puzzles(rest.before.as_deref(), page.now()).await {
        Ok(puzzles) => {
            let waiting = fill::waiting(&page.hub.inbox().await);
            shown(&PuzzlesPage { frame: page.frame_of("puzzles", LIST).await, waiting, puzzles })
        }
        Err(error) => refusal(error),
    }
}

/// Which part of a puzzle is looked at.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Part {
    since: Option<u64>,
    at: Option<u64>,
    /// It has just been added: what is odd about it is told.
    added: Option<String>,
}

/// A puzzle.
pub(super) async fn puzzle(
    State(page): State<Page>,
    Readable(Path(puzzle)): Readable<Path<String>>,
    Readable(Query(part)): Readable<Query<Part>>,
) -> Response {
    page.puzzle(&puzzle, &part).await.map_or_else(refusal, |view| shown(&view))
}

impl Page {
    /// The list of puzzles, the newest first, with ages as of `now`.
    pub(super) async fn puzzles(
        &self,
        before: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Puzzles, HubError> {
        let mut ids = self.hub.puzzle_ids().await?;
        if let Some(before) = before {
            let place = ids.iter().position(|id| id == before);
            ids.truncate(place.ok_or_else(|| HubError::NoSuchPuzzle(before.to_owned()))?);
        }
        let first = ids.len().saturating_sub(ROWS);
        let here: Vec<String> = ids.split_off(first).into_iter().rev().collect();
        let older = here.last().filter(|_| first > 0);
        let older = older.map(|last| format!("/puzzles?before={}", encoded(last)));
        let (puzzles, damaged) = self.hub.some_puzzles(&here).await;
        let damaged = damaged.into_iter().map(|damaged| damaged.puzzle).collect();
        Ok(Puzzles { damaged, ..fill::puzzles(&puzzles, older, before.is_none(), now) })
    }

    /// The puzzles that live in a room, with ages as of `now`.
    pub(super) async fn puzzles_of(&self, room: &RoomState, now: DateTime<Utc>) -> PuzzlesHere {
        let here = &room.puzzles[..room.puzzles.len().min(HERE)];
        fill::puzzles_here(&self.hub.some_puzzles(here).await.0, now)
    }

    /// The link to the list.
    pub(super) async fn puzzles_link(&self) -> Result<PuzzlesLink, HubError> {
        Ok(PuzzlesLink { count: self.hub.puzzle_count().await? })
    }

    async fn puzzle(&self, puzzle: &str, part: &Part) -> Result<PuzzlePage, HubError> {
        let (newest, steps) = self.part_of_puzzle(puzzle, part).await?;
        let stream = format!("/stream?puzzle={}", encoded(puzzle));
        let frame = self.frame_of(puzzle, &stream).await;
        let oddities = if part.added.is_some() { self.oddities(puzzle).await? } else { Vec::new() };
        let waiting = fill::waiting(&self.hub.inbox().await);
        let (now, here) = (self.now(), puzzle_path(puzzle));
        let (first, last) =
            (steps.first().map_or(1, |step| step.version), steps.last().map_or(0, |step| step.version));
        let token = self.access.form_token();
        // It is shown once it is free again: nobody waits for that.
        let looked = &self.hub.look_at_puzzle(puzzle, crate::puzzle::Puzzle::clone).await?;
        let drawing = fill::drawing(looked);
        Ok(PuzzlePage {
            frame,
            waiting,
            puzzle: looked.about().puzzle.clone(),
            name: fill::puzzle_name(looked),
            description: fill::puzzle_description(looked),
            creator: fill::puzzle_creator(looked),
            made: Moment::ago(looked.about().at, now),
            room: looked.about().room.clone(),
            oddities,
            state: fill::puzzle_line(looked, now),
            demand: Demand::default(),
            forms: fill::puzzle_forms(looked, token, now),
            ways: fill::ways(looked, drawing.is_some()),
            drawing,
            mermaid: fill::mermaid(looked),
            steps,
            last,
            older: (first > 1).then(|| format!("{here}?since={}", first.saturating_sub(STEPS).max(1))),
            newer: (last < newest).then(|| format!("{here}?since={}", last + 1)),
        })
    }

    /// How much has happened to a puzzle, and a part of it.
    async fn part_of_puzzle(&self, puzzle: &str, part: &Part) -> Result<(u64, Vec<Step>), HubError> {
        let newest = self.hub.puzzle(puzzle).await?.snapshot.version;
        let asked = part.since.or(part.at.filter(|_| newest > STEPS).map(|at| at.saturating_sub(BEFORE)));
        let since = asked.unwrap_or_else(|| (newest + 1).saturating_sub(STEPS)).clamp(1, newest.max(1));
        let limit = usize::try_from(STEPS).unwrap_or(usize::MAX);
        let (_, history) = self.hub.puzzle_history(puzzle, since - 1, limit).await?;
        // What came since the look at the puzzle is told over the stream.
        let history = history.iter().filter(|happened| happened.version <= newest);
        Ok((newest, history.map(fill::step).collect()))
    }

    /// What is odd about the machine of a puzzle.
    async fn oddities(&self, puzzle: &str) -> Result<Vec<(String, Html)>, HubError> {
        let (_, first) = self.hub.puzzle_history(puzzle, 0, 1).await?;
        let Some(Event::PuzzleAdded(added)) = first.first().map(|first| &first.event) else {
            return Ok(Vec::new());
        };
        let Ok((machine, mut warnings)) = Machine::parse(&added.config) else { return Ok(Vec::new()) };
        warnings.extend(self.hub.missing_programs(&machine));
        Ok(fill::oddities(&warnings))
    }
}
