//! Rows of the journal: written, found, and checked when they are read.

use chrono::{DateTime, Utc};
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use super::is_damage;
use super::writer::Append;
use crate::journal::place::Rows;
use crate::journal::{AppendError, JournalError, Recorded, StreamId, Version};

/// Appends, inside a transaction of the caller. The outer error means that nothing can be said of the
/// transaction any more, the inner one that this append changed nothing.
pub(super) fn append(
    connection: &Connection,
    append: &Append,
) -> rusqlite::Result<Result<Version, AppendError>> {
    let known = stream_rows(connection, &append.stream)?;
    let actual = known.map_or(Ok(Version::EMPTY), |rows| end_of(connection, rows))?;
    if actual != append.expected {
        return Ok(Err(AppendError::Conflict { actual }));
    }
    if append.events.is_empty() {
        return Ok(Ok(actual));
    }
    let rows = known.map_or_else(|| new_stream(connection, &append.stream), Ok)?;
    let mut insert = connection
        .prepare_cached("INSERT INTO events (place, at, kind, checksum, body) VALUES (?1, ?2, ?3, ?4, ?5)")?;
    let mut version = actual;
    for event in &append.events {
        version = version.plus(1);
        let place = rows.key(version.0).ok_or_else(no_number_left)?;
        let checksum = checksum(&append.stream, version, append.at, event.kind().as_bytes(), event.body());
        insert.execute(params![place, append.at, event.kind(), checksum, event.body()])?;
    }
    Ok(Ok(version))
}

/// Removes a stream, inside a transaction of the caller; gives how many events it had.
pub(super) fn erase(connection: &Connection, stream: &StreamId) -> rusqlite::Result<u64> {
    let Some(rows) = stream_rows(connection, stream)? else { return Ok(0) };
    let keys = rows.keys_before(u64::MAX);
    let erased = connection
        .execute("DELETE FROM events WHERE place BETWEEN ?1 AND ?2", params![keys.start(), keys.end()])?;
    connection.execute("DELETE FROM streams WHERE name = ?1", [stream.as_str()])?;
    Ok(erased as u64)
}

/// Reads events, each checked.
pub(super) fn read(
    connection: &Connection,
    stream: &StreamId,
    after: Version,
    limit: usize,
) -> Result<Vec<Recorded>, JournalError> {
    let mut events = Vec::new();
    read_into(&mut events, connection, stream, after, limit).map_err(|failure| {
        let damaged = |detail| JournalError::Damaged {
            stream: stream.clone(),
            version: after.plus(events.len() + 1),
            detail,
        };
        match failure {
            Failure::Damaged(detail) => damaged(detail.to_owned()),
            Failure::Sqlite(error) if is_damage(&error) => damaged(error.to_string()),
            Failure::Sqlite(error) => JournalError::unavailable(error),
        }
    })?;
    Ok(events)
}

/// All streams of the file. A name that is no stream id belongs to nobody.
pub(super) fn streams(connection: &Connection) -> rusqlite::Result<Vec<StreamId>> {
    let mut select = connection.prepare_cached("SELECT name FROM streams ORDER BY id")?;
    let names = select.query_map((), |row| row.get::<_, String>(0))?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
    Ok(names.iter().filter_map(|name| StreamId::parse(name).ok()).collect())
}

enum Failure {
    Damaged(&'static str),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn read_into(
    events: &mut Vec<Recorded>,
    connection: &Connection,
    stream: &StreamId,
    after: Version,
    limit: usize,
) -> Result<(), Failure> {
    let Some(rows) = stream_rows(connection, stream)? else { return Ok(()) };
    let Some(keys) = rows.keys_from(after.plus(1).0) else { return Ok(()) };
    let mut select = connection.prepare_cached(
        "SELECT place, at, kind, checksum, body FROM events WHERE place BETWEEN ?1 AND ?2 ORDER BY place LIMIT ?3",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut found = select.query(params![keys.start(), keys.end(), limit])?;
    while let Some(row) = found.next()? {
        let version = after.plus(events.len() + 1);
        if rows.number(row.get(0)?) != version.0 {
            return Err(Failure::Damaged("the event is missing"));
        }
        events.push(checked(row, stream, version)?);
    }
    Ok(())
}

/// One event, if it is what was written.
fn checked(row: &Row<'_>, stream: &StreamId, version: Version) -> Result<Recorded, Failure> {
    let at: i64 = row.get(1)?;
    let (ValueRef::Text(kind), ValueRef::Blob(body)) = (row.get_ref(2)?, row.get_ref(4)?) else {
        return Err(Failure::Damaged("kind and body are not text and bytes"));
    };
    if row.get::<_, i64>(3)? != checksum(stream, version, at, kind, body) {
        return Err(Failure::Damaged("the checksum differs"));
    }
    let kind = std::str::from_utf8(kind).map_err(|_| Failure::Damaged("its kind is no text"))?;
    let at = DateTime::<Utc>::from_timestamp_micros(at).ok_or(Failure::Damaged("its time is no time"))?;
    Ok(Recorded { version, kind: kind.to_owned(), at, body: body.to_owned() })
}

fn stream_rows(connection: &Connection, stream: &StreamId) -> rusqlite::Result<Option<Rows>> {
    let mut select = connection.prepare_cached("SELECT id FROM streams WHERE name = ?1")?;
    let id: Option<i64> = select.query_row([stream.as_str()], |row| row.get(0)).optional()?;
    let damaged = || rusqlite::Error::InvalidColumnType(0, "id".to_owned(), Type::Integer);
    id.map(|id| Rows::of(id).ok_or_else(damaged)).transpose()
}

fn new_stream(connection: &Connection, stream: &StreamId) -> rusqlite::Result<Rows> {
    let mut insert = connection.prepare_cached("INSERT INTO streams (name) VALUES (?1)")?;
    insert.execute([stream.as_str()])?;
    Rows::of(connection.last_insert_rowid()).ok_or_else(no_number_left)
}

fn end_of(connection: &Connection, rows: Rows) -> rusqlite::Result<Version> {
    let Some(keys) = rows.keys_from(1) else { return Ok(Version::EMPTY) };
    let mut select = connection.prepare_cached(
        "SELECT place FROM events WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC LIMIT 1",
    )?;
    let last = select.query_row([keys.start(), keys.end()], |row| row.get(0)).optional()?;
    Ok(Version(last.map_or(0, |key| rows.number(key))))
}

/// The file would need more streams, or a stream more events, than have numbers (billions).
fn no_number_left() -> rusqlite::Error {
    rusqlite::Error::IntegralValueOutOfRange(0, i64::MAX)
}

/// Covers the place of the event as well as its content, so that a row which was moved is noticed too. It
/// guards against broken disks, not against people; eight bytes are plenty.
fn checksum(stream: &StreamId, version: Version, at: i64, kind: &[u8], body: &[u8]) -> i64 {
    let mut hash = Sha256::new();
    for field in [stream.as_str().as_bytes(), kind] {
        hash.update(field);
        hash.update([0]);
    }
    hash.update(version.0.to_be_bytes());
    hash.update(at.to_be_bytes());
    hash.update(body);
    let hash = hash.finalize();
    let mut start = [0; 8];
    start.copy_from_slice(&hash[..8]);
    i64::from_be_bytes(start)
}
