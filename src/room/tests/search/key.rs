//! What tells two states apart. Numbers and times only grow, so they are left out, but for what they are
//! compared with.

use crate::room::event::FloorReason;
use crate::room::floor::Floor;
use crate::room::participant::Participant;
use crate::room::tests::search::seat::Seat;
use crate::room::tests::search::world::{NAMES, World, who};
use crate::room::{Handle, Phase};

const NOBODY: u8 = u8::MAX;

impl World {
    pub(super) fn key(&self) -> Vec<u8> {
        let (state, handles) = (&self.room.state, [0, 1, 2, 3].map(who));
        let number = |handle: &Handle| {
            u8::try_from(handles.iter().position(|known| *known == handle).unwrap()).unwrap()
        };
        let (holder, reason) = match &state.floor {
            Floor::Held(turn) => (number(&turn.handle), u8::from(turn.reason == FloorReason::Fallback)),
            Floor::Vacant | Floor::Free => (NOBODY, 0),
        };
        let mut key = vec![state.phase as u8, holder, reason];
        key.extend(state.queue.handles().map(number));
        for (handle, seat) in handles.iter().zip(&self.seats) {
            let member = state.member(handle).unwrap();
            let asked = state.questions.iter().filter(|question| question.asker == **handle);
            let arrival = if state.phase == Phase::Gathering { self.arrival(member) } else { 0 };
            key.extend([
                NOBODY,
                u8::from(asked.count() > 0),
                member.status as u8,
                arrival,
                self.flags(member, seat),
            ]);
        }
        // The room pauses for its many turns before a row of short messages could count.
        key.push(u8::try_from(state.loop_guard.turns).unwrap());
        key
    }

    /// Who joined first matters until the room opens.
    fn arrival(&self, member: &Participant) -> u8 {
        let arrivals = NAMES.iter().enumerate().map(|(index, _)| self.room.participant(who(index)).unwrap());
        let before = arrivals.filter(|other| other.arrival > 0 && other.arrival < member.arrival);
        if member.arrival == 0 { NOBODY } else { u8::try_from(before.count()).unwrap() }
    }

    /// What a seat has not heard matters as long as it could end a wait.
    fn flags(&self, member: &Participant, seat: &Seat) -> u8 {
        let state = &self.room.state;
        let flags = [
            member.is_listed,
            member.is_late,
            seat.is_waiting,
            seat.has_unheard,
            seat.has_pause && state.phase == Phase::Paused,
            seat.has_freed && state.floor == Floor::Free && !member.is_human(),
        ];
        flags.iter().fold(0, |all, flag| all << 1 | u8::from(*flag))
    }
}
