//! The document of a state of a puzzle.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::LIST;
use crate::hub::HubError;
use crate::transcript::{one_line, plain_text};
use crate::web::page::address::Readable;
use crate::web::page::view::{DocumentPage, Html, Problem, Text};
use crate::web::page::{Page, problem_page, puzzle_path, refusal, shown};

/// A document.
pub(in crate::web::page) async fn document(
    State(page): State<Page>,
    Readable(Path((puzzle, state))): Readable<Path<(String, String)>>,
) -> Response {
    match page.document(&puzzle, &state).await {
        Ok(Some(view)) => shown(&view),
        Ok(None) => problem_page(StatusCode::NOT_FOUND, "No such document", not_there(&state)),
        Err(error) => refusal(error),
    }
}

impl Page {
    async fn document(&self, puzzle: &str, state: &str) -> Result<Option<DocumentPage>, HubError> {
        let Some(document) = self.hub.puzzle_resource(puzzle, state).await? else { return Ok(None) };
        let is_markdown = document.mime_type.as_deref().is_none_or(|mime| mime.starts_with("text/markdown"));
        Ok(Some(DocumentPage {
            frame: self.frame_of(&format!("document of {}", one_line(state)), LIST).await,
            state: one_line(state),
            puzzle: puzzle.to_owned(),
            back: puzzle_path(puzzle),
            text: if is_markdown {
                Text::Html(Html::of_markdown(&document.text))
            } else {
                Text::Plain(plain_text(&document.text).into_owned())
            },
        }))
    }
}

fn not_there(state: &str) -> Problem {
    Problem {
        message: format!("this puzzle has no state `{}`, or that has no document", one_line(state)),
        allowed: Vec::new(),
        next: "The page of the puzzle shows its states.".to_owned(),
    }
}
