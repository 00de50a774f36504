//! Adding a puzzle: its id, the room in which its turns are taken, its first event, its place in the list. Others wait for
//! this one puzzle only.

use super::AddPuzzle;
use super::request::AddedPuzzle;
use crate::hub::Hub;
use crate::hub::aggregate::{Aggregate, Kept, Listed, Live, Log};
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::lodging::{Lodger, Lodging};
use crate::journal::StreamId;
use crate::puzzle::{Add, Event, Machine, Puzzle, Refusal, add};
use crate::room::Handle;
use crate::secret;

/// How many characters an id may have.
const ID_CHARS: usize = 64;

impl Hub {
    /// Adds a puzzle, and the room in which its turns are taken if it needs one.
    pub async fn add_puzzle(&self, caller: &Caller, request: AddPuzzle) -> Result<AddedPuzzle, HubError> {
        self.refuse_if_stopping()?;
        let shared = &self.shared;
        let now = shared.clock.now().wall;
        let mut wish = wish(caller, &request)?;
        let key = wish.request_key();
        // The same request twice at once makes one puzzle.
        let same = key.as_ref().map(|key| shared.puzzles.shelf.making.same_request(key));
        let _first = match &same {
            Some(same) => Some(same.lock().await),
            None => None,
        };
        let known = {
            let list = shared.puzzle_list().await?;
            key.as_deref().and_then(|key| list.requested(key)).cloned()
        };
        if let Some(listed) = known {
            return self.added_before(&listed, wish).await;
        }
        // Everything that can be wrong with the request is found before anything changes.
        let (event, mut warnings) = add(wish.clone(), now)?;
        let Event::PuzzleAdded(added) = &event else { unreachable!("a puzzle begins with this") };
        let machine = Machine::parse(&added.config).map(|(machine, _)| machine).unwrap_or_default();
        warnings.extend(self.missing_programs(&machine));
        let kept = self.keep_id(&machine, &added.about.name).await?;
        kept.id().clone_into(&mut wish.puzzle);
        let own_room = self.lodge_puzzle(caller, &mut wish, &machine).await?;
        let live = <Log<Puzzle> as Live<Puzzle>>::new(wish.puzzle.clone(), new_stream());
        let mut locked = live.lock(&*shared.journal).await?;
        let made = |_: &Puzzle| add(wish.clone(), now).map(|(event, _)| vec![event]);
        let events = match locked.decide(now, made).await {
            Ok(events) => events,
            Err(error) => {
                if let Some(room) = own_room {
                    shared.give_up_own_room(room);
                }
                return Err(error);
            }
        };
        shared.puzzles.shelf.add(&*shared.journal, &live, key, now).await;
        drop(kept);
        shared.puzzles.to_come.has_come(&live.id);
        shared.puzzle_happened(&live, &locked, &events).await;
        let state = shared.look(locked.state());
        drop(locked);
        Ok(AddedPuzzle { state: shared.placed(state).await, warnings })
    }

    /// Keeps the id that a machine asks for; one that is made of the name, if it asks for none.
    async fn keep_id(&self, machine: &Machine, name: &str) -> Result<Kept<'_>, HubError> {
        let making = &self.shared.puzzles.shelf.making;
        let list = self.shared.puzzle_list().await?;
        let Some(id) = &machine.id else { return Ok(making.keep_free(&list, &free_title(name))) };
        check_id(id)?;
        making.keep(&list, id).ok_or_else(|| HubError::PuzzleExists(id.clone()))
    }

    /// The same request again is answered with the puzzle that it made.
    async fn added_before(&self, listed: &Listed, mut wish: Add) -> Result<AddedPuzzle, HubError> {
        let live = self.shared.puzzle(&listed.id).await?;
        let locked = live.lock(&*self.shared.journal).await?;
        let about = locked.state().about();
        wish.puzzle.clone_from(&about.puzzle);
        if wish.room.is_none() {
            // It was kept with the room that it was given.
            wish.room.clone_from(&about.room);
        }
        let id = wish.request_id.clone().unwrap_or_default();
        let (again, mut warnings) = add(wish, about.at)?;
        warnings.extend(self.missing_programs(locked.state().machine()));
        match again {
            Event::PuzzleAdded(again) if again.about.request == about.request => {
                let state = self.shared.look(locked.state());
                drop(locked);
                Ok(AddedPuzzle { state: self.shared.placed(state).await, warnings })
            }
            _ => Err(Refusal::RequestIdReused { id }.into()),
        }
    }

    /// Finds the room in which the turns of a puzzle are taken: the one that is named; one of its own, if somebody has to
    /// act in it; none, if nobody is named. Gives the one that was made for it.
    async fn lodge_puzzle(
        &self,
        caller: &Caller,
        wish: &mut Add,
        machine: &Machine,
    ) -> Result<Option<Lodging>, HubError> {
        let acting = machine.called();
        let room = wish.room.as_deref().or(machine.room.as_deref());
        if room.is_none() && acting.is_empty() {
            return Ok(None);
        }
        let acting: Vec<&Handle> = acting.iter().collect();
        let title = wish.name.as_deref().or(machine.name.as_deref()).unwrap_or(&wish.puzzle);
        let creator = wish.by.as_ref().map_or("", Handle::as_str);
        let lodger =
            Lodger { id: &wish.puzzle, title, creator: ("by", creator), called: ("config", &acting) };
        let lodging = self.lodge(caller, &lodger, room).await?;
        wish.has_own_room = room.is_none();
        (wish.room, wish.room_stream) = (Some(lodging.room.clone()), Some(lodging.stream.clone()));
        (wish.people, wish.people_verified_only) = (lodging.people.clone(), lodging.people_verified_only);
        Ok(wish.has_own_room.then_some(lodging))
    }
}

/// Refuses what cannot be the id of a puzzle.
fn check_id(id: &str) -> Result<(), HubError> {
    let problem = if !is_id(id) {
        format!("`{id}` is no id: letters, digits, `-`, `_` and `.`, at most {ID_CHARS}")
    } else if Puzzle::TAKEN.contains(&id) {
        format!("the id `{id}` is kept for the page that adds a puzzle; take another one")
    } else {
        return Ok(());
    };
    Err(HubError::argument("config.id", problem, &[]))
}

/// Whether a text may be the id of a puzzle. People choose them, so capitals are letters, too.
fn is_id(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    text.chars().count() <= ID_CHARS && text.chars().all(is_plain) && text.starts_with(char::is_alphanumeric)
}

/// What is asked for, without an id and a room of its own.
fn wish(caller: &Caller, request: &AddPuzzle) -> Result<Add, HubError> {
    let by = match &request.by {
        Some(name) => {
            let by = Handle::parse(name.trim());
            Some(by.map_err(|error| HubError::argument("by", error.to_string(), &[]))?)
        }
        None => caller.is_verified.then(Handle::user),
    };
    Ok(Add {
        name: request.name.clone(),
        config: request.config.clone(),
        by,
        is_person_verified: caller.is_verified,
        room: request.room.clone(),
        request_id: request.request_id.clone(),
        ..Add::default()
    })
}

/// What an id is made of. One without a name has a mark that nobody has: to count on would be slow with many.
fn free_title(name: &str) -> String {
    if name.trim().is_empty() { format!("puzzle-{}", secret::id()) } else { name.to_owned() }
}

fn new_stream() -> StreamId {
    StreamId::parse(&format!("{}{}", Puzzle::PREFIX, secret::id())).expect("an id is plain")
}
