//! A task that lives in the room moves on: the floor goes to whoever has to act.

use crate::room::command::TaskMove;
use crate::room::draft::Draft;
use crate::room::event::{Event, QueueEnd, TaskMoved};
use crate::room::line::one_line;
use crate::room::state::Phase;

impl Draft {
    /// Who is told twice that a task moved is told once: a hub that died in between tells again.
    pub(super) fn move_task(&mut self, moved: TaskMove) {
        let known = self.state.tasks.get(&moved.task);
        if self.state.phase == Phase::Closed || known.is_some_and(|known| known.version >= moved.version) {
            return;
        }
        let TaskMove { task, version, content, summary, status, to } = moved;
        let to = to.filter(|handle| self.may_be_addressed(handle));
        let (seq, at, summary) = (self.seq(), self.now.wall, one_line(&summary));
        let next = to.clone();
        let moved = TaskMoved { seq, task, version, content, summary, status, to, at };
        self.emit(Event::TaskMoved(Box::new(moved)));
        if let Some(next) = next.filter(|next| self.state.holder() != Some(next)) {
            self.emit(Event::Queued { handles: vec![next], end: QueueEnd::Head });
        }
        self.guard();
    }
}
