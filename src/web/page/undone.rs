//! Why nothing was done of what a person wanted of a task or a puzzle.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Json, Response};
use serde_json::json;

use super::acts::LET_IN_ANEW;
use super::fill;
use super::tasks::agent_problem;
use super::view::Problem;
use crate::hub::HubError;
use crate::puzzle::Refusal;
use crate::transcript::one_line;

/// Why nothing was done.
pub(super) enum Undone {
    Hub(HubError),
    /// The form is not filled in as it must be.
    Form(Problem),
    /// Only a person does this, and nobody vouches for this one.
    NotVerified,
}

impl From<HubError> for Undone {
    fn from(error: HubError) -> Self {
        Self::Hub(error)
    }
}

impl Undone {
    pub(super) fn form(message: &str, next: &str) -> Self {
        Self::Form(Problem { message: message.to_owned(), allowed: Vec::new(), next: next.to_owned() })
    }

    /// The stable code.
    fn code(&self) -> &'static str {
        match self {
            Self::Hub(error) => error.code(),
            Self::Form(_) => "validation_error",
            Self::NotVerified => "not_verified",
        }
    }

    /// How far it all was by then, if others have acted since the person looked.
    fn version(&self) -> Option<u64> {
        match self {
            Self::Hub(HubError::TaskMovedOn { actual, .. }) => Some(*actual),
            Self::Hub(HubError::Puzzle { refusal: Refusal::VersionConflict { version, .. }, .. }) => {
                Some(*version)
            }
            Self::Hub(_) | Self::Form(_) | Self::NotVerified => None,
        }
    }

    /// For the person in front of the page.
    pub(super) fn problem(self) -> Problem {
        match self {
            Self::Form(problem) => problem,
            Self::NotVerified => Problem {
                message: "Nothing was started: only a person starts agents, and this page cannot show that you are \
                          one."
                    .to_owned(),
                allowed: Vec::new(),
                next: LET_IN_ANEW.to_owned(),
            },
            Self::Hub(HubError::NotStarted(why)) => agent_problem(&why),
            Self::Hub(HubError::TaskMovedOn { expected, actual, since, .. }) => {
                let came: Vec<_> = since.iter().map(fill::record_line).collect();
                let known = u64::try_from(since.len()).unwrap_or(u64::MAX).saturating_add(expected);
                let more = actual.saturating_sub(known);
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                Problem {
                    message: format!(
                        "Nothing was done: {}{more} came in after what you saw.",
                        came.join(", ")
                    ),
                    allowed: Vec::new(),
                    next: "Read it, then decide again. Your reason is kept.".to_owned(),
                }
            }
            Self::Hub(HubError::Puzzle { refusal: Refusal::VersionConflict { state, .. }, .. }) => Problem {
                message: format!(
                    "Nothing was done: something has happened after what you saw. The puzzle is in `{}` now.",
                    one_line(&state)
                ),
                allowed: Vec::new(),
                next: "Look what can be done now, and act again.".to_owned(),
            },
            Self::Hub(error) => fill::problem(error),
        }
    }

    /// For the script.
    pub(super) fn into_json(self) -> Response {
        let (code, version) = (self.code(), self.version());
        let Problem { message, allowed, next } = self.problem();
        let mut error = json!({ "code": code, "message": message, "next": next });
        if !allowed.is_empty() {
            error["allowed"] = json!(allowed);
        }
        // What the form is about from now on: its reader has been told.
        if let Some(version) = version {
            error["version"] = json!(version);
        }
        (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "error": error }))).into_response()
    }
}
