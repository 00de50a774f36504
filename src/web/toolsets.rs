//! Which tools a client wants to be shown: `?toolsets=room` in the address that it was given.

use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use serde::Deserialize;

use super::refusal::refusal;
use crate::mcp::Toolsets;

#[derive(Deserialize)]
struct Wish {
    toolsets: Option<String>,
}

/// The toolsets that an address names; nothing if it names none.
pub(super) fn wish(address: &Uri) -> Result<Option<Toolsets>, Box<Response>> {
    let Ok(Query(Wish { toolsets: Some(named) })) = Query::try_from_uri(address) else { return Ok(None) };
    named.parse().map(Some).map_err(|error: crate::mcp::UnknownToolset| {
        let next = "correct `toolsets` in the URL, or leave it out";
        Box::new(refusal(StatusCode::BAD_REQUEST, "invalid_argument", &error.to_string(), next))
    })
}
