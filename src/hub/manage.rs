//! Ending things, and what only people do.

use super::Hub;
use super::answer::RoomState;
use super::caller::Caller;
use super::error::HubError;
use super::live::Locked;
use super::request::{Close, Leave};
use super::who::Call;
use crate::room::{Command, Handle, Refusal, command};
use crate::secret;

/// Bytes of a summary; more belongs into a file.
const MAX_SUMMARY: usize = 64 << 10;

impl Hub {
    /// Leaves a room; gives its id.
    pub async fn leave(&self, caller: &Caller, request: Leave) -> Result<String, HubError> {
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Act).await?;
        room.execute(Command::Leave(who.handle.clone())).await?;
        room.inside.owners.remove(&who.handle);
        live.bells.ring(&who.handle);
        self.shared.named.forget(&caller.session, &who.handle, &live.id);
        Ok(live.id.clone())
    }

    /// Closes a room; gives its id.
    pub async fn close(&self, caller: &Caller, request: Close) -> Result<String, HubError> {
        let live = self.shared.find_own(caller, request.room.as_deref(), &request.handle).await?;
        let mut room = live.lock(&self.shared).await?;
        let who = room.identify(caller, &request.handle, request.key.as_deref(), Call::Act).await?;
        let is_creator = room.room().creator() == caller.origin() && caller.is_session();
        let summary = short("summary", request.summary, MAX_SUMMARY)?;
        let handle = who.handle.clone();
        let close = command::Close { by: Some(who.handle), summary, is_creator };
        room.execute(Command::Close(close)).await?;
        let last = room.room().last_seq();
        self.shared.named.forget(&caller.session, &handle, &live.id);
        drop(room);
        live.note.written(last).await;
        let now = self.shared.clock.now();
        let mut registry = self.shared.registry.lock().await;
        registry.close(&*self.shared.journal, &live.stream, now).await.map_err(HubError::NotStored)?;
        live.stir.stir();
        self.shared.list_changes.happened();
        Ok(live.id.clone())
    }

    /// A person stops a room.
    pub async fn pause(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        self.as_person(caller, room, Command::Pause).await
    }

    /// A person ends a pause.
    pub async fn resume(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        self.as_person(caller, room, Command::Resume).await
    }

    /// A person opens a room without those missing.
    pub async fn start(&self, caller: &Caller, room: Option<&str>) -> Result<RoomState, HubError> {
        self.as_person(caller, room, Command::Start).await
    }

    /// A person frees a handle.
    pub async fn remove(
        &self,
        caller: &Caller,
        room: Option<&str>,
        handle: &str,
    ) -> Result<RoomState, HubError> {
        let live = self.shared.find(caller, room, Some(handle)).await?;
        let mut room = live.lock(&self.shared).await?;
        room.check_verified(caller, &Handle::user())?;
        let handle = known(&room, handle)?;
        room.execute(Command::Remove { handle: handle.clone(), by: Handle::user() }).await?;
        room.inside.owners.remove(&handle);
        let state = room.state();
        drop(room);
        live.bells.ring(&handle);
        Ok(state)
    }

    /// A person makes a new key for a participant; the old one ends. Gives the key.
    pub async fn new_key(
        &self,
        caller: &Caller,
        room: Option<&str>,
        handle: &str,
    ) -> Result<String, HubError> {
        let live = self.shared.find(caller, room, Some(handle)).await?;
        let mut room = live.lock(&self.shared).await?;
        room.check_verified(caller, &Handle::user())?;
        let handle = known(&room, handle)?;
        let key = secret::key();
        let hash = secret::hash(&key);
        room.execute(Command::ChangeKey { handle: handle.clone(), hash, is_invite: false }).await?;
        room.spend_invite(handle).await?;
        Ok(key)
    }

    async fn as_person(
        &self,
        caller: &Caller,
        room: Option<&str>,
        command: impl Fn(Handle) -> Command,
    ) -> Result<RoomState, HubError> {
        let live = self.shared.find(caller, room, None).await?;
        let mut room = live.lock(&self.shared).await?;
        room.check_verified(caller, &Handle::user())?;
        room.execute(command(Handle::user())).await?;
        Ok(room.state())
    }
}

/// A text that goes with an act: none if it is blank, refused if it is long.
pub(super) fn short(
    field: &'static str,
    text: Option<String>,
    limit: usize,
) -> Result<Option<String>, HubError> {
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) if text.len() > limit => {
            let problem = format!("it has {} bytes", text.len());
            Err(HubError::argument(field, problem, &[&format!("at most {limit} bytes")]))
        }
        text => Ok(text),
    }
}

fn known(room: &Locked<'_>, name: &str) -> Result<Handle, HubError> {
    let handle = Handle::parse(name).map_err(Refusal::from)?;
    if let Some(member) = room.room().resolve(name) {
        return Ok(member.handle.clone());
    }
    let known = room.room().participants().iter().map(|member| member.handle.clone()).collect();
    Err(Refusal::UnknownParticipant { name: handle.to_string(), known }.into())
}
