//! Streams, versions and events, as the journal sees them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};
use serde::Serialize;

use super::{AppendError, MAX_APPEND_BYTES};

const MAX_STREAM_ID_BYTES: usize = 200;

/// Which stream: `rooms`, or `room/<id>`.
///
/// **Invariant (stream ids are plain):** 1 to 200 of `a-z`, `0-9`, `/`, `_`, `-`. So one is safe in a query, a
/// subject, or a line of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(Arc<str>);

/// The text is no stream id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no stream id; use 1 to {MAX_STREAM_ID_BYTES} of `a-z`, `0-9`, `/`, `_`, `-`")]
pub struct InvalidStreamId(String);

impl StreamId {
    /// Reads a stream id.
    pub fn parse(text: &str) -> Result<Self, InvalidStreamId> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/_-".contains(&byte);
        if (1..=MAX_STREAM_ID_BYTES).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidStreamId(text.chars().take(MAX_STREAM_ID_BYTES).collect()))
        }
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// How many events a stream has, and so the number of its last one. 0: it is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub u64);

impl Version {
    /// The version of an empty stream.
    pub const EMPTY: Self = Self(0);

    /// The version after `count` more events.
    #[must_use]
    pub fn plus(self, count: usize) -> Self {
        Self(self.0.saturating_add(u64::try_from(count).unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// An event that shall be appended.
#[derive(Clone, Debug)]
pub struct NewEvent {
    kind: Cow<'static, str>,
    body: Vec<u8>,
}

impl NewEvent {
    /// An event of this kind, with this body as JSON. It is written to bytes here, once, by the caller's own
    /// thread, and not by the one writer on which all wait.
    pub fn new(
        kind: impl Into<Cow<'static, str>>,
        body: &(impl Serialize + ?Sized),
    ) -> Result<Self, serde_json::Error> {
        Ok(Self { kind: kind.into(), body: serde_json::to_vec(body)? })
    }

    /// An event that was read from another journal.
    pub(super) fn stored(kind: String, body: Vec<u8>) -> Self {
        Self { kind: kind.into(), body }
    }

    /// What kind of event.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The body, as JSON.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// How many bytes it counts against [`MAX_APPEND_BYTES`].
    pub(super) fn size(&self) -> usize {
        self.kind.len() + self.body.len()
    }

    /// The event as it reads once it is stored.
    pub(super) fn into_recorded(self, version: Version, at: DateTime<Utc>) -> Recorded {
        Recorded { version, kind: self.kind.into_owned(), at, body: self.body }
    }
}

/// An event of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its number in its stream, from 1.
    pub version: Version,
    /// What kind of event.
    pub kind: String,
    /// When it was appended.
    pub at: DateTime<Utc>,
    /// Its body, as JSON.
    pub body: Vec<u8>,
}

/// What a subscriber is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// Events were appended to a stream.
    Events {
        /// The stream.
        stream: StreamId,
        /// Its version since then.
        version: Version,
    },
    /// The subscriber was too slow, and has missed announcements of any stream.
    Lagged,
}

/// How many bytes the events have; refused if that is too much for one append.
pub(super) fn checked_size(events: &[NewEvent]) -> Result<usize, AppendError> {
    let size = events.iter().map(NewEvent::size).sum();
    if size > MAX_APPEND_BYTES {
        return Err(AppendError::TooLarge { size, limit: MAX_APPEND_BYTES });
    }
    Ok(size)
}

/// A time as precise as the journal keeps it.
pub(super) fn kept(at: DateTime<Utc>) -> DateTime<Utc> {
    at.trunc_subsecs(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_ids_are_plain() {
        for good in ["rooms", "room/0f8fad5b-d9cb-469f-a165-70867728950e", "a_b", &"x".repeat(200)] {
            assert_eq!(StreamId::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "Room", "room 1", "room.1", "room/é", "a\0b", "a\nb", &"x".repeat(201)] {
            assert!(StreamId::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_append_that_is_too_large_is_refused_with_the_limit() {
        let half = NewEvent::new("x".repeat(MAX_APPEND_BYTES / 2), &()).unwrap();
        assert!(checked_size(std::slice::from_ref(&half)).is_ok());
        let refused = checked_size(&[half.clone(), half]).unwrap_err();
        assert!(matches!(refused, AppendError::TooLarge { limit: MAX_APPEND_BYTES, .. }), "{refused}");
    }
}
