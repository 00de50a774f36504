//! Addresses that cannot be read: they are answered with a page of ours.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use super::problem_page;
use super::view::Problem;

/// A part of an address: its path or its query.
pub(super) struct Readable<P>(pub(super) P);

impl<S, P> FromRequestParts<S> for Readable<P>
where
    S: Send + Sync,
    P: FromRequestParts<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let read = P::from_request_parts(parts, state).await;
        read.map(Self).map_err(|rejection| {
            let problem = Problem {
                message: "this address makes no sense".to_owned(),
                allowed: Vec::new(),
                next: "The first page leads to everything.".to_owned(),
            };
            problem_page(rejection.into_response().status(), "No such page", problem)
        })
    }
}
