//! What lives in the room calls whoever has to act in it, and takes the turn of whoever has not.
//!
//! A call stands until its task or puzzle has moved on. As long as its mention is in the queue, it is one like any
//! other; from then on it is heard when nobody else is.
//!
//! Whoever acts on a puzzle and has to wait for an answer leaves its turn to those who are asked, and gets one when the
//! question is over.

use std::sync::Arc;

use crate::room::Handle;
use crate::room::calls::{Call, Calls};
use crate::room::event::{PuzzleQuestion, PuzzleStep, PuzzleTold, QueueEnd, TaskMoved};
use crate::room::floor::Floor;
use crate::room::participant::{Participant, Status};

use super::State;

impl State {
    /// Everybody who has to act in what lives here.
    pub(in crate::room) fn calls(&self) -> impl Iterator<Item = &Call> {
        let of_tasks = self.tasks.values().map(|task| &task.calls);
        let of_puzzles = self.puzzles.values().map(|puzzle| &puzzle.calls);
        of_tasks.chain(of_puzzles).flat_map(Calls::all)
    }

    pub(super) fn calls_of(&mut self, handle: &Handle) -> impl Iterator<Item = &mut Call> {
        let of_tasks = self.tasks.values_mut().map(|task| &mut task.calls);
        let of_puzzles = self.puzzles.values_mut().map(|puzzle| &mut puzzle.calls);
        let all = of_tasks.chain(of_puzzles).flat_map(Calls::all_mut);
        all.filter(move |call| call.to == *handle)
    }

    /// The agents that have to act, and have not passed their turn on: who was called first comes first.
    fn called(&self) -> Vec<&Call> {
        let mut called: Vec<_> = self.open_calls().filter(|call| self.is_called_by(call)).collect();
        called.sort_by_key(|call| call.since);
        called
    }

    /// Whether this is a call of an agent that has not passed its turn on.
    pub(super) fn is_called_by(&self, call: &Call) -> bool {
        !call.is_declined && !self.is_human(&call.to)
    }

    /// The agent that gets the floor when nobody in the queue can have it.
    pub(in crate::room) fn next_called(&self) -> Option<&Handle> {
        self.called().into_iter().find(|call| self.is_here(&call.to)).map(|call| &call.to)
    }

    /// Who speaks next when a person who has the floor says nothing. Whoever waits for an answer of that person is
    /// not called before it has one.
    pub(in crate::room) fn next_after_person(&self) -> Option<&Handle> {
        let asks = |handle: &Handle| {
            let mut questions = self.questions.iter();
            questions.any(|question| question.asker == *handle && self.holder() == Some(&question.human))
        };
        self.next_but_holder().or_else(|| self.next_called().filter(|called| !asks(called)))
    }

    /// The person who gets the floor for want of others: one who has to act, if there is one.
    pub(in crate::room) fn a_called_human(&self) -> Option<&Handle> {
        let may_have_it = |handle: &Handle| {
            self.member(handle).is_some_and(|member| member.is_human() && member.is_present_or_awaited())
        };
        let called = self.calls().filter(|call| may_have_it(&call.to)).min_by_key(|call| call.since);
        called.map(|call| &call.to).or_else(|| self.a_human())
    }

    /// Whether a mention puts somebody into the queue who has to act: not the holder, nobody who has left, and no person
    /// while an agent has to act, since what a person has to do waits in the inbox.
    pub(in crate::room) fn is_to_be_queued(&self, handle: &Handle) -> bool {
        let has_left = self.member(handle).is_none_or(|member| member.status == Status::Left);
        let yields = self.is_human(handle) && !self.called().is_empty();
        self.holder() != Some(handle) && !has_left && !yields
    }

    /// Whether an agent has to act, and neither has the floor nor stands in the queue.
    pub(in crate::room) fn is_overlooked(&self, handle: &Handle) -> bool {
        let is_called = self.called().into_iter().any(|call| call.to == *handle);
        is_called && self.holder() != Some(handle) && !self.queue.contains(handle)
    }

    pub(in crate::room) fn is_human(&self, handle: &Handle) -> bool {
        self.member(handle).is_some_and(Participant::is_human)
    }

    /// Whoever comes is queued with the next event, if it was overlooked.
    pub(super) fn call_back(&mut self, handle: &Handle) {
        if self.is_overlooked(handle)
            && let Some(call) = self.calls_of(handle).find(|call| !call.is_declined)
        {
            call.mentions += 1;
        }
    }

    pub(super) fn queued(&mut self, handles: &[Handle], end: QueueEnd) {
        self.queue.put(handles, end);
        self.called_again(handles);
    }

    /// Somebody wants these to speak: that they had passed their turns on does not count any more.
    fn called_again(&mut self, handles: &[Handle]) {
        for handle in handles {
            self.calls_of(handle).for_each(|call| call.is_declined = false);
        }
    }

    /// Whoever has spoken, passed its turn on or left stands in the queue no more.
    pub(super) fn answered(&mut self, handle: &Handle) {
        self.queue.take(handle);
        self.calls_of(handle).for_each(|call| call.mentions = 0);
    }

    pub(super) fn declined(&mut self, handle: &Handle) {
        self.calls_of(handle).for_each(|call| call.is_declined = true);
    }

    pub(super) fn task_moved(&mut self, moved: &TaskMoved) {
        self.last_activity = moved.at;
        let to = moved.to.as_slice();
        let holder = self.holder().cloned();
        let known = self.tasks.entry(moved.task.clone()).or_default();
        known.version = moved.version;
        let over = known.calls.replace(to, (moved.seq, moved.at), holder.as_ref());
        self.call_off(&over);
        if let Some(next) = &moved.to {
            self.end_turn_of_all_but(to, &over);
            self.called_again(to);
            let mentions = u32::from(self.is_to_be_queued(next));
            if let Some(known) = self.tasks.get_mut(&moved.task) {
                known.calls.add_mentions(next, mentions);
            }
        }
    }

    /// Whom a step calls anew: a state those whose it is, whenever it is entered; a question those who were not called
    /// yet; and its end whoever has waited for it.
    pub(in crate::room) fn called_by(&self, told: &PuzzleTold) -> Vec<Handle> {
        let known = self.puzzles.get(&told.puzzle);
        let is_entered = told.what.enters_a_state();
        let waits = |handle: &Handle| told.questions.iter().any(|one| one.by.as_ref() == Some(handle));
        let lent = known.map(|known| &*known.lent).unwrap_or_default();
        let back: Vec<&Handle> = lent.iter().filter(|lender| !waits(lender)).collect();
        let is_new = |handle: &&Handle| {
            is_entered
                || known.is_none_or(|known| !known.calls.has(handle))
                || back.contains(handle)
                || (told.what.wants().contains(handle) && !waits(handle))
        };
        let mut called: Vec<Handle> = told.to.iter().filter(is_new).cloned().collect();
        if !is_entered || told.to.is_empty() {
            // It has nothing to do any more: it has its turn again if nobody else has to act.
            let is_free = |back: &&Handle| !told.to.contains(back) && !self.others_have_to_act(told, back);
            called.extend(back.into_iter().filter(is_free).cloned());
        }
        called
    }

    /// Whether another agent that is here has to act, in this puzzle from now on or in something else.
    fn others_have_to_act(&self, told: &PuzzleTold, than: &Handle) -> bool {
        let of_tasks = self.tasks.values().flat_map(|task| task.calls.all());
        let others = self.puzzles.iter().filter(|(puzzle, _)| **puzzle != told.puzzle);
        let elsewhere = of_tasks.chain(others.flat_map(|(_, puzzle)| puzzle.open_calls()));
        let mut acting = elsewhere.filter(|call| !call.is_declined).map(|call| &call.to).chain(&told.to);
        acting.any(|one| one != than && !self.is_human(one) && self.is_here(one))
    }

    /// The turn of whoever had it is over when the puzzle comes to a state that is another's, and that of whoever was
    /// asked when it has answered.
    pub(super) fn puzzle_told(&mut self, told: &PuzzleTold) {
        self.last_activity = told.at;
        let is_entered = told.what.enters_a_state();
        let (called, holder) = (self.called_by(told), self.holder().cloned());
        let known = self.puzzles.entry(told.puzzle.clone()).or_default();
        known.version = told.version;
        match &told.what {
            PuzzleStep::Added { place, drawing } => {
                known.place = Some(place.clone());
                known.drawing = drawing.as_deref().map(Arc::from);
            }
            PuzzleStep::Moved { place, .. } => known.place = Some(place.clone()),
            PuzzleStep::Removed => (known.place, known.drawing) = (None, None),
            PuzzleStep::Asked { .. } | PuzzleStep::Answered { .. } | PuzzleStep::Refused { .. } => {}
        }
        known.questions.clone_from(&told.questions);
        known.is_timed = told.is_timed;
        known.lent.retain(|lender| told.questions.iter().any(|one| one.by.as_ref() == Some(lender)));
        let over = known.calls.replace(&told.to, (told.seq, told.at), holder.as_ref());
        self.call_off(&over);
        if is_entered && !told.to.is_empty() {
            let is_actor = told.what.actor() == holder.as_ref();
            self.end_turn_of_all_but(&told.to, if is_actor { &over } else { &[] });
        } else if !is_entered || !called.is_empty() {
            self.end_turn_of_whoever_has_answered(&over);
        }
        self.called_again(&called);
        for handle in &called {
            let mentions = u32::from(self.is_to_be_queued(handle));
            let known = self.puzzles.get_mut(&told.puzzle).filter(|known| known.calls.has(handle));
            // What is no call of this puzzle counts as one of another: it is no word that has to be answered.
            match known {
                Some(known) => known.calls.add_mentions(handle, mentions),
                None => self.calls_of(handle).take(1).for_each(|call| call.mentions += mentions),
            }
        }
        self.heard_of(told, &called);
    }

    /// Who is asked hears it at once, and who is called anew as soon as it has the floor. Whoever acts wants to go on,
    /// also if it had passed its turn on.
    fn heard_of(&mut self, told: &PuzzleTold, called: &[Handle]) {
        let wanted = told.what.wants();
        for handle in wanted.iter().filter(|handle| told.to.contains(handle)) {
            self.change(handle, |member| member.heard.wanted = told.seq);
        }
        let waits = told.what.actor().filter(|_| !wanted.is_empty());
        for handle in called.iter().chain(wanted).chain(waits) {
            self.change(handle, |member| member.heard.called = told.seq);
        }
        if let Some(actor) = told.what.actor() {
            self.calls_of(actor).for_each(|call| call.is_declined = false);
        }
    }

    /// Who is asked before the action of the holder goes on, and may have the floor meanwhile: the first in the queue.
    pub(in crate::room) fn asked_by_holder(&self) -> Option<&Handle> {
        self.asked_by(self.holder()?)
    }

    /// Who is asked before the action of this one goes on: the first in the queue. Whoever is asked itself has to answer,
    /// and waits for nobody meanwhile: of two who wait for each other, the floor would never stay with one.
    pub(super) fn asked_by(&self, who: &Handle) -> Option<&Handle> {
        let is_asked = |handle: &&Handle| *handle != who && self.is_asked_by(who, handle);
        if self.has_to_answer(who) { None } else { self.here().find(is_asked) }
    }

    /// A person who is asked the same by one who has nothing else to do. It need not have been here: the question waits in
    /// the inbox. Agents come first.
    pub(in crate::room) fn person_asked_by_holder(&self) -> Option<&Handle> {
        let person = self.person_asked_by(self.holder()?)?;
        if self.next_speaker().is_none() { Some(person) } else { None }
    }

    /// A person for whose answer this one only waits, and who has not passed the turn on.
    pub(in crate::room) fn person_asked_by(&self, who: &Handle) -> Option<&Handle> {
        let is_called = |handle: &Handle| self.calls().any(|call| call.to == *handle && !call.is_declined);
        let is_asked = |member: &&Participant| {
            let handle = &member.handle;
            let may_speak = member.is_human() && member.status != Status::Left;
            may_speak && self.is_asked_by(who, handle) && is_called(handle)
        };
        let mut others = self.members.values().map(|member| &**member).filter(|member| member.handle != *who);
        if self.only_waits(who) { others.find(is_asked).map(|member| &member.handle) } else { None }
    }

    fn has_to_answer(&self, handle: &Handle) -> bool {
        self.puzzle_questions().any(|one| one.asks.contains(handle))
    }

    fn is_asked_by(&self, holder: &Handle, handle: &Handle) -> bool {
        self.puzzle_questions().any(|one| one.by.as_ref() == Some(holder) && one.asks.contains(handle))
    }

    /// Whoever waits for the answer of this one, or has nothing to do but wait for an answer, leaves its turn to it.
    /// What was said to it is to be answered later.
    pub(super) fn lend_turn(&mut self, to: &Handle) {
        let Floor::Held(turn) = &self.floor else { return };
        let (lender, mut mentions) = (turn.handle.clone(), turn.mentions);
        let only_waits = self.only_waits(&lender);
        let asks =
            |one: &PuzzleQuestion| one.by.as_ref() == Some(&lender) && (only_waits || one.asks.contains(to));
        let mut is_lent = false;
        for puzzle in self.puzzles.values_mut().filter(|puzzle| puzzle.questions.iter().any(asks)) {
            is_lent = true;
            mentions = mentions.saturating_sub(puzzle.calls.take_mentions(&lender));
            if !puzzle.lent.contains(&lender) {
                puzzle.lent.push(lender.clone());
            }
        }
        if is_lent && mentions > 0 {
            self.queue.put_last(&lender, mentions);
        }
    }

    /// Whoever had to act has no turn to wait for any more, unless somebody else has called it, too.
    fn call_off(&mut self, over: &[Call]) {
        for call in over {
            match &mut self.floor {
                Floor::Held(turn) if turn.handle == call.to => {
                    turn.mentions = turn.mentions.saturating_sub(call.mentions);
                }
                _ => self.queue.lessen(&call.to, call.mentions),
            }
        }
    }

    /// Whoever has to act in something else keeps its turn. Of the others, one of whom a call is among `answered` has answered
    /// by what it did; one that was called by words is to answer later.
    fn end_turn_of_all_but(&mut self, to: &[Handle], answered: &[Call]) {
        let Floor::Held(turn) = &self.floor else { return };
        let (holder, mentions) = (turn.handle.clone(), turn.mentions);
        if to.contains(&holder) || self.calls().any(|call| call.to == holder) {
            return;
        }
        self.floor = Floor::Vacant;
        self.change(&holder, |member| member.is_late = false);
        if mentions > 0 && answered.iter().all(|call| call.to != holder) {
            self.queue.put_last(&holder, mentions);
        }
    }

    /// Who was asked, and has the floor for nothing else, has answered by what it did.
    fn end_turn_of_whoever_has_answered(&mut self, over: &[Call]) {
        let Floor::Held(turn) = &self.floor else { return };
        let holder = turn.handle.clone();
        let has_answered = over.iter().any(|call| call.to == holder && !call.had_floor);
        if has_answered && turn.mentions == 0 && self.calls().all(|call| call.to != holder) {
            self.floor = Floor::Vacant;
            self.change(&holder, |member| member.is_late = false);
        }
    }
}
