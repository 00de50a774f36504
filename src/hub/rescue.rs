//! Rooms whose entry in the list of rooms is damaged: found again by their own logs, and listed anew.
//!
//! Nothing here runs while the list is sound.

use std::iter;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use super::registry::{Entry, Registry};
use super::{codec, pages};
use crate::journal::{Journal, JournalError, StreamId, Version};
use crate::room::Event;
use crate::room::event::Opened;
use crate::transcript::{Folders, real_folder};

/// Streams of rooms begin so.
const ROOMS: &str = "room/";

/// Lists rooms again that the list has lost. One whose own log is damaged too stays lost: `turnroom doctor` names
/// its stream.
pub(super) async fn rescue(
    registry: &mut Registry,
    journal: &dyn Journal,
    folders: &Folders,
) -> Result<(), JournalError> {
    let allowed: Vec<PathBuf> = folders.allowed.iter().map(|folder| real_folder(folder)).collect();
    for stream in lost(registry, journal).await? {
        let Ok(Some(opened)) = still_open(journal, &stream).await else { continue };
        let (room, at) = (registry.free_id(&opened.room), opened.at);
        let path = free(registry, &place(Path::new(&opened.filepath), &allowed), &room);
        tracing::warn!(%room, path = %path.display(), "a room that the list had lost is listed again");
        registry.list_again(journal, Entry { room, stream, path, is_open: true, at, number: 0 }).await;
    }
    Ok(())
}

/// Streams of rooms that no entry of the list names.
async fn lost(registry: &Registry, journal: &dyn Journal) -> Result<Vec<StreamId>, JournalError> {
    let streams = journal.streams().await?;
    let is_lost = |stream: &StreamId| stream.as_str().starts_with(ROOMS) && !registry.has_stream(stream);
    Ok(streams.into_iter().filter(is_lost).collect())
}

/// Those of them that are not over, or cannot be read.
pub(super) async fn lost_and_open(
    registry: &Registry,
    journal: &dyn Journal,
) -> Result<Vec<StreamId>, JournalError> {
    let mut open = Vec::new();
    for stream in lost(registry, journal).await? {
        if !matches!(still_open(journal, &stream).await, Ok(None)) {
            open.push(stream);
        }
    }
    Ok(open)
}

/// How a room began, if it is not over. A room that another has replaced is over.
async fn still_open(journal: &dyn Journal, stream: &StreamId) -> Result<Option<Opened>, JournalError> {
    let mut first = None;
    let read = pages::read_on::<JournalError>(journal, stream, Version::EMPTY, |page| {
        for (event, _) in codec::decode(stream, page)? {
            match event {
                Event::Opened(opened) => first = Some(*opened),
                Event::Closed { .. } => {
                    first = None;
                    return Ok(ControlFlow::Break(()));
                }
                _ => {}
            }
        }
        Ok(ControlFlow::Continue(()))
    });
    read.await?;
    Ok(first)
}

/// Where the transcript lies. A room knows its path only from the name of an allowed folder on.
fn place(shown: &Path, folders: &[PathBuf]) -> PathBuf {
    let mut parts = shown.components();
    let (first, rest) = (parts.next(), parts.as_path());
    let named = folders.iter().find(|folder| folder.file_name() == first.map(Component::as_os_str));
    match (named, folders.first()) {
        _ if shown.is_absolute() => shown.to_owned(),
        (Some(folder), _) => folder.join(rest),
        (None, Some(folder)) => folder.join(shown.file_name().unwrap_or_default()),
        (None, None) => shown.to_owned(),
    }
}

/// A path at which no open room writes: that of the note, or one beside it with the name of the room.
fn free(registry: &Registry, path: &Path, room: &str) -> PathBuf {
    let beside = (1..).map(|n| match n {
        1 => path.with_file_name(format!("{room}.md")),
        n => path.with_file_name(format!("{room}-{n}.md")),
    });
    let is_free = |path: &PathBuf| !registry.by_path(path).is_some_and(|entry| entry.is_open);
    let mut paths = iter::once(path.to_owned()).chain(beside);
    paths.find(is_free).expect("there are more numbers than rooms")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::codec::encode;
    use crate::journal::MemoryJournal;
    use crate::room::{Declared, Now, open};

    /// An open room whose log says that its note is there, and that no list names.
    async fn lose(journal: &MemoryJournal, name: &str, filepath: &str) {
        let stream = StreamId::parse(&format!("room/{name}")).unwrap();
        let declared =
            Declared { room: "talk".to_owned(), filepath: filepath.to_owned(), ..Declared::default() };
        let now = Now { wall: chrono::DateTime::UNIX_EPOCH, mono: std::time::Duration::ZERO };
        let events = open(declared, now).unwrap();
        journal.append(&stream, Version::EMPTY, events.iter().map(encode).collect(), now.wall).await.unwrap();
    }

    async fn rescued(journal: &MemoryJournal, folder: &Path) -> Vec<(String, PathBuf)> {
        let mut registry = Registry::default();
        let folders = Folders { allowed: vec![folder.to_owned()] };
        rescue(&mut registry, journal, &folders).await.unwrap();
        registry.all().map(|entry| (entry.room.clone(), entry.path.clone())).collect()
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn the_note_of_a_room_that_was_lost_is_found_behind_a_link() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap().join("notes");
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, root.path().join("link")).unwrap();
        let journal = MemoryJournal::new();
        lose(&journal, "a", "notes/talk.md").await;
        let found = rescued(&journal, &root.path().join("link")).await;
        assert_eq!(found, [("talk".to_owned(), real.join("talk.md"))]);
    }

    #[tokio::test]
    async fn two_open_rooms_never_write_one_note() {
        let root = tempfile::tempdir().unwrap();
        let real = root.path().canonicalize().unwrap();
        let journal = MemoryJournal::new();
        for name in ["a", "b"] {
            lose(&journal, name, "talk.md").await;
        }
        let found = rescued(&journal, &real).await;
        let expected = [("talk", "talk.md"), ("talk-2", "talk-2.md")];
        assert_eq!(found, expected.map(|(room, note)| (room.to_owned(), real.join(note))));
    }

    #[test]
    fn a_note_is_looked_for_in_the_folder_whose_name_its_room_knows() {
        let folders = [PathBuf::from("/home/a/transcripts"), PathBuf::from("/srv/notes")];
        for (shown, found) in [
            ("notes/x/talk.md", "/srv/notes/x/talk.md"),
            ("transcripts/talk.md", "/home/a/transcripts/talk.md"),
            ("elsewhere/talk.md", "/home/a/transcripts/talk.md"),
            ("/tmp/talk.md", "/tmp/talk.md"),
        ] {
            assert_eq!(place(Path::new(shown), &folders), PathBuf::from(found), "{shown}");
        }
    }
}
