//! Rules of notices: once each, on each way for itself, and left alone in quiet hours.

mod delivery;
mod outbox;
#[cfg(unix)]
mod programs;
pub(super) mod support;
mod webhooks;
