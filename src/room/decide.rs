//! Turns a command into events, or says why not. Reads only.

mod move_task;
mod open;
mod pass;
mod post;
mod recipients;
mod tell_puzzle;

pub use open::{Declared, open};

use super::command::{Close, Command, Join};
use super::draft::Draft;
use super::event::{Event, FloorReason, PauseReason, QueueEnd};
use super::floor::Floor;
use super::line::one_line;
use super::participant::{Participant, Status};
use super::state::{Phase, State};
use super::{Handle, Now, Refusal};

pub(super) fn decide(state: &State, command: Command, now: Now) -> Result<Vec<Event>, Refusal> {
    let mut draft = Draft::of(state, now);
    if state.phase == Phase::Closed {
        return Err(Refusal::RoomClosed);
    }
    match command.with_known_handles(&state.names) {
        Command::Join(join) => draft.join(join)?,
        Command::Contact(handle) => draft.joined(&handle)?,
        Command::Post(post) => draft.post(*post)?,
        Command::RequestTurn(handle) => draft.request_turn(&handle)?,
        Command::Pass(pass) => draft.pass(pass)?,
        Command::Leave(handle) => draft.leave(&handle)?,
        Command::Remove { handle, by } => draft.remove(&handle, &by)?,
        Command::Pause(by) => draft.pause(by)?,
        Command::Resume(by) => draft.resume(&by)?,
        Command::Start(by) => draft.start(by)?,
        Command::Close(close) => draft.close(close)?,
        Command::Note(what) => {
            let (seq, at) = (draft.seq(), now.wall);
            draft.emit(Event::Noted { seq, what, at });
        }
        Command::MoveTask(moved) => draft.move_task(moved),
        Command::TellPuzzle(news) => draft.tell_puzzle(news),
        Command::ChangeKey { handle, hash, is_invite } => draft.change_key(handle, hash, is_invite)?,
    }
    Ok(draft.done())
}

impl Draft {
    fn join(&mut self, mut join: Join) -> Result<(), Refusal> {
        join.name = join.name.map(|name| one_line(&name)).filter(|name| !name.is_empty());
        match self.state.member(&join.handle).map(|member| (member.status, member.seen)) {
            Some((Status::Active | Status::Away, _)) => self.come_again(join),
            Some((Status::Expected | Status::Left, seen)) => self.arrive(&join.handle, join.name, seen),
            None if self.state.policy().invite_only => return Err(Refusal::InviteOnly(join.handle)),
            None => {
                let seen = self.state.last_seq.saturating_sub(join.history);
                self.arrive(&join.handle, join.name, seen);
            }
        }
        Ok(())
    }

    /// Who is in the room already only comes back, and may take another name.
    fn come_again(&mut self, join: Join) {
        self.contact(&join.handle);
        let before = self.state.member(&join.handle).and_then(|member| member.name.as_ref());
        if let Some(name) = join.name
            && before != Some(&name)
        {
            self.emit(Event::Renamed { handle: join.handle, name });
        }
    }

    /// Asks for the floor. A person's floor does not freeze a room: if nobody else is queued, it goes.
    fn request_turn(&mut self, handle: &Handle) -> Result<(), Refusal> {
        self.joined(handle)?;
        let nobody_queued = self.state.next_but_holder().is_none();
        if self.state.holder() == Some(handle) || self.state.queue.contains(handle) {
            return Ok(());
        }
        let is_free = match &self.state.floor {
            Floor::Free | Floor::Vacant => true,
            Floor::Held(turn) => self.state.member(&turn.handle).is_some_and(Participant::is_human),
        };
        if self.state.phase == Phase::Open && is_free && nobody_queued {
            self.give_floor(handle.clone(), FloorReason::Request);
        } else {
            self.emit(Event::Queued { handles: vec![handle.clone()], end: QueueEnd::Tail });
        }
        Ok(())
    }

    fn leave(&mut self, handle: &Handle) -> Result<(), Refusal> {
        match self.state.member(handle) {
            Some(member) if member.has_joined() && member.is_listed => {}
            _ => return Err(Refusal::NotJoined(handle.clone())),
        }
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::Left { seq, handle: handle.clone(), removed_by: None, at });
        Ok(())
    }

    fn remove(&mut self, handle: &Handle, by: &Handle) -> Result<(), Refusal> {
        self.person(by)?;
        match self.state.member(handle) {
            Some(member) if member.status != Status::Left && !member.is_human() => {}
            _ => return Err(self.nobody(handle)),
        }
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::Left { seq, handle: handle.clone(), removed_by: Some(by.clone()), at });
        Ok(())
    }

    /// A person stops the room; one that is paused stays so.
    fn pause(&mut self, by: Handle) -> Result<(), Refusal> {
        self.person(&by)?;
        self.settle();
        match self.state.phase {
            Phase::Gathering => Err(Refusal::NotOpen),
            Phase::Open => {
                let (seq, at) = (self.seq(), self.now.wall);
                self.emit(Event::Paused { seq, reason: PauseReason::Person(by), at });
                Ok(())
            }
            Phase::Paused | Phase::Closed => Ok(()),
        }
    }

    fn resume(&mut self, by: &Handle) -> Result<(), Refusal> {
        self.person(by)?;
        self.person_acts(by);
        Ok(())
    }

    fn start(&mut self, by: Handle) -> Result<(), Refusal> {
        self.person(&by)?;
        self.start_by(by);
        Ok(())
    }

    fn close(&mut self, close: Close) -> Result<(), Refusal> {
        if let Some(by) = &close.by
            && !close.is_creator
            && !self.may_close(by)
        {
            return Err(Refusal::MayNotClose(by.clone()));
        }
        let (seq, at) = (self.seq(), self.now.wall);
        self.emit(Event::Closed { seq, by: close.by, summary: close.summary, at });
        Ok(())
    }

    /// A person may close a room, and the last agent: nobody else is here (it is, since it calls).
    fn may_close(&self, by: &Handle) -> bool {
        let Some(member) = self.state.member(by) else { return false };
        let mut others = self.state.members.values().filter(|other| !other.is_human() && other.handle != *by);
        member.is_human() || member.has_joined() && !others.any(|other| other.is_here())
    }

    fn change_key(&mut self, handle: Handle, hash: String, is_invite: bool) -> Result<(), Refusal> {
        if self.state.member(&handle).is_none() {
            return Err(self.nobody(&handle));
        }
        self.emit(Event::KeyChanged { handle, hash, is_invite });
        Ok(())
    }
}
