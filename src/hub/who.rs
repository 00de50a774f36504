//! Who a call speaks for, whether it may, and what it acknowledges.

use super::caller::{Caller, Mouth, Session};
use super::desk::Desk;
use super::error::HubError;
use super::ledger::Reader;
use super::live::{Inside, Locked};
use crate::room::event::{CursorMove, Event, Noted};
use crate::room::{Command, Handle, Identity, Participant, Phase, Status};
use crate::secret;

/// Desks beside those of the agents in a room: of persons, one per session, and of handles that nobody has.
const SPARE_DESKS: usize = 1_000;

/// Who a call speaks for.
#[derive(Clone, Debug)]
pub(super) struct Who {
    pub handle: Handle,
    pub is_human: bool,
    pub session: Session,
    /// The place from which it speaks, as a short mark.
    pub origin: String,
    /// The newest message under this handle when the call began.
    pub last_own: u64,
}

/// What a call is to the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// It joins.
    Join,
    /// It waits. A call that is no wait renews the lease of a turn.
    Wait,
    /// It waits in all rooms, so it names none of them.
    WaitEverywhere,
    /// It does something.
    Act,
    /// It only looks.
    Read,
}

impl Who {
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { handle: &self.handle, origin: &self.origin }
    }

    /// A person's desk is one of several, one per session.
    pub(super) fn desk_key(&self) -> (Handle, Option<Session>) {
        (self.handle.clone(), self.is_human.then(|| self.session.clone()))
    }
}

impl Caller {
    /// Whether it comes from a session of its own.
    pub(super) fn is_session(&self) -> bool {
        matches!(self.session, Session::Named(_))
    }

    /// A short mark of the place that this call comes from.
    #[must_use]
    pub fn origin(&self) -> String {
        let mouth = match self.mouth {
            Mouth::Mcp => "mcp",
            Mouth::Terminal => "terminal",
            Mouth::Page => "page",
            Mouth::Note => "note",
        };
        match &self.session {
            Session::Alone => mouth.to_owned(),
            Session::Named(id) => format!("{mouth}:{}", &secret::hash(id)[..8]),
        }
    }
}

impl Locked<'_> {
    /// Finds out who a call speaks for, and notes that it was heard of.
    pub(super) async fn identify(
        &mut self,
        caller: &Caller,
        name: &str,
        key: Option<&str>,
        call: Call,
    ) -> Result<Who, HubError> {
        let handle = match self.room().resolve(name) {
            Some(member) => member.handle.clone(),
            None => Handle::parse(name).map_err(crate::room::Refusal::from)?,
        };
        let is_human = self.room().participant(&handle).is_some_and(Participant::is_human);
        let (session, origin) = (caller.session.clone(), caller.origin());
        let last_own = self.room().last_own(&handle);
        let who = Who { handle, is_human, session, origin, last_own };
        if !is_human {
            self.check_identity(&who, key, call).await?;
        } else if call == Call::Act {
            self.check_verified(caller, &who.handle)?;
        }
        let now = self.hub.clock.now().mono;
        // A person's session has its own cursor from its first call on, whatever other sessions read.
        let cursor = who.is_human.then(|| self.seen(&who));
        let desk = self.desk(&who);
        desk.cursor = cursor.or(desk.cursor);
        desk.heard = now;
        if !matches!(call, Call::Wait | Call::WaitEverywhere) {
            desk.acted = now;
        }
        if !who.is_human {
            self.live.bells.hear(&who.handle);
        }
        if call != Call::WaitEverywhere {
            self.name_for(caller, name, &who.handle);
        }
        Ok(who)
    }

    /// An agent that is part of the room did something outside of it that counts as a call here.
    pub(super) async fn hear_from_elsewhere(&mut self, name: &str) -> Result<(), HubError> {
        let member = self.room().resolve(name).filter(|member| member.has_joined() && !member.is_human());
        let Some(handle) = member.map(|member| member.handle.clone()) else { return Ok(()) };
        let now = self.hub.clock.now().mono;
        let desk = self.inside.desks.entry((handle.clone(), None)).or_default();
        (desk.heard, desk.acted) = (now, now);
        self.execute(Command::Contact(handle)).await.map(drop)
    }

    /// From now on, a call of this session under this name that names no room means this one.
    pub(super) fn name_for(&self, caller: &Caller, name: &str, handle: &Handle) {
        // Under the name of the call too: which room an alias belongs to is known only once the room is found.
        for named in Handle::parse(name).iter().chain([handle]) {
            self.hub.named.remember(&caller.session, named, &self.live.id);
        }
    }

    pub(super) fn desk(&mut self, who: &Who) -> &mut Desk {
        let key = who.desk_key();
        if self.inside.desks.len() >= self.hub.settings.limits.participants + SPARE_DESKS
            && !self.inside.desks.contains_key(&key)
        {
            self.clear_old_desks();
        }
        self.inside.desks.entry(key).or_default()
    }

    /// Of the desks at which no agent of the room sits, those that were used of late stay.
    fn clear_old_desks(&mut self) {
        let Inside { desks, room, .. } = &mut *self.inside;
        let is_spare = |(handle, session): &(Handle, Option<Session>)| {
            session.is_some() || room.participant(handle).is_none()
        };
        let mut heard: Vec<_> =
            desks.iter().filter(|(key, _)| is_spare(key)).map(|(_, desk)| desk.heard).collect();
        heard.sort_unstable();
        let Some(middle) = heard.get(heard.len() / 2).copied() else { return };
        desks.retain(|key, desk| !is_spare(key) || desk.heard > middle);
    }

    /// What the caller has acknowledged. A person has a cursor per session.
    pub(super) fn seen(&self, who: &Who) -> u64 {
        let own = self.inside.desks.get(&who.desk_key()).and_then(|desk| desk.cursor);
        own.unwrap_or_else(|| self.room().participant(&who.handle).map_or(0, |member| member.seen))
    }

    /// The highest message that the caller was ever given; a person, in this session.
    pub(super) fn handed(&self, who: &Who) -> u64 {
        if who.is_human {
            self.inside.desks.get(&who.desk_key()).map_or(0, |desk| desk.handed)
        } else {
            self.room().participant(&who.handle).map_or(0, |member| member.handed)
        }
    }

    /// Notes that the caller is given everything up to `upto`, before it has acknowledged it.
    pub(super) fn hand(&mut self, who: &Who, seen: u64, upto: u64) {
        let desk = self.desk(who);
        desk.handed = desk.handed.max(upto);
        if self.room().participant(&who.handle).is_some_and(|member| member.handed < upto) {
            self.set_seen(who, seen, upto, false);
        }
    }

    /// Acknowledges the caller's last answer, if it was this session's and arrived; or exactly what it says.
    pub(super) fn acknowledge(&mut self, who: &Who, after: Option<i64>) -> Result<(), HubError> {
        self.take_back_lost(&who.desk_key());
        let ended =
            self.inside.desks.get_mut(&who.desk_key()).and_then(|desk| desk.take_arrived(&who.session));
        if let Some((client, waited)) = ended {
            self.hub.arrived(&client, waited);
        }
        let Some(member) = self.room().participant(&who.handle) else { return Ok(()) };
        let (handed, seen) = (member.handed.max(self.handed(who)), self.seen(who));
        let last_own = self.room().last_own(&who.handle);
        // What a hub before this one gave, and had not journalled when it died, the caller knows better; and the number
        // of its own post is told to it, also if it is given nothing else.
        let highest = handed.max(self.inside.found.unwrap_or(0)).max(last_own);
        let arrived = self.inside.desks.get(&who.desk_key()).and_then(|desk| desk.last_given(&who.session));
        let is_settled = last_own > 0 && arrived.is_some_and(|given| given.settles >= last_own);
        let upto = match after {
            Some(after) => u64::try_from(after).ok().filter(|after| *after <= highest).ok_or_else(|| {
                let problem = format!("{after} was never given to {}", who.handle);
                HubError::argument("after_seq_id", problem, &[&format!("0 to {highest}")])
            })?,
            None => arrived.map_or(seen, |given| given.upto.max(seen)),
        };
        if upto != seen || is_settled {
            self.set_seen(who, upto, handed.max(upto), is_settled);
        }
        Ok(())
    }

    pub(super) fn set_seen(&mut self, who: &Who, seen: u64, handed: u64, is_settled: bool) {
        let mut journalled = seen;
        if who.is_human {
            self.desk(who).cursor = Some(seen);
            journalled = journalled.max(self.room().participant(&who.handle).map_or(0, |member| member.seen));
        }
        let handle = who.handle.clone();
        self.move_cursor(CursorMove { handle, seen: journalled, handed, is_settled });
    }

    /// In some rooms a person speaks and acts only where nobody else can.
    pub(super) fn check_verified(&self, caller: &Caller, person: &Handle) -> Result<(), HubError> {
        if self.room().policy().humans_verified_only && !caller.is_verified {
            return Err(crate::room::Refusal::NotVerified(person.clone()).into());
        }
        Ok(())
    }

    async fn check_identity(&mut self, who: &Who, key: Option<&str>, call: Call) -> Result<(), HubError> {
        match self.room().policy().identity {
            Identity::Open => Ok(()),
            Identity::Session => self.check_owner(who),
            Identity::Keyed => self.check_key(who, key, call).await,
        }
    }

    /// A handle belongs to the session that joined it, until that is gone or away.
    fn check_owner(&self, who: &Who) -> Result<(), HubError> {
        let member = self.room().participant(&who.handle);
        let is_here = member.is_some_and(|member| member.status == Status::Active);
        match self.inside.owners.get(&who.handle) {
            Some(Some(owner @ Session::Named(_))) if *owner != who.session && is_here => {
                Err(HubError::HandleTaken(who.handle.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The room has granted what the caller asked for: in a room of sessions the handle is its own from now on.
    pub(super) async fn own(&mut self, who: &Who) -> Result<(), HubError> {
        let is_participant = self.room().participant(&who.handle).is_some();
        if who.is_human || !is_participant || self.room().policy().identity != Identity::Session {
            return Ok(());
        }
        let before = self.inside.owners.insert(who.handle.clone(), Some(who.session.clone()));
        let is_new = before.is_some_and(|owner| owner.as_ref() != Some(&who.session));
        if is_new && self.room().phase() != Phase::Closed {
            self.execute(Command::Note(Noted::TakenOver(who.handle.clone()))).await?;
        }
        Ok(())
    }

    async fn check_key(&mut self, who: &Who, key: Option<&str>, call: Call) -> Result<(), HubError> {
        let Some(key) = key else {
            return Err(HubError::KeyRequired { room: self.live.id.clone(), handle: who.handle.clone() });
        };
        let hash = secret::hash(key);
        let fits =
            |stored: &Option<String>| stored.as_ref().is_some_and(|stored| secret::equal(stored, &hash));
        let Some(member) = self.room().participant(&who.handle) else {
            return Err(HubError::WrongKey(who.handle.clone()));
        };
        if fits(&member.key) {
            if call != Call::Join {
                // The key has arrived, so the invite that it was made from is over.
                self.spend_invite(who.handle.clone()).await?;
            }
            return Ok(());
        }
        if call == Call::Join && fits(&member.invite) {
            return Ok(());
        }
        Err(HubError::WrongKey(who.handle.clone()))
    }

    /// A call may come before the task that takes an answer back: then it does so itself, before it acknowledges
    /// anything, so that the answer which it is about to get is not taken for a later one.
    fn take_back_lost(&mut self, key: &(Handle, Option<Session>)) {
        let is_lost = |receipt| self.hub.receipts.is_taken_back(receipt);
        let lost = self.inside.desks.get(key).and_then(|desk| desk.first(is_lost));
        if let Some(receipt) = lost {
            self.take_back(key, receipt);
        }
    }

    /// An answer did not arrive: what it gave counts as unseen.
    pub(super) fn take_back(&mut self, key: &(Handle, Option<Session>), receipt: u64) {
        let Some(lost) = self.inside.desks.get_mut(key).and_then(|desk| desk.take_back(receipt)) else {
            return;
        };
        if let Some((client, waited)) = &lost.by_itself {
            self.hub.given_up(Some(client), *waited);
        }
        let before = lost.before;
        let (handle, session) = key.clone();
        let who = Who {
            handle,
            is_human: session.is_some(),
            session: session.unwrap_or(Session::Alone),
            origin: String::new(),
            last_own: 0,
        };
        if self.seen(&who) > before {
            let handed = self.handed(&who);
            self.set_seen(&who, before, handed, false);
            self.live.bells.ring(&who.handle);
        }
    }

    /// Whether the last answer to a session told that the room is over, as far as is known.
    pub(super) fn was_told_of_end(&mut self, session: &Session, name: &Handle) -> bool {
        let member = self.room().resolve(name.as_str());
        let (handle, is_human) =
            member.map_or((name.clone(), false), |member| (member.handle.clone(), member.is_human()));
        let key = (handle, is_human.then(|| session.clone()));
        self.take_back_lost(&key);
        let last = self.inside.desks.get(&key).and_then(|desk| desk.last_given(session));
        last.is_some_and(|given| given.is_last)
    }

    /// A session is over: its handles are free, what it knew of a person is forgotten, and its answers
    /// acknowledge nothing any more, also when it comes back under the same name.
    pub(super) fn session_ended(&mut self, session: &Session) {
        for owner in self.inside.owners.values_mut().filter(|owner| owner.as_ref() == Some(session)) {
            *owner = None;
        }
        self.inside.desks.retain(|(_, of), _| of.as_ref() != Some(session));
        self.inside.desks.values_mut().for_each(|desk| desk.forget(session));
    }

    /// The invite of a participant is over.
    pub(super) async fn spend_invite(&mut self, handle: Handle) -> Result<(), HubError> {
        if self.room().participant(&handle).is_some_and(|member| member.invite.is_some()) {
            let now = self.hub.clock.now();
            self.commit(&[Event::InviteSpent { handle }], now).await?;
        }
        Ok(())
    }

    /// A key in exchange for an invite: a join may be repeated until its key is used.
    pub(super) async fn exchange_invite(
        &mut self,
        who: &Who,
        key: Option<&str>,
    ) -> Result<Option<String>, HubError> {
        let invite = self.room().participant(&who.handle).and_then(|member| member.invite.as_ref());
        let is_shown = |invite: &String| key.is_some_and(|key| secret::equal(invite, &secret::hash(key)));
        if !invite.is_some_and(is_shown) {
            return Ok(None);
        }
        let key = secret::key();
        let (handle, hash) = (who.handle.clone(), secret::hash(&key));
        self.execute(Command::ChangeKey { handle, hash, is_invite: false }).await?;
        Ok(Some(key))
    }
}
