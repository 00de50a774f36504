//! A task that lives in the room moves on: the floor goes to whoever has to act.

use crate::room::Handle;
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
        let TaskMove { task, version, content, summary, is_proposed, status, to } = moved;
        // Whoever has left is called all the same: it may come back.
        let to = to.filter(|handle| self.state.member(handle).is_some());
        let (seq, at, summary) = (self.seq(), self.now.wall, one_line(&summary));
        let next = to.clone();
        let moved = TaskMoved { seq, task, version, content, summary, is_proposed, status, to, at };
        self.emit(Event::TaskMoved(Box::new(moved)));
        self.queue_first(next);
        self.guard();
    }

    /// Those who have to act come next, in this order.
    pub(super) fn queue_first(&mut self, called: impl IntoIterator<Item = Handle>) {
        let called = called.into_iter();
        let handles: Vec<Handle> = called.filter(|handle| self.state.is_to_be_queued(handle)).collect();
        if !handles.is_empty() {
            self.emit(Event::Queued { handles, end: QueueEnd::Head });
        }
    }
}
