//! Starting a room: what was asked for becomes a room, a place in the registry, and a transcript.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Hub;
use super::answer::Initialized;
use super::caller::Caller;
use super::error::HubError;
use super::find::is_archived;
use super::live::{LiveRoom, Locked};
use super::note::{self, Existing};
use super::registry::Entry;
use super::reply;
use super::request::Init;
use super::shared::Shared;
use super::slug::{is_letter, slug};
use super::starting::Place;
use super::wishes::policy;
use crate::journal::StreamId;
use crate::room::command::Close;
use crate::room::{Command, Declared, Handle, Identity, Phase, Room, open};
use crate::secret;
use crate::transcript::real_folder;

const ROOM_ID_CHARS: usize = 64;
/// Rooms whose transcripts have the same name get numbers up to this one.
const MAX_SAME_NAME: u32 = 10_000;

impl Hub {
    /// Starts a room.
    pub async fn init(&self, caller: &Caller, request: Init) -> Result<Initialized, HubError> {
        self.refuse_if_stopping()?;
        self.check_numbers(&request)?;
        let path = self.transcript_path(caller, &request.filepath)?;
        let id = match &request.room {
            Some(room) => room_id(room)?,
            None => slug(&path.file_stem().unwrap_or_default().to_string_lossy(), ROOM_ID_CHARS - 4, "room"),
        };
        let declared = Declared {
            room: id.clone(),
            topic: request.topic.clone().unwrap_or_default(),
            filepath: self.shown(caller, &path),
            participants: request.participants.clone(),
            humans: request.humans.clone(),
            first_speaker: request.policy.first_speaker.clone(),
            aliases: request.policy.aliases.clone(),
            policy: policy(&request.policy)?,
            creator: caller.origin(),
        };
        // Everything that can be wrong with the request is found before anything changes.
        open(declared.clone(), self.shared.clock.now())?;
        // From here on the place is ours; the list of rooms is never held while a disk works.
        let place = self.shared.starting.take(&path).await;
        let (id, replaced, existing) = self.choose(&place, id, &path, &request).await?;
        note::check(&path, existing).await?;
        if let Some(old) = replaced {
            self.shared.end_room(&old).await?;
        }
        for old in self.shared.rooms_seen().into_iter().filter(|old| old.path == path) {
            old.note.close().await;
            self.shared.replies.leave(&old.stream);
        }
        note::make_place(&path, existing, self.shared.clock.now().wall).await?;
        let live = self.make(Declared { room: id, ..declared }, &path).await?;
        drop(place);
        self.shared.list_changes.happened();
        self.initialized(caller, &live).await
    }

    /// Before anything is read: what is asked for may be longer than anybody needs.
    fn check_numbers(&self, request: &Init) -> Result<(), HubError> {
        let limits = self.shared.settings.limits;
        let asked = request.participants.len() + request.humans.len();
        within("participants of a room", asked, limits.participants, "participants")?;
        let names = request.policy.aliases.values().map(|names| names.len().max(1)).sum();
        within("aliases of a room", names, limits.aliases, "aliases")
    }

    /// The place of the transcript, if it is allowed.
    fn transcript_path(&self, caller: &Caller, asked: &str) -> Result<PathBuf, HubError> {
        self.shared.folders().resolve(asked, &caller.folders).map_err(|refused| HubError::PathRefused {
            next: match refused.command() {
                Some(command) => format!("take the allowed path, or ask @user to run `{command}`"),
                None => "take the allowed path".to_owned(),
            },
            allowed: refused.instead.iter().map(|path| path.display().to_string()).collect(),
            problem: refused.to_string(),
        })
    }

    /// The path as people see it in the note: from the name of its folder on, so that a note may be shared.
    fn shown(&self, caller: &Caller, path: &Path) -> String {
        let hub = self.shared.folders().allowed;
        let mut folders = caller.folders.iter().chain(&hub).map(|folder| real_folder(folder));
        let inside = folders.find_map(|folder| {
            let rest = path.strip_prefix(&folder).ok()?;
            Some(Path::new(folder.file_name()?).join(rest))
        });
        inside.as_deref().unwrap_or(path).display().to_string()
    }

    /// Keeps an id for the new room. Gives it, the room whose place it takes, if there is one, and what becomes of a
    /// file that lies there.
    async fn choose(
        &self,
        place: &Place<'_>,
        wish: String,
        path: &Path,
        request: &Init,
    ) -> Result<(String, Option<Arc<LiveRoom>>, Existing), HubError> {
        let (other, at_place) = {
            let registry = self.shared.registry.lock().await;
            (registry.get(&wish).cloned(), registry.by_path(path).cloned())
        };
        if let Some(entry) = at_place.as_ref().or(other.as_ref()).filter(|_| request.takes_nothing_over) {
            return Err(in_the_way(entry, path));
        }
        let replaced = match at_place.as_ref().filter(|entry| entry.is_open) {
            Some(entry) => self.replaced(entry, request.force).await?,
            None => None,
        };
        let is_open = match other.as_ref().filter(|other| other.path != path) {
            Some(other) => self.is_open(other).await?,
            None => false,
        };
        let registry = self.shared.registry.lock().await;
        let now = registry.get(&wish);
        let is_another =
            |entry: &&Entry| is_open || other.as_ref().map(|one| &one.stream) != Some(&entry.stream);
        let taken = now.filter(is_another).map(|entry| entry.path.clone());
        let id = match taken.or_else(|| self.shared.starting.path_of(&wish)) {
            None => wish,
            Some(path) if request.room.is_some() || request.takes_nothing_over => {
                return Err(HubError::RoomExists { room: wish, path, is_same_path: false });
            }
            Some(_) => {
                let is_free =
                    |id: &String| registry.get(id).is_none() && self.shared.starting.path_of(id).is_none();
                let mut ids = (2..=MAX_SAME_NAME).map(|n| format!("{wish}-{n}"));
                ids.find(is_free).unwrap_or(wish)
            }
        };
        let limit = self.shared.settings.limits.open_rooms;
        let is_more = replaced.is_none();
        let open = registry.open_count() + self.shared.starting.count() + usize::from(is_more);
        within("open rooms", open, limit, "open_rooms")?;
        place.name(&id, is_more);
        // A file that a room of ours wrote, or that the caller gives up, is kept aside; any other is in the way.
        let is_foreign = at_place.is_none() && !request.force;
        Ok((id, replaced, if is_foreign { Existing::IsInTheWay } else { Existing::IsKeptAside }))
    }

    /// The room at the path, if it may be replaced. One that cannot be read cannot be closed; its place is free for
    /// whoever insists.
    async fn replaced(&self, entry: &Entry, force: bool) -> Result<Option<Arc<LiveRoom>>, HubError> {
        let live = match self.shared.live(entry).await {
            Err(HubError::RoomDamaged { .. }) if force => return Ok(None),
            live => live?,
        };
        let room = live.lock(&self.shared).await?;
        let is_over = room.room().phase() == Phase::Closed
            || room.room().message_count() == 0
            || is_archived(&live, room.room().last_activity(), self.shared.clock.now());
        drop(room);
        if !is_over && !force {
            return Err(in_the_way(entry, &entry.path));
        }
        Ok(Some(live))
    }

    async fn is_open(&self, entry: &Entry) -> Result<bool, HubError> {
        if !entry.is_open {
            return Ok(false);
        }
        match self.shared.live(entry).await {
            // Its id stays its own.
            Err(HubError::RoomDamaged { .. }) => Ok(true),
            live => Ok(live?.lock(&self.shared).await?.room().phase() != Phase::Closed),
        }
    }

    /// Makes the room: first its place in the registry, then its first events. Nobody finds it in between.
    async fn make(&self, declared: Declared, path: &Path) -> Result<Arc<LiveRoom>, HubError> {
        let now = self.shared.clock.now();
        let (room, path) = (declared.room.clone(), path.to_owned());
        let stream = StreamId::parse(&format!("room/{}", secret::id())).expect("an id is plain");
        let entry = Entry { room, stream, path, is_open: true, at: now.wall, number: 0 };
        let events = open(declared, now)?;
        let mut registry = self.shared.registry.lock().await;
        registry.list(&*self.shared.journal, &entry, now).await.map_err(HubError::NotStored)?;
        let live = self.shared.room(&entry);
        live.lock(&self.shared).await?.commit(&events, now).await?;
        drop(registry);
        reply::open(&self.shared, &live).await?;
        self.shared.wake(&live).await
    }

    /// The invites, where the room asks for keys, and what to do now.
    async fn initialized(&self, caller: &Caller, live: &Arc<LiveRoom>) -> Result<Initialized, HubError> {
        let mut room = live.lock(&self.shared).await?;
        let mut invites = Vec::new();
        if room.room().policy().identity == Identity::Keyed {
            for handle in agents(room.room()) {
                let invite = secret::key();
                let hash = secret::hash(&invite);
                room.execute(Command::ChangeKey { handle: handle.clone(), hash, is_invite: true }).await?;
                invites.push((handle, invite));
            }
        }
        let participants: Vec<Handle> = room.room().participants().iter().map(|m| m.handle.clone()).collect();
        for handle in &participants {
            self.shared.named.remember(&caller.session, handle, &live.id);
        }
        let (topic, policy) = (room.room().topic().to_owned(), room.room().policy().clone());
        drop(room);
        // The first writing of the note is awaited, so that whoever opens it finds it.
        live.note.written(0).await;
        Ok(Initialized {
            room: live.id.clone(),
            filepath: live.path.clone(),
            topic,
            participants,
            policy,
            invites,
            message: format!(
                "room `{}` is ready; each participant now calls join_conversation with its handle and room",
                live.id
            ),
        })
    }
}

/// A room has the place that another one wants.
fn in_the_way(entry: &Entry, path: &Path) -> HubError {
    let (room, is_same_path) = (entry.room.clone(), entry.path == path);
    HubError::RoomExists { room, path: entry.path.clone(), is_same_path }
}

fn within(what: &'static str, asked: usize, limit: usize, setting: &'static str) -> Result<(), HubError> {
    if asked > limit { Err(HubError::Limit { what, limit, setting }) } else { Ok(()) }
}

fn agents(room: &Room) -> Vec<Handle> {
    let members = room.participants().into_iter();
    members.filter(|member| !member.is_human()).map(|member| member.handle.clone()).collect()
}

/// An id that was asked for: letters and digits of any script, `-`, `_` and `.`.
fn room_id(text: &str) -> Result<String, HubError> {
    let is_plain = |c: char| c.is_alphanumeric() || is_letter(c) || matches!(c, '-' | '_' | '.');
    if (1..=ROOM_ID_CHARS).contains(&text.chars().count())
        && text.chars().all(is_plain)
        && !text.starts_with('.')
    {
        Ok(text.to_owned())
    } else {
        let problem = format!("`{}` is no room id", text.chars().take(ROOM_ID_CHARS).collect::<String>());
        Err(HubError::argument("room", problem, &["1 to 64 letters, digits, `-`, `_`, `.`"]))
    }
}

impl Shared {
    /// Closes a room in nobody's name: another takes its place, or its task is over.
    pub(super) async fn end_room(&self, live: &LiveRoom) -> Result<(), HubError> {
        self.end_locked(live.lock(self).await?).await
    }

    /// The same, for one that is locked.
    pub(super) async fn end_locked(&self, mut room: Locked<'_>) -> Result<(), HubError> {
        let live = room.live;
        if room.room().phase() != Phase::Closed {
            let close = Close { by: None, summary: None, is_creator: true };
            room.execute(Command::Close(close)).await?;
        }
        drop(room);
        let now = self.clock.now();
        let mut registry = self.registry.lock().await;
        registry.close(&*self.journal, &live.stream, now).await.map_err(HubError::NotStored)?;
        live.stir.stir();
        Ok(())
    }
}
