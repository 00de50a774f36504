//! The search index in a SQLite file of its own, with FTS5.
//!
//! The index knows which runs of three characters occur in which text, and not where (that halves the file).
//! So it names the texts that may match; each of them is then looked at. Words of less than three characters
//! are in no such run: a query of only such words looks at all texts, the newest first, until enough are
//! found.
//!
//! A file that is damaged, or of another format, is deleted and begun again.

mod file;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params, params_from_iter};

use super::{Document, SearchError, SearchIndex, Words, fold};
use crate::journal::error::cause;
use crate::journal::place::Rows;
use crate::journal::{StreamId, is_damage};

/// A query may be a whole page; this many of its trigrams are enough to find the few texts to look at.
const MOST_TRIGRAMS: usize = 48;
const TRIGRAM: usize = 3;

/// Deletes the file of an index that no hub uses. It is made again from the log.
pub fn discard(path: &Path) -> io::Result<()> {
    file::delete(path)
}

/// The search index in a SQLite file.
#[derive(Debug)]
pub struct SqliteSearch {
    index: Arc<Mutex<Index>>,
}

#[derive(Debug)]
struct Index {
    path: PathBuf,
    /// `None` while it cannot be used, for example on a full disk.
    connection: Option<Connection>,
}

impl SqliteSearch {
    /// Opens the index in this file; begins an empty one if there is none, or if it cannot be used as it is.
    /// Where its disk does not allow that now, it is tried again when somebody searches. Blocks for some
    /// milliseconds.
    #[must_use]
    pub fn open(path: &Path) -> Self {
        let mut index = Index { path: path.to_owned(), connection: None };
        if let Err(error) = index.open() {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, path = %path.display(), "messages cannot be searched now");
        }
        Self { index: Arc::new(Mutex::new(index)) }
    }

    /// Runs on a thread that may block.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, SearchError> {
        let index = Arc::clone(&self.index);
        let running = tokio::task::spawn_blocking(move || {
            index.lock().unwrap_or_else(PoisonError::into_inner).run(work)
        });
        running.await.map_err(unavailable)?
    }
}

#[async_trait]
impl SearchIndex for SqliteSearch {
    async fn add(&self, documents: Vec<Document>) -> Result<(), SearchError> {
        self.run(move |connection| add(connection, &documents)).await
    }

    async fn indexed(&self, stream: &StreamId) -> Result<u64, SearchError> {
        let stream = stream.clone();
        self.run(move |connection| indexed(connection, &stream)).await
    }

    async fn forget(&self, stream: &StreamId) -> Result<(), SearchError> {
        let stream = stream.clone();
        self.run(move |connection| forget(connection, &stream)).await
    }

    async fn find(
        &self,
        stream: &StreamId,
        query: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<u64>, SearchError> {
        let (stream, words) = (stream.clone(), Words::of(query));
        if words.is_empty() {
            return Ok(Vec::new());
        }
        self.run(move |connection| find(connection, &stream, &words, before, limit)).await
    }
}

impl Index {
    fn run<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SearchError> {
        let connection = self.open()?;
        let done = close_transaction(connection).and_then(|()| work(connection));
        done.map_err(|error| if is_beyond_repair(&error) { self.begin_again() } else { unavailable(error) })
    }

    fn open(&mut self) -> Result<&mut Connection, SearchError> {
        match &mut self.connection {
            Some(connection) => Ok(connection),
            none => {
                let opened = file::open(&self.path);
                Ok(none
                    .insert(opened.map_err(|file::OutOfReach(source)| SearchError::Unavailable { source })?))
            }
        }
    }

    fn begin_again(&mut self) -> SearchError {
        tracing::warn!(path = %self.path.display(), "the search index is damaged; it is made again");
        // Closed first, so that the file can be deleted everywhere.
        self.connection = None;
        match file::begin_again(&self.path) {
            Ok(connection) => {
                self.connection = Some(connection);
                SearchError::Emptied
            }
            Err(file::OutOfReach(source)) => SearchError::Unavailable { source },
        }
    }
}

/// Ends a transaction that could not even be rolled back when it failed.
fn close_transaction(connection: &Connection) -> rusqlite::Result<()> {
    if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("ROLLBACK") }
}

fn add(connection: &mut Connection, documents: &[Document]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut insert =
            transaction.prepare_cached("INSERT OR REPLACE INTO texts (rowid, text) VALUES (?1, ?2)")?;
        for document in documents {
            let known = stream_rows(&transaction, &document.stream)?;
            let rows = known.map_or_else(|| new_stream(&transaction, &document.stream), Ok)?;
            let key = rows.key(document.seq).ok_or_else(no_number_left)?;
            insert.execute(params![key, fold(&document.text)])?;
        }
    }
    transaction.commit()
}

/// Removes texts. FTS5 only marks them as gone; it is made to write what is left anew.
fn forget(connection: &mut Connection, stream: &StreamId) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let Some(rows) = stream_rows(&transaction, stream)? else { return Ok(()) };
    let keys = rows.keys_before(u64::MAX);
    transaction
        .execute("DELETE FROM texts WHERE rowid BETWEEN ?1 AND ?2", params![keys.start(), keys.end()])?;
    transaction.execute("INSERT INTO texts (texts) VALUES ('optimize')", ())?;
    transaction.execute("DELETE FROM streams WHERE name = ?1", [stream.as_str()])?;
    transaction.commit()?;
    file::empty_log(connection)
}

fn indexed(connection: &Connection, stream: &StreamId) -> rusqlite::Result<u64> {
    let Some(rows) = stream_rows(connection, stream)? else { return Ok(0) };
    let keys = rows.keys_before(u64::MAX);
    let mut select = connection.prepare_cached(
        "SELECT rowid FROM texts WHERE rowid BETWEEN ?1 AND ?2 ORDER BY rowid DESC LIMIT 1",
    )?;
    let last = select.query_row([keys.start(), keys.end()], |row| row.get(0)).optional()?;
    Ok(last.map_or(0, |key| rows.number(key)))
}

fn find(
    connection: &Connection,
    stream: &StreamId,
    words: &Words,
    before: Option<u64>,
    limit: usize,
) -> rusqlite::Result<Vec<u64>> {
    let Some(rows) = stream_rows(connection, stream)? else { return Ok(Vec::new()) };
    let keys = rows.keys_before(before.unwrap_or(u64::MAX));
    let candidates = candidates(words);
    let matching = if candidates.is_some() { "texts MATCH ?3 AND" } else { "" };
    let mut select = connection.prepare_cached(&format!(
        "SELECT rowid, text FROM texts WHERE {matching} rowid BETWEEN ?1 AND ?2 ORDER BY rowid DESC"
    ))?;
    let bounds = [*keys.start(), *keys.end()].map(Value::from);
    let mut found = select.query(params_from_iter(bounds.into_iter().chain(candidates.map(Value::from))))?;
    let mut numbers = Vec::new();
    while numbers.len() < limit
        && let Some(row) = found.next()?
    {
        if words.occur_in(row.get_ref(1)?.as_str()?) {
            numbers.push(rows.number(row.get(0)?));
        }
    }
    Ok(numbers)
}

/// An FTS5 query for all texts that may match. Each trigram is quoted, so that none of it is syntax. `None`:
/// all words are short.
fn candidates(words: &Words) -> Option<String> {
    let mut trigrams = Vec::new();
    for word in &words.0 {
        let chars: Vec<char> = word.chars().take(MOST_TRIGRAMS + TRIGRAM).collect();
        trigrams
            .extend(chars.windows(TRIGRAM).map(|run| run.iter().collect::<String>().replace('"', "\"\"")));
    }
    trigrams.truncate(MOST_TRIGRAMS);
    (!trigrams.is_empty()).then(|| format!("\"{}\"", trigrams.join("\" AND \"")))
}

fn stream_rows(connection: &Connection, stream: &StreamId) -> rusqlite::Result<Option<Rows>> {
    let mut select = connection.prepare_cached("SELECT id FROM streams WHERE name = ?1")?;
    let id: Option<i64> = select.query_row([stream.as_str()], |row| row.get(0)).optional()?;
    Ok(id.and_then(Rows::of))
}

fn new_stream(connection: &Connection, stream: &StreamId) -> rusqlite::Result<Rows> {
    let mut insert = connection.prepare_cached("INSERT OR REPLACE INTO streams (name) VALUES (?1)")?;
    insert.execute([stream.as_str()])?;
    Rows::of(connection.last_insert_rowid()).ok_or_else(no_number_left)
}

fn no_number_left() -> rusqlite::Error {
    rusqlite::Error::IntegralValueOutOfRange(0, i64::MAX)
}

fn is_beyond_repair(error: &rusqlite::Error) -> bool {
    is_damage(error) || error.sqlite_error_code() == Some(ErrorCode::NotADatabase)
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> SearchError {
    SearchError::Unavailable { source: cause(error) }
}
