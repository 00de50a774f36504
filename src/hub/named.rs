//! Which room a session named last for each handle: a call that names none means that one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::caller::Session;
use crate::room::Handle;

/// Names that are remembered; sessions and handles come from outside.
const KEPT: usize = 10_000;

/// Which room a session named last for each handle.
#[derive(Debug, Default)]
pub(super) struct Named(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    rooms: HashMap<(Session, Handle), String>,
    order: VecDeque<(Session, Handle)>,
}

impl Named {
    /// Remembers a room. Calls that stand alone come from anybody, so nothing is remembered of them.
    pub(super) fn remember(&self, session: &Session, handle: &Handle, room: &str) {
        if *session == Session::Alone {
            return;
        }
        let key = (session.clone(), handle.clone());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.rooms.insert(key.clone(), room.to_owned()).is_none() {
            kept.order.push_back(key);
        }
        if kept.order.len() > KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.rooms.remove(&oldest);
        }
    }

    /// The room that this session named last for this handle.
    pub(super) fn last(&self, session: &Session, handle: &Handle) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.rooms.get(&(session.clone(), handle.clone())).cloned()
    }

    /// Forgets a room that a session has left, or closed, under this handle.
    pub(super) fn forget(&self, session: &Session, handle: &Handle, room: &str) {
        let key = (session.clone(), handle.clone());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.rooms.get(&key).is_some_and(|named| named == room) {
            kept.rooms.remove(&key);
            kept.order.retain(|kept| *kept != key);
        }
    }

    /// Forgets a room that is deleted.
    pub(super) fn forget_room(&self, room: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { rooms, order } = &mut *kept;
        rooms.retain(|_, named| named != room);
        order.retain(|key| rooms.contains_key(key));
    }

    /// Forgets a session that is over.
    pub(super) fn forget_session(&self, session: &Session) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.rooms.retain(|(of, _), _| of != session);
        kept.order.retain(|(of, _)| of != session);
    }
}
