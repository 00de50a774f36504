//! What a client is told when no tool has answered.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal in the form of every other error.
pub(super) fn refusal(status: StatusCode, code: &str, message: &str, next: &str) -> Response {
    (status, Json(json!({"error": {"code": code, "message": message, "next": next}}))).into_response()
}

/// A limit of the hub is reached; `setting` raises it.
pub(super) fn limit_reached(what: &str, limit: usize, setting: &str) -> Response {
    let message = format!("{what}: at most {limit}");
    let next = format!("end some, and try again; a person can raise `{setting}` in [limits] of config.toml");
    refusal(StatusCode::SERVICE_UNAVAILABLE, "limit_reached", &message, &next)
}
