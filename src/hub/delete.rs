//! Deleting a room for good: its events, what was made of them, and its place in the list of rooms.
//!
//! The list says first that the room is deleted; from then on nobody finds it. Then its events are erased. A hub that
//! is killed in between does the rest at its next start, so a room is there whole or not at all.

use std::path::PathBuf;
use std::sync::Arc;

use super::Hub;
use super::caller::Caller;
use super::error::HubError;
use super::live::LiveRoom;
use super::registry::Entry;
use super::reply;
use super::request::Delete;
use super::shared::Shared;
use crate::journal::{AppendError, JournalError, StreamId};
use crate::room::command::Close;
use crate::room::{Command, Handle, Phase};
use crate::transcript;

/// A room that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// Its id, which is free now.
    pub room: String,
    /// How many messages it had, if its log could be read.
    pub messages: Option<u64>,
    /// Its transcript.
    pub filepath: PathBuf,
    /// Whether the transcript is there still.
    pub keeps_transcript: bool,
    /// What could not be done now, and when it will be; or what has no room any more.
    pub warning: Option<String>,
}

impl Hub {
    /// A person deletes a room.
    pub async fn delete(&self, caller: &Caller, request: Delete) -> Result<Deleted, HubError> {
        let shared = &self.shared;
        let entry = shared.listed(&request.room).await?;
        let live = shared.room(&entry);
        let (messages, lodgers) = self.end(caller, &entry, &live, request.force).await?;
        // A reply note that stays says that the room is over.
        reply::show(shared, &entry.stream).await;
        live.note.close().await;
        let (transcript, streams) = {
            let mut registry = shared.registry.lock().await;
            let now = shared.clock.now();
            let owner = registry.by_path(&entry.path).map(|owner| owner.stream.clone());
            let owns_note = owner.is_none_or(|owner| owner == entry.stream);
            let transcript = (request.with_transcript && owns_note).then(|| entry.path.clone());
            let deleted = registry.delete(&*shared.journal, &entry.room, transcript.as_deref(), now).await;
            let streams = deleted.map_err(HubError::NotStored)?;
            // Whoever is refused for lack of this room knows that the list has changed.
            shared.list_changes.happened();
            for live in shared.rooms_seen().iter().filter(|live| streams.contains(&live.stream)) {
                live.lock_as_it_is(shared).await.bury();
            }
            (transcript, streams)
        };
        live.note.end();
        shared.replies.leave(&entry.stream);
        shared.named.forget_room(&entry.room);
        let without_room = || format!("no room any more: {}", lodgers.join(", "));
        let (mut warning, mut keeps_transcript) = ((!lodgers.is_empty()).then(without_room), true);
        // Before the events: as long as they are there, the next start goes on.
        if let Some(path) = transcript {
            match remove_transcript(path).await {
                Ok(()) => keeps_transcript = false,
                Err(error) => warning = Some(format!("the transcript could not be deleted: {error}")),
            }
        }
        for stream in &streams {
            if let Err(error) = shared.erase(stream).await {
                let text = "it is off the list, and its events are erased at the next start of the hub";
                warning = Some(format!("{text}: {error}"));
            }
        }
        shared.save_briefs().await;
        Ok(Deleted { room: entry.room, messages, filepath: entry.path, keeps_transcript, warning })
    }

    /// Closes the room if it is open and that is wanted; gives how many messages it has, and what lives in it.
    async fn end(
        &self,
        caller: &Caller,
        entry: &Entry,
        live: &Arc<LiveRoom>,
        force: bool,
    ) -> Result<(Option<u64>, Vec<String>), HubError> {
        let shared = &self.shared;
        let is_open = || HubError::RoomOpen(entry.room.clone());
        let mut room = match live.lock(shared).await {
            Ok(room) => room,
            // What cannot be read any more can still be deleted.
            Err(HubError::RoomDamaged { .. }) if force || !entry.is_open => return Ok((None, Vec::new())),
            Err(error) => return Err(error),
        };
        room.check_verified(caller, &Handle::user())?;
        let messages = Some(room.room().message_count());
        let lodgers: Vec<String> = room.room().lodgers().collect();
        if !lodgers.is_empty() && !force {
            return Err(HubError::RoomInUse { room: entry.room.clone(), lodgers });
        }
        if room.room().phase() != Phase::Closed {
            if !force {
                return Err(is_open());
            }
            let close = Close { by: Some(Handle::user()), summary: None, is_creator: false };
            room.execute(Command::Close(close)).await?;
        }
        Ok((messages, lodgers))
    }
}

impl Shared {
    /// Erases what a deleted room has left. Its events go last: as long as they are there, the rest may be too.
    async fn erase(&self, stream: &StreamId) -> Result<(), AppendError> {
        self.briefs.forget(stream);
        if let Err(error) = self.search.forget(stream).await {
            tracing::warn!(%stream, %error, "words of a deleted room may still be in the search index");
        }
        self.journal.erase(stream).await.map(|_| ())
    }

    /// Erases what a hub that died has left of deleted rooms.
    pub(super) async fn finish_deleting(&self) -> Result<(), JournalError> {
        let deleted = self.registry.lock().await.deleted().clone();
        if deleted.is_empty() {
            return Ok(());
        }
        for stream in &self.journal.streams().await? {
            let Some(transcript) = deleted.get(stream) else { continue };
            if let Some(path) = transcript {
                self.finish_transcript(path.clone()).await;
            }
            if let Err(error) = self.erase(stream).await {
                tracing::warn!(%stream, %error, "a deleted room is erased at the next start");
            }
        }
        Ok(())
    }
}

impl Shared {
    /// Removes the transcript of a deleted room, unless another room has taken its place since.
    async fn finish_transcript(&self, path: PathBuf) {
        if self.registry.lock().await.by_path(&path).is_some() {
            return;
        }
        if let Err(error) = remove_transcript(path.clone()).await {
            tracing::warn!(path = %path.display(), %error, "the transcript of a deleted room is left");
        }
    }
}

async fn remove_transcript(path: PathBuf) -> std::io::Result<()> {
    let removing = tokio::task::spawn_blocking(move || transcript::remove(&path));
    removing.await.map_err(std::io::Error::other)?
}
