//! Passing a turn on without a word.

use crate::room::command::Pass;
use crate::room::draft::Draft;
use crate::room::event::{Event, QueueEnd};
use crate::room::line::one_line;
use crate::room::state::Phase;
use crate::room::{Handle, Refusal};

impl Draft {
    /// The holder passes its own turn; a person passes anybody's. Who has nothing to pass gets no event.
    pub(super) fn pass(&mut self, pass: Pass) -> Result<(), Refusal> {
        let to = pass.to.as_deref().map(|to| self.find(to)).transpose()?.filter(|to| *to != pass.by);
        self.joined(&pass.by)?;
        self.settle();
        let holder = self.turn_to_pass(&pass.by);
        let is_late = self.is_late(&pass.by);
        let is_person = self.is_person(&pass.by);
        if is_person {
            self.person_acts(&pass.by);
        }
        let may_give = to.is_some() && (is_person || self.is_free());
        if holder.is_none() && !is_late && !may_give {
            return Ok(());
        }
        let (seq, at) = (self.seq(), self.now.wall);
        let reason = pass.reason.map(|reason| one_line(&reason)).filter(|reason| !reason.is_empty());
        self.emit(Event::Passed { seq, by: pass.by.clone(), holder, to: to.clone(), reason, at });
        if let Some(to) = to {
            self.emit(Event::Queued { handles: vec![to], end: QueueEnd::Head });
        }
        if is_person {
            self.start_by(pass.by);
        }
        self.guard();
        Ok(())
    }

    /// Whose turn `by` may pass. The floor of a paused room is the person's own: the turn that stands still
    /// meanwhile is not passed with it.
    fn turn_to_pass(&self, by: &Handle) -> Option<Handle> {
        let holder = self.state.holder().filter(|_| self.state.phase == Phase::Open)?;
        (holder == by || self.is_person(by)).then(|| holder.clone())
    }

    fn is_late(&self, by: &Handle) -> bool {
        self.state.phase == Phase::Open && self.state.member(by).is_some_and(|member| member.is_late)
    }

    fn is_free(&self) -> bool {
        self.state.phase == Phase::Open && self.state.holder().is_none()
    }
}
