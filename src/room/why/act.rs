//! The one act that frees those who wait, and the command that does it.

use super::View;
use crate::room::participant::Participant;
use crate::room::state::Phase;
use crate::room::{Handle, Status};

/// So many are named in one message; whoever is freed first frees the others.
const NAMED: usize = 3;

/// What a person can do so that a room moves on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Open the room without those missing.
    Start,
    /// End the pause.
    Resume,
    /// Say something to these.
    Say {
        /// The person who speaks.
        by: Handle,
        /// Who is to go on.
        to: Vec<Handle>,
    },
    /// Pass the turn of its holder on.
    Pass {
        /// The person who passes it.
        by: Handle,
    },
    /// Look at a puzzle: those who have to act in it are not here.
    See {
        /// Which one.
        puzzle: String,
    },
    /// End the room: nobody is left to go on.
    Close {
        /// The person who ends it.
        by: Handle,
    },
}

impl Act {
    /// The command to type. Handles and rooms need no quotes.
    #[must_use]
    pub fn command_line(&self, room: &str) -> String {
        // At a terminal everybody is `@user` who says nothing else.
        let by = |by: &Handle| if *by == Handle::user() { String::new() } else { format!(" --as {by}") };
        match self {
            Self::Start => format!("turnroom start {room}"),
            Self::Resume => format!("turnroom resume {room}"),
            Self::Say { by: speaker, to } => {
                let names = to.iter().map(Handle::as_str).collect::<Vec<_>>().join(" ");
                format!("turnroom say {room} '{names} please go on'{}", by(speaker))
            }
            Self::Pass { by: person } => format!("turnroom pass {room}{}", by(person)),
            Self::See { puzzle } => format!("turnroom puzzle show {puzzle}"),
            Self::Close { by: person } => format!("turnroom close {room}{}", by(person)),
        }
    }
}

impl View<'_> {
    /// What moves the room on. In a room that is over nothing does.
    pub(super) fn act(&self) -> Act {
        match self.state.phase {
            Phase::Gathering => Act::Start,
            Phase::Paused => Act::Resume,
            Phase::Open | Phase::Closed => self.act_on_the_floor(),
        }
    }

    fn act_on_the_floor(&self) -> Act {
        if let Some(puzzle) = self.stranded() {
            return Act::See { puzzle };
        }
        let Some(turn) = self.turn() else { return self.say_to_somebody(self.person()) };
        if self.is_human(&turn.handle) {
            return self.say_to_somebody(turn.handle.clone());
        }
        let by = self.person();
        // Whoever acts is here by it, and would get the turn if it stands before the agent.
        let comes_first = |next: &Handle| {
            self.state.queue.handles().find(|handle| **handle == by || *handle == next) == Some(next)
        };
        if self.next_agent(&turn.handle).is_some_and(comes_first) {
            Act::Pass { by }
        } else {
            Act::Say { by, to: vec![turn.handle.clone()] }
        }
    }

    /// A puzzle that holds the room up, where no word to an agent that is here would help.
    fn stranded(&self) -> Option<String> {
        let can_act = self.work().any(|call| self.state.is_here(&call.to));
        let is_still = self.here.is_empty() || self.is_stuck();
        let (puzzle, _) = self.state.stranded().next().filter(|_| !can_act && is_still)?;
        Some(puzzle.to_owned())
    }

    /// To those who asked, and to an agent that is here, so that the floor has where to go.
    fn say_to_somebody(&self, by: Handle) -> Act {
        let mut to: Vec<Handle> = Vec::new();
        for question in self.state.questions.iter().filter(|question| question.human == by) {
            if self.is_part(&question.asker) && !to.contains(&question.asker) && to.len() < NAMED {
                to.push(question.asker.clone());
            }
        }
        // A person who asked can speak anyway; the room moves when an agent does.
        let is_agent_here = |member: &Participant| !member.is_human() && member.is_here();
        if !to.iter().any(|handle| self.state.member(handle).is_some_and(is_agent_here)) {
            to.extend(self.somebody(&by).cloned().filter(|handle| !to.contains(handle)));
        }
        if to.is_empty() { Act::Close { by } } else { Act::Say { by, to } }
    }

    /// An agent that is here and has to act, else one that waits in a call, else one that is here, else one that may
    /// come.
    fn somebody(&self, by: &Handle) -> Option<&Handle> {
        let has_to_act =
            self.work().find_map(|call| self.here.iter().copied().find(|agent| agent.handle == call.to));
        let waits = self.here.iter().copied().find(|agent| self.waits_in_a_call(agent));
        let may_come = || {
            let members = self.state.in_order().into_iter();
            members
                .filter(|member| member.handle != *by && self.is_part(&member.handle))
                .find(|m| !m.is_human())
        };
        let found = has_to_act.or(waits).or_else(|| self.here.iter().copied().next()).or_else(may_come);
        found.map(|member| &member.handle)
    }

    fn is_part(&self, handle: &Handle) -> bool {
        self.state.member(handle).is_some_and(|member| member.status != Status::Left)
    }
}
