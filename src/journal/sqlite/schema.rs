//! The tables of the journal, and how its file is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::{Cause, OpenError, is_damage};
use crate::journal::error::cause;
use crate::platform;

/// Marks the file as ours: `TuRo`.
const APPLICATION_ID: i64 = 0x5475_526f;

/// How a file of each format becomes one of the next. A new format is one more step at the end.
const STEPS: [&str; 1] = ["
    CREATE TABLE streams (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE events (
        place INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT;
    PRAGMA application_id = 0x5475526f;
"];

/// So much space is needed beside the file, at least.
const SHARED_MEMORY: u64 = 64 << 10;

/// How long to wait for another program that has the file locked, such as a person's SQLite shell.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// `synchronous=FULL`: every commit is on the disk before it is answered; `fullfsync` makes that true on
/// macOS as well. The log is folded into the file every 2 MB: a commit that has to do it takes a few
/// milliseconds more. After a burst the log shrinks to 16 MB. `secure_delete`: what is erased is overwritten, not only
/// forgotten; nothing else is ever deleted.
const WRITER: &str = "
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA wal_autocheckpoint = 512;
    PRAGMA journal_size_limit = 16777216;
    PRAGMA cache_size = -8192;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA secure_delete = ON;
";

const READER: &str = "
    PRAGMA query_only = ON;
    PRAGMA cache_size = -2048;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
";

/// Opens the file for the writer, and brings it to the newest format.
pub(super) fn open(path: &Path) -> Result<Connection, OpenError> {
    let unavailable = |source: Cause| OpenError::Unavailable { path: path.to_owned(), source };
    if is_emptied(path) {
        return Err(OpenError::Emptied { path: path.to_owned() });
    }
    platform::create_private_file(path).map_err(|error| unavailable(cause(error)))?;
    prepare(path).map_err(|failure| match failure {
        Failure::Refused(error) => error,
        Failure::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            OpenError::NotAJournal { path: path.to_owned() }
        }
        Failure::Sqlite(error) if is_damage(&error) => {
            OpenError::Damaged { path: path.to_owned(), source: cause(error) }
        }
        Failure::Sqlite(error) if is_full(&error) || has_no_space(path) => {
            OpenError::Full { path: path.to_owned() }
        }
        Failure::Sqlite(error) => unavailable(cause(error)),
    })
}

/// SQLite would take the log of an empty file for a left-over, and remove it.
fn is_emptied(path: &Path) -> bool {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    size(path) == 0 && size(Path::new(&log)) > 0
}

fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

/// SQLite calls it an error of the disk when there is no space for the memory that its processes share.
fn has_no_space(path: &Path) -> bool {
    platform::disk::space(path).is_ok_and(|space| space.free < SHARED_MEMORY)
}

/// Opens the file for somebody who wants to see what is left of it, and changes nothing.
///
/// Without a log beside it nobody has it open, and it is read as it is; so no file is made beside it, and a disk
/// that is full or read-only is no hindrance.
pub(super) fn open_what_is_left(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let has_log = std::fs::metadata(with_ending(path, "-wal")).is_ok_and(|log| log.len() > 0);
    let connection = if has_log {
        Connection::open_with_flags(path, flags)?
    } else {
        let uri = format!("file:{}?immutable=1", uri_path(path));
        Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?
    };
    connection.busy_timeout(BUSY)?;
    // First of all, since otherwise SQLite refuses a file that is shorter than it was.
    connection.execute_batch("PRAGMA writable_schema = ON")?;
    connection.execute_batch(READER)?;
    Ok(connection)
}

fn uri_path(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

/// Folds the log into the file, and empties it, unless a reader needs it just now: nobody waits for one. Gives whether it
/// is empty.
pub(super) fn empty_log(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(Duration::ZERO)?;
    let is_held_up = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0));
    connection.busy_timeout(BUSY)?;
    is_held_up.map(|is_held_up| !is_held_up)
}

/// The name of a file that SQLite keeps beside its own.
pub(in crate::journal) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Opens the file for a reader. The writer has opened it before.
pub(super) fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(READER)?;
    Ok(connection)
}

enum Failure {
    Refused(OpenError),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn prepare(path: &Path) -> Result<Connection, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    let found = format_of(&connection, path)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0))?;
    if mode != "wal" {
        return Err(Failure::Refused(OpenError::NotLocal { path: path.to_owned() }));
    }
    connection.execute_batch(WRITER)?;
    migrate(&mut connection, found)?;
    Ok(connection)
}

/// How many of the steps the file has behind it.
fn format_of(connection: &Connection, path: &Path) -> Result<usize, Failure> {
    let number = |pragma: &str| connection.query_row(pragma, (), |row| row.get::<_, i64>(0));
    let found = number("PRAGMA user_version")?;
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    let is_ours = number("PRAGMA application_id")? == APPLICATION_ID && found > 0;
    match usize::try_from(found) {
        Ok(0) if is_empty => Ok(0),
        Ok(known) if is_ours && known <= STEPS.len() => Ok(known),
        Ok(newer) if is_ours => Err(Failure::Refused(OpenError::Newer {
            path: path.to_owned(),
            found: u32::try_from(newer).unwrap_or(u32::MAX),
            known: u32::try_from(STEPS.len()).unwrap_or(u32::MAX),
        })),
        _ => Err(Failure::Refused(OpenError::NotAJournal { path: path.to_owned() })),
    }
}

fn migrate(connection: &mut Connection, found: usize) -> rusqlite::Result<()> {
    if found == STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in &STEPS[found..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len().to_string())?;
    transaction.commit()
}
