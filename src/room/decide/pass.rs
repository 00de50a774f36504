//! Passing a turn on without a word.

use crate::room::command::Pass;
use crate::room::draft::Draft;
use crate::room::event::{Event, QueueEnd};
use crate::room::state::Phase;
use crate::room::{Handle, Refusal};

impl Draft {
    /// The holder passes its own turn; a person passes anybody's. Who has nothing to pass gets no event.
    pub(super) fn pass(&mut self, pass: Pass) -> Result<(), Refusal> {
        let to = pass.to.as_deref().map(|to| self.find(to)).transpose()?.filter(|to| *to != pass.by);
        self.joined(&pass.by)?;
        let is_person = self.is_person(&pass.by);
        if is_person {
            self.person_acts(&pass.by);
        }
        if !is_person && !self.may_pass(&pass.by) {
            return Ok(());
        }
        let holder = self.state.holder().filter(|holder| is_person || **holder == pass.by).cloned();
        let is_late = self.state.member(&pass.by).is_some_and(|member| member.is_late);
        if holder.is_none() && to.is_none() && !is_late {
            return Ok(());
        }
        let (seq, at) = (self.seq(), self.now.wall);
        let reason = pass.reason.filter(|reason| !reason.trim().is_empty());
        self.emit(Event::Passed { seq, by: pass.by, holder, to: to.clone(), reason, at });
        if let Some(to) = to {
            self.emit(Event::Queued { handles: vec![to], end: QueueEnd::Head });
        }
        if is_person && self.state.phase == Phase::Gathering {
            self.start();
        }
        Ok(())
    }

    fn may_pass(&self, by: &Handle) -> bool {
        let is_free = self.state.holder().is_none();
        let is_late = self.state.member(by).is_some_and(|member| member.is_late);
        self.state.phase == Phase::Open && (is_free || is_late || self.state.holder() == Some(by))
    }
}
