//! The room in which the turns of a task or a puzzle are taken. It is known by its stream: a name may be another's one
//! day, when its room is deleted.

use std::sync::Arc;

use super::Hub;
use super::caller::Caller;
use super::error::HubError;
use super::live::{LiveRoom, Locked};
use super::registry::Entry;
use super::request::{BarrierRequest, Init, PolicyRequest};
use super::shared::Shared;
use crate::room::{Handle, Identity, Participant, Phase};

/// Names that are tried for a room of its own.
const MAX_SAME_NAME: u32 = 10_000;

/// What wants to live in a room.
pub(super) struct Lodger<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is called.
    pub title: &'a str,
    /// The argument that says who wants it, and who that is, as it was given.
    pub creator: (&'static str, &'a str),
    /// The argument that says who may have to act in it, and who they are.
    pub called: (&'static str, &'a [&'a Handle]),
}

/// Where something lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lodging {
    /// The id of the room when it came there.
    pub room: String,
    /// Its stream, which no other has.
    pub stream: String,
    /// Who is a person there, beside `@user`.
    pub people: Vec<Handle>,
    /// Whether what people do there counts only if one vouches for it.
    pub people_verified_only: bool,
}

impl Lodging {
    fn of(locked: &Locked<'_>) -> Self {
        let (live, room) = (locked.live, locked.room());
        let all = room.participants().into_iter().filter(|one| one.is_human());
        Self {
            room: live.id.clone(),
            stream: live.stream.to_string(),
            people: all.map(|one| one.handle.clone()).filter(|one| *one != Handle::user()).collect(),
            people_verified_only: room.policy().humans_verified_only,
        }
    }
}

impl Hub {
    /// Finds a place: the room that is named, or one of its own.
    pub(super) async fn lodge(
        &self,
        caller: &Caller,
        lodger: &Lodger<'_>,
        room: Option<&str>,
    ) -> Result<Lodging, HubError> {
        let Some(room) = room else { return self.own_room(caller, lodger).await };
        let live = self.shared.named_room(room).await?;
        let locked = live.lock(&self.shared).await?;
        locked.check_lodger(caller, lodger)?;
        Ok(Lodging::of(&locked))
    }

    /// A new room. It takes nothing over: where another room or a file has the name, it gets a number.
    async fn own_room(&self, caller: &Caller, lodger: &Lodger<'_>) -> Result<Lodging, HubError> {
        let user = Handle::user();
        let (_, handles) = lodger.called;
        let agents = handles.iter().filter(|handle| ***handle != user).map(ToString::to_string);
        let participants: Vec<String> = agents.chain([user.to_string()]).collect();
        let mut number = 1;
        loop {
            let name = if number == 1 { lodger.id.to_owned() } else { format!("{}-{number}", lodger.id) };
            let init = Init {
                filepath: format!("{name}.md"),
                participants: participants.clone(),
                topic: Some(lodger.title.to_owned()),
                policy: PolicyRequest { barrier: Some(BarrierRequest::Count(0)), ..PolicyRequest::default() },
                takes_nothing_over: true,
                ..Init::default()
            };
            match self.init(caller, init).await {
                Ok(made) => {
                    let live = self.shared.named_room(&made.room).await?;
                    return Ok(Lodging::of(&live.lock(&self.shared).await?));
                }
                Err(HubError::RoomExists { .. } | HubError::FileExists(_)) if number < MAX_SAME_NAME => {}
                // Some names may no file have; with a number behind they are names like others.
                Err(HubError::PathRefused { .. }) if number == 1 => {}
                Err(error) => return Err(error),
            }
            number += 1;
        }
    }
}

impl Locked<'_> {
    /// Whether something may live here, whose records move the floor.
    fn check_lodger(&self, caller: &Caller, lodger: &Lodger) -> Result<(), HubError> {
        let (room, id) = (self.room(), &self.live.id);
        if room.phase() == Phase::Closed {
            return Err(HubError::RoomOver(id.clone()));
        }
        if room.policy().identity != Identity::Open {
            let problem = format!(
                "room `{id}` asks who speaks for whom, and what lives in a room does not show it; leave `room` out, or \
                 name another"
            );
            return Err(HubError::argument("room", problem, &[]));
        }
        let is_part = |member: &Participant| member.has_joined() && !member.is_human();
        let (field, creator) = lodger.creator;
        if room.policy().invite_only && !caller.is_verified && !room.resolve(creator).is_some_and(is_part) {
            let problem = format!(
                "room `{id}` is invite-only: one of its agents, or a person on the page or at a terminal, brings \
                 something into it"
            );
            return Err(HubError::argument(field, problem, &[]));
        }
        let (field, handles) = lodger.called;
        if let Some(stranger) = handles.iter().find(|handle| room.resolve(handle.key()).is_none()) {
            let problem = format!("{stranger} is no participant of room `{id}`; name one who is");
            return Err(HubError::argument(field, problem, &[]));
        }
        Ok(())
    }
}

impl Shared {
    /// What a room was made for could not be stored: the room is over as soon as the disk works.
    pub(super) fn give_up_own_room(self: &Arc<Self>, lodging: Lodging) {
        self.until_the_disk_works(move |shared| {
            let lodging = lodging.clone();
            async move {
                match shared.lodging_room(&lodging.room, Some(&lodging.stream)).await? {
                    Some(room) => shared.end_own_room(&room).await,
                    None => Ok(()),
                }
            }
        });
    }

    /// What a room was made for is over: so is the room, unless something else lives there that is not.
    pub(super) async fn end_own_room(&self, room: &LiveRoom) -> Result<(), HubError> {
        let locked = room.lock(self).await?;
        if locked.room().lodgers().next().is_none() {
            self.end_locked(locked).await?;
            self.list_changes.happened();
        }
        Ok(())
    }

    /// The room in which something lives, if it is still there. What was made before streams were stored knows a name
    /// only.
    pub(super) async fn lodging(&self, room: &str, stream: Option<&str>) -> Option<Entry> {
        let registry = self.registry.lock().await;
        let Some(stream) = stream else { return registry.get(room).cloned() };
        let is_it = |entry: &&Entry| entry.stream.as_str() == stream;
        registry.get(room).filter(is_it).or_else(|| registry.all().find(is_it)).cloned()
    }

    /// The same, in memory.
    pub(super) async fn lodging_room(
        self: &Arc<Self>,
        room: &str,
        stream: Option<&str>,
    ) -> Result<Option<Arc<LiveRoom>>, HubError> {
        match self.lodging(room, stream).await {
            Some(entry) => self.live(&entry).await.map(Some),
            None => Ok(None),
        }
    }
}
