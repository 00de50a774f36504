//! A copy of the whole journal in a new file, for a backup: made beside a hub that goes on writing, or without one.

use std::fs::File;
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use tempfile::TempPath;

use super::schema;
use crate::journal::CopyError;
use crate::journal::error::cause;

/// Writes all that the journal in `path` holds by now into the new file `file`; gives its length in bytes. Blocks
/// until the copy is on its disk.
///
/// The file appears under its name when it is whole, for this user only, and never in the place of another. Pages
/// that hold nothing any more are left out.
///
/// # Errors
/// If something has that name, if the copy cannot be written, or if the journal is damaged.
pub fn copy(path: &Path, file: &Path) -> Result<u64, CopyError> {
    let unwritable = |error: io::Error| CopyError::Unwritable { path: file.to_owned(), source: cause(error) };
    if std::fs::symlink_metadata(file).is_ok() {
        return Err(CopyError::Exists(file.to_owned()));
    }
    let connection = open(path).map_err(|error| CopyError::Unreadable { source: cause(error) })?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = tempfile::Builder::new().prefix(".turnroom-").suffix(".new").tempfile_in(folder);
    let new = new.map_err(unwritable)?.into_temp_path();
    let filled = fill(&connection, &new).map_err(|error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => unwritable(io::ErrorKind::StorageFull.into()),
        _ => CopyError::Unreadable { source: cause(error) },
    });
    filled?;
    put_in_place(new, folder, file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CopyError::Exists(file.to_owned()),
        _ => unwritable(error),
    })
}

/// Unlike any other reader it may write: not into the journal, but into the copy.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(schema::BUSY)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

/// One transaction that reads: it sees the journal as it is now, and holds up no writer.
fn fill(connection: &Connection, new: &Path) -> rusqlite::Result<()> {
    let name = new.to_str().ok_or_else(|| rusqlite::Error::InvalidPath(new.to_owned()))?;
    connection.execute("VACUUM INTO ?1", [name]).map(|_| ())
}

fn put_in_place(new: TempPath, folder: &Path, file: &Path) -> io::Result<u64> {
    let written = File::open(&new)?;
    written.sync_all()?;
    let bytes = written.metadata()?.len();
    new.persist_noclobber(file)?;
    // The name is on the disk too, where folders can be synced.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(bytes)
}
