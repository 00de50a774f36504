//! Adding a puzzle from the page.

use axum::extract::{Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::Value;

use super::LIST;
use crate::hub::{AddPuzzle, HubError};
use crate::secret;
use crate::web::page::acts::{Fields, by};
use crate::web::page::view::{Html, NewPuzzle, NewPuzzlePage, Problem};
use crate::web::page::{Page, fill, puzzle_path, shown};

/// A machine to begin with.
const EXAMPLE: &str = include_str!("example.json");

/// The form that adds a puzzle.
pub(in crate::web::page) async fn form(State(page): State<Page>) -> Response {
    let form = NewPuzzle { request_id: secret::id(), ..NewPuzzle::default() };
    shown(&page.new_puzzle(form, None, Vec::new()).await)
}

/// Adds the puzzle of a form.
pub(in crate::web::page) async fn start(
    State(page): State<Page>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let given =
        |name: &str| fields.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let machine: Result<Value, _> = serde_json::from_str(fields.get("machine").map_or("", String::as_str));
    let (problem, faults) = match machine {
        Err(error) => (not_json(&error), Vec::new()),
        Ok(config) => {
            let request = AddPuzzle {
                config,
                name: given("name"),
                by: Some(by(&fields)),
                room: given("room"),
                request_id: given("request_id"),
            };
            match page.hub.add_puzzle(&page.caller(&headers), request).await {
                Ok(added) => {
                    let odd = if added.warnings.is_empty() { "" } else { "?added=yes" };
                    return Redirect::to(&format!("{}{odd}", puzzle_path(&added.state.puzzle)))
                        .into_response();
                }
                Err(error) => refused(error),
            }
        }
    };
    let view = page.new_puzzle(NewPuzzle::of(&fields), Some(problem), faults).await;
    (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response()
}

/// Why it is not added; what is wrong with its machine stands below the field.
fn refused(error: HubError) -> (Problem, Vec<(String, Html)>) {
    let faults = match &error {
        HubError::Puzzle { refusal, .. } => fill::faults(refusal),
        _ => Vec::new(),
    };
    if faults.is_empty() {
        return (fill::problem(error), faults);
    }
    let number = if faults.len() == 1 { "1 fault".to_owned() } else { format!("{} faults", faults.len()) };
    let problem = Problem {
        message: format!("The machine has {number}."),
        allowed: Vec::new(),
        next: "Mend what is named below the field, and add it again.".to_owned(),
    };
    (problem, faults)
}

fn not_json(error: &serde_json::Error) -> Problem {
    Problem {
        message: format!("This is no JSON: {error}."),
        allowed: Vec::new(),
        next: "What you wrote is kept; mend it, and add it again.".to_owned(),
    }
}

impl Page {
    async fn new_puzzle(
        &self,
        form: NewPuzzle,
        problem: Option<Problem>,
        faults: Vec<(String, Html)>,
    ) -> NewPuzzlePage {
        let mut frame = self.frame_of("add a puzzle", LIST).await;
        frame.problem = problem;
        let waiting = fill::waiting(&self.hub.inbox().await);
        NewPuzzlePage { frame, waiting, form, faults, example: EXAMPLE }
    }
}

impl NewPuzzle {
    /// The form as it was filled in.
    fn of(fields: &Fields) -> Self {
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        Self { machine: text("machine"), name: text("name"), room: text("room"), request_id: secret::id() }
    }
}
