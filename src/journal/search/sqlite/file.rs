//! The file of the search index: opened, or deleted and begun again.

use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::journal::Cause;
use crate::journal::error::cause;
use crate::journal::sqlite::with_ending;
use crate::platform;

/// Another format is not brought up to date: the index is made again.
const FORMAT: i64 = 1;

const BUSY: Duration = Duration::from_secs(5);

/// `synchronous=NORMAL`: after a power cut the newest texts may be missing. They are added again from the log.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA secure_delete = ON;
";

/// Texts are folded before they come here, so that case needs no further thought.
const TABLES: &str = "
    BEGIN IMMEDIATE;
    CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'trigram case_sensitive 1', detail = none);
    PRAGMA user_version = 1;
    COMMIT;
";

/// The index cannot be used now: its disk is full, read-only or broken. The file may be sound.
pub(super) struct OutOfReach(pub(super) Cause);

/// Opens the index, makes one where none is, and begins again where it cannot be used as it is.
pub(super) fn open(path: &Path) -> Result<Connection, OutOfReach> {
    platform::create_private_file(path).map_err(|error| OutOfReach(cause(error)))?;
    match try_to_open(path) {
        Err(error) if is_out_of_reach(&error) => Err(OutOfReach(cause(error))),
        Err(_) => begin_again(path),
        Ok(connection) => Ok(connection),
    }
}

/// Folds the log into the file, and empties it.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
}

/// Deletes the file, and makes an empty index.
pub(super) fn begin_again(path: &Path) -> Result<Connection, OutOfReach> {
    delete(path).map_err(|error| OutOfReach(cause(error)))?;
    platform::create_private_file(path).map_err(|error| OutOfReach(cause(error)))?;
    try_to_open(path).map_err(|error| OutOfReach(cause(error)))
}

/// Deletes the file, and what SQLite keeps beside it.
pub(super) fn delete(path: &Path) -> io::Result<()> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        match std::fs::remove_file(with_ending(path, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn try_to_open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Whether an error says nothing of what is in the file.
fn is_out_of_reach(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    code.is_some_and(|code| {
        matches!(
            code,
            ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::OutOfMemory
        )
    })
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(SETTINGS)?;
    match connection.query_row("PRAGMA user_version", (), |row| row.get(0))? {
        FORMAT => {
            connection.execute_batch("SELECT id FROM streams LIMIT 1; SELECT rowid FROM texts LIMIT 1;")
        }
        _ => connection.execute_batch(TABLES),
    }
}
