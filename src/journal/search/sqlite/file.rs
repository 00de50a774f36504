//! The file of the search index: opened, or deleted and begun again.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::journal::Cause;
use crate::journal::error::cause;
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
";

/// Texts are folded before they come here, so that case needs no further thought.
const TABLES: &str = "
    BEGIN IMMEDIATE;
    CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'trigram case_sensitive 1', detail = none);
    PRAGMA user_version = 1;
    COMMIT;
";

/// Opens the index, or makes one where none is. An error: it cannot be used as it is.
pub(super) fn open(path: &Path) -> Result<Connection, Cause> {
    platform::create_private_file(path).map_err(cause)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(cause)?;
    connection.busy_timeout(BUSY).map_err(cause)?;
    set_up(&connection).map_err(cause)?;
    Ok(connection)
}

/// Deletes the file, and makes an empty index.
pub(super) fn begin_again(path: &Path) -> Result<Connection, Cause> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        match std::fs::remove_file(with_ending(path, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cause(error)),
            _ => {}
        }
    }
    open(path)
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

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
