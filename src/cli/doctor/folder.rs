//! The data folder: there, private, writable, with space, on a file system that can hold a journal.

use std::path::Path;

use super::super::options::Global;
use super::finding::Finding;
use crate::paths::DataFolder;
use crate::platform;
use crate::platform::disk::{self, FileSystem};

const ABOUT: &str = "data folder";
/// With less free space the next hour may fill the disk.
const SCARCE: u64 = 256 << 20;

/// The data folder, if it is there.
pub(super) fn open(path: &Path, global: &Global) -> Result<DataFolder, Finding> {
    let shown = path.display();
    match path.try_exists() {
        Ok(true) => global.data_folder().map_err(|failure| {
            let next = "make it a folder that this user can enter, or choose another with --data-dir";
            let why = failure.explain().unwrap_or_default();
            Finding::fault(ABOUT, why.trim_start_matches("error: ").trim(), next)
        }),
        Ok(false) => {
            let what = format!("`{shown}` is not there; no hub has run with it yet");
            Err(Finding::warning(ABOUT, what, "`turnroom serve` makes it, and so does a client over stdio"))
        }
        Err(error) => {
            let next = "see that this user can enter the folders above it, or choose another with --data-dir";
            Err(Finding::fault(ABOUT, format!("`{shown}` cannot be reached: {error}"), next))
        }
    }
}

pub(super) fn check(folder: &DataFolder) -> Vec<Finding> {
    vec![privacy(folder.path()), room_to_write(folder), kind(folder.path())]
}

fn privacy(path: &Path) -> Finding {
    let shown = path.display();
    match platform::is_private_folder(path) {
        Ok(true) => Finding::ok(ABOUT, format!("`{shown}`, for this user only")),
        Ok(false) => {
            let what = format!("`{shown}` can be entered by other users, who may read what is said");
            Finding::warning(ABOUT, what, format!("`chmod 700 '{shown}'`"))
        }
        Err(error) => {
            Finding::fault(ABOUT, format!("`{shown}` cannot be looked at: {error}"), "see who owns it")
        }
    }
}

fn room_to_write(folder: &DataFolder) -> Finding {
    let space = disk::space(folder.path());
    if space.as_ref().is_ok_and(|space| space.is_read_only) {
        let next = "mount it for writing, or choose another folder with --data-dir";
        return Finding::fault(ABOUT, "its file system is read-only: nothing can be said", next);
    }
    match (folder.try_to_write(), space) {
        (Err(error), _) if disk::is_full(&error) => {
            let next = "make space; a running hub goes on by itself";
            Finding::fault(ABOUT, "its disk is full: nothing can be said", next)
        }
        (Err(error), _) => {
            Finding::fault(ABOUT, format!("it cannot be written: {error}"), "see who owns it, and its rights")
        }
        (Ok(()), Ok(space)) if space.free < SCARCE => {
            let what = format!("writable, but only {} are free on its disk", size(space.free));
            Finding::warning(ABOUT, what, "make space before the disk is full")
        }
        (Ok(()), Ok(space)) => Finding::ok(ABOUT, format!("writable, {} free", size(space.free))),
        (Ok(()), Err(_)) => Finding::ok(ABOUT, "writable"),
    }
}

fn kind(path: &Path) -> Finding {
    let next = "choose a folder on a disk of this machine with --data-dir or TURNROOM_DATA_DIR";
    match disk::file_system(path) {
        Some(FileSystem::Local(kind)) => Finding::ok(ABOUT, format!("file system {kind}, on this machine")),
        Some(FileSystem::Network(kind)) => {
            let what =
                format!("file system {kind}, on another machine: locks and the journal may fail there");
            Finding::warning(ABOUT, what, next)
        }
        Some(FileSystem::Program(kind)) => {
            let what =
                format!("file system {kind}, served by a program: locks and the journal may fail there");
            Finding::warning(ABOUT, what, next)
        }
        None => Finding::ok(ABOUT, "this system does not tell the kind of its file system"),
    }
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        megabytes @ 1..1024 => format!("{megabytes} MB"),
        megabytes => format!("{} GB", megabytes >> 10),
    }
}
