//! What each event does to a room. Nothing here decides; nothing here can fail.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::room::Handle;
use crate::room::event::{CursorMove, Event, FloorReason, Opened, PauseReason, Posted};
use crate::room::floor::{Floor, Queue, Turn};
use crate::room::participant::{Kind, Participant, Status};
use crate::room::policy::Wake;

use super::{Pause, Phase, Question, State};

impl State {
    /// Applies one event. Never fails: events are facts.
    pub(in crate::room) fn apply(&mut self, event: &Event) {
        if let Some(seq) = event.seq() {
            self.last_seq = self.last_seq.max(seq);
        }
        match event {
            Event::Opened(opened) => self.opened(opened),
            Event::Joined { seq, handle, name, seen, at } => {
                self.arrived(handle, *seq, *at);
                self.joined(handle, name.as_ref(), *seen);
                self.call_back(handle);
            }
            Event::Renamed { handle, name } => self.change(handle, |member| member.name = Some(name.clone())),
            Event::Started { at } | Event::StartedBy { at, .. } => self.started(*at),
            Event::BarrierOverdue { at, .. } => {
                self.overdue = Some(*at);
                self.last_activity = *at;
            }
            Event::Posted(posted) => self.posted(posted),
            Event::Queued { handles, end } => self.queued(handles, *end),
            Event::FloorGiven { handle, turn, reason, at } => self.floor_given(handle, *turn, *reason, *at),
            Event::FloorFreed => {
                self.floor = Floor::Free;
                self.freed += 1;
            }
            Event::Lapsed { seq, handle, at } => self.lapsed(*seq, handle, *at),
            // It only tells what is so already.
            Event::Unanswered { .. } => {}
            Event::WentAway { handle, at } => self.change(handle, |member| {
                member.status = Status::Away;
                member.away_since = Some(*at);
            }),
            Event::Returned { handle } => {
                self.change(handle, Self::is_back);
                self.call_back(handle);
            }
            Event::Passed { by, holder, at, .. } => self.passed(by, holder.as_ref(), *at),
            Event::TaskMoved(moved) => self.task_moved(moved),
            Event::PuzzleTold(told) => self.puzzle_told(told),
            Event::Paused { seq, reason, at } => self.paused(*seq, reason, *at),
            Event::Resumed { at, .. } => self.resumed(*at),
            Event::Left { handle, at, .. } => self.left(handle, *at),
            Event::Closed { seq, at, .. } => self.closed(*seq, *at),
            Event::Noted { at, .. } => self.last_activity = *at,
            Event::CursorsMoved { cursors } => cursors.iter().for_each(|moved| self.cursor_moved(moved)),
            Event::KeyChanged { handle, hash, is_invite } => self.key_changed(handle, hash, *is_invite),
            Event::InviteSpent { handle } => self.change(handle, |member| member.invite = None),
        }
    }

    fn paused(&mut self, seq: u64, reason: &PauseReason, at: DateTime<Utc>) {
        self.phase = Phase::Paused;
        self.pause = Some(Pause { seq, reason: reason.clone(), at });
        self.last_activity = at;
        self.notice_for_all = seq;
    }

    fn resumed(&mut self, at: DateTime<Utc>) {
        self.phase = Phase::Open;
        self.pause = None;
        self.last_activity = at;
        self.loop_guard.human_word();
    }

    fn closed(&mut self, seq: u64, at: DateTime<Utc>) {
        (self.phase, self.floor) = (Phase::Closed, Floor::Free);
        self.queue = Queue::default();
        self.questions.clear();
        self.pause = None;
        self.last_activity = at;
        self.notice_for_all = seq;
    }

    pub(super) fn change(&mut self, handle: &Handle, change: impl FnOnce(&mut Participant)) {
        if let Some(member) = self.members.get_mut(handle) {
            change(Arc::make_mut(member));
        }
    }

    fn opened(&mut self, opened: &Opened) {
        self.made = Arc::new(opened.clone());
        self.last_activity = opened.at;
        for handle in &opened.order {
            let kind = if opened.humans.contains(handle) { Kind::Human } else { Kind::Agent };
            self.add(handle, kind);
            self.change(handle, |member| {
                member.is_declared = true;
                member.joined_at = (kind == Kind::Human).then_some(opened.at);
            });
        }
        if self.member(&Handle::user()).is_none() {
            self.add(&Handle::user(), Kind::Human);
            self.change(&Handle::user(), |user| user.is_listed = false);
        }
        let names = Arc::make_mut(&mut self.names);
        for (handle, aliases) in &opened.policy.aliases {
            for alias in aliases.iter().filter_map(|alias| Handle::parse(alias).ok()) {
                names.add_alias(&alias, handle);
            }
        }
    }

    fn add(&mut self, handle: &Handle, kind: Kind) {
        let order = self.members.len();
        self.members.insert(handle.clone(), Arc::new(Participant::new(handle.clone(), kind, order)));
        Arc::make_mut(&mut self.names).add(handle.clone());
    }

    fn arrived(&mut self, handle: &Handle, seq: u64, at: DateTime<Utc>) {
        if self.member(handle).is_none() {
            self.add(handle, Kind::Agent);
        }
        self.last_activity = at;
        self.change(handle, |member| {
            if member.arrival == 0 {
                member.arrival = seq;
            }
            member.joined_at.get_or_insert(at);
        });
    }

    fn joined(&mut self, handle: &Handle, name: Option<&String>, seen: u64) {
        self.change(handle, |member| {
            Self::is_back(member);
            member.is_listed = true;
            member.seen = member.seen.max(seen);
            member.handed = member.handed.max(seen);
            if name.is_some() {
                member.name = name.cloned();
            }
        });
    }

    /// The newest notice is the one that tells of the opening.
    fn started(&mut self, at: DateTime<Utc>) {
        (self.phase, self.floor) = (Phase::Open, Floor::Vacant);
        self.notice_for_all = self.last_seq;
        self.last_activity = at;
    }

    fn is_back(member: &mut Participant) {
        member.status = Status::Active;
        member.away_since = None;
    }

    fn posted(&mut self, posted: &Posted) {
        self.message_count += 1;
        self.last_activity = posted.at;
        self.answered(&posted.sender);
        if self.floor == Floor::Free || self.holder() == Some(&posted.sender) {
            self.floor = Floor::Vacant;
        }
        if !posted.is_private {
            self.spoken.said(&posted.sender, posted.seq);
        }
        // Where any public message ends a wait, nobody needs to be told that one addresses it.
        if posted.is_private || self.policy().wake == Wake::Batched {
            for recipient in &posted.recipients {
                self.change(recipient, |member| member.heard.addressed = posted.seq);
            }
        }
        self.change(&posted.sender, |sender| {
            sender.is_late = false;
            sender.is_listed = true;
            sender.heard.own = posted.seq;
        });
        self.count_word(posted);
        for human in &posted.asked {
            self.questions.push(Question {
                human: human.clone(),
                asker: posted.sender.clone(),
                seq: posted.seq,
                at: posted.at,
            });
        }
    }

    /// A person's word answers questions: that to which it replies, or those of whom it addresses. An agent's word counts for the loop guard.
    fn count_word(&mut self, posted: &Posted) {
        if self.member(&posted.sender).is_some_and(Participant::is_human) {
            self.loop_guard.human_word();
            let is_one = self.questions.iter().any(|question| is_reply(posted, question));
            let is_settled = |question: &Question| {
                if is_one { is_reply(posted, question) } else { is_word_to_asker(posted, question) }
            };
            self.questions.retain(|question| !is_settled(question));
        } else {
            self.loop_guard.agent_word(&posted.sender, &posted.recipients, &posted.content);
        }
    }

    fn floor_given(&mut self, handle: &Handle, number: u64, reason: FloorReason, since: DateTime<Utc>) {
        self.lend_turn(handle);
        self.calls_of(handle).for_each(|call| call.had_floor = false);
        let mentions = self.queue.take(handle).unwrap_or(0);
        self.turns = number;
        self.floor = Floor::Held(Turn { handle: handle.clone(), number, reason, mentions, since });
        self.change(handle, |member| member.is_late = false);
    }

    fn lapsed(&mut self, seq: u64, handle: &Handle, at: DateTime<Utc>) {
        self.last_activity = at;
        if let Floor::Held(turn) = &self.floor
            && turn.handle == *handle
        {
            let mentions = turn.mentions + self.queue.take(handle).unwrap_or(0);
            self.floor = Floor::Vacant;
            self.queue.put_last(handle, mentions);
        }
        self.change(handle, |member| {
            member.status = Status::Away;
            member.away_since = Some(at);
            member.is_late = true;
            member.heard.lapse = seq;
        });
    }

    fn passed(&mut self, by: &Handle, holder: Option<&Handle>, at: DateTime<Utc>) {
        self.last_activity = at;
        if holder.is_some() {
            self.floor = Floor::Vacant;
        }
        let whose = holder.unwrap_or(by);
        self.answered(whose);
        self.declined(whose);
        self.change(whose, |member| member.is_late = false);
        if self.member(by).is_some_and(Participant::is_human) {
            self.loop_guard.human_word();
        } else if holder.is_some() {
            self.loop_guard.agent_pass();
        }
    }

    fn left(&mut self, handle: &Handle, at: DateTime<Utc>) {
        self.last_activity = at;
        self.answered(handle);
        if self.holder() == Some(handle) {
            self.floor = Floor::Vacant;
        }
        self.change(handle, |member| {
            member.status = Status::Left;
            member.is_late = false;
        });
    }

    fn cursor_moved(&mut self, moved: &CursorMove) {
        self.change(&moved.handle, |member| {
            member.seen = moved.seen;
            member.handed = member.handed.max(moved.handed);
        });
    }

    fn key_changed(&mut self, handle: &Handle, hash: &str, is_invite: bool) {
        self.change(handle, |member| {
            if is_invite {
                member.invite = Some(hash.to_owned());
            } else {
                member.key = Some(hash.to_owned());
            }
        });
    }
}

/// A reply to a question answers that one alone: others of the same asker are open still. (It may have left.)
fn is_reply(posted: &Posted, question: &Question) -> bool {
    question.human == posted.sender && posted.reply_to == Some(question.seq)
}

/// Any other word answers all that was asked by those whom it addresses.
fn is_word_to_asker(posted: &Posted, question: &Question) -> bool {
    question.human == posted.sender && posted.recipients.contains(&question.asker)
}
