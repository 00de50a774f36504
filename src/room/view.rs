//! What can be seen of a room.

use chrono::{DateTime, Utc};

use super::event::{PuzzleQuestion, PuzzleState};
use super::floor::Turn;
use super::participant::Participant;
use super::state::{Pause, Phase, PuzzlePlace, Question, TaskPlace};
use super::{Handle, Policy, Room};

impl Room {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.state.made.room
    }

    /// What it is about.
    #[must_use]
    pub fn topic(&self) -> &str {
        &self.state.made.topic
    }

    /// Where its transcript lies.
    #[must_use]
    pub fn filepath(&self) -> &str {
        &self.state.made.filepath
    }

    /// When it was made.
    #[must_use]
    pub fn opened_at(&self) -> DateTime<Utc> {
        self.state.made.at
    }

    /// The session that made it.
    #[must_use]
    pub fn creator(&self) -> &str {
        &self.state.made.creator
    }

    /// The rules.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        self.state.policy()
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// A participant, by its handle.
    #[must_use]
    pub fn participant(&self, handle: &Handle) -> Option<&Participant> {
        self.state.member(handle)
    }

    /// Whether a task or a puzzle that lives here waits for a person.
    pub(super) fn has_work_for_people(&self) -> bool {
        self.state.calls().any(|call| self.state.is_human(&call.to))
    }

    /// A participant, by a handle or an alias in any spelling.
    #[must_use]
    pub fn resolve(&self, name: &str) -> Option<&Participant> {
        self.state
            .names
            .resolve(name.strip_prefix('@').unwrap_or(name))
            .and_then(|handle| self.state.member(handle))
    }

    /// Every name that somebody has here, folded: handles and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.state.names.all()
    }

    /// Everyone who stands in lists, in order.
    #[must_use]
    pub fn participants(&self) -> Vec<&Participant> {
        let mut members = self.state.in_order();
        members.retain(|member| member.is_listed);
        members
    }

    /// Who has the floor: the holder of the turn, or the person whom a pause waits for.
    #[must_use]
    pub fn active_turn(&self) -> Option<Handle> {
        match self.state.phase {
            Phase::Open => self.state.holder().cloned(),
            Phase::Paused => Some(self.keeper()),
            Phase::Gathering | Phase::Closed => None,
        }
    }

    /// The turn that runs, if any. It stands still while the room is paused.
    #[must_use]
    pub fn turn(&self) -> Option<&Turn> {
        self.state.turn()
    }

    /// Who comes next.
    #[must_use]
    pub fn queue(&self) -> Vec<Handle> {
        self.state.queue.handles().cloned().collect()
    }

    /// What people are asked, oldest first.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.state.questions
    }

    /// The tasks whose turns are taken here.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.state.tasks.keys().map(String::as_str)
    }

    /// The newest record of a task of which the room was told, 0 for its making; nothing: it knows no such task.
    #[must_use]
    pub fn told_of_task(&self, task: &str) -> Option<u64> {
        self.state.tasks.get(task).map(|known| known.version)
    }

    /// Those of them that wait for a person.
    pub fn tasks_for_people(&self) -> impl Iterator<Item = &str> {
        let waits = |task: &TaskPlace| task.calls.all().any(|call| self.state.is_human(&call.to));
        self.state.tasks.iter().filter(move |(_, task)| waits(task)).map(|(id, _)| id.as_str())
    }

    /// The puzzles that wait for a person.
    pub fn puzzles_for_people(&self) -> impl Iterator<Item = &str> {
        let waits = |puzzle: &PuzzlePlace| puzzle.calls.all().any(|call| self.state.is_human(&call.to));
        self.state.puzzles.iter().filter(move |(_, puzzle)| waits(puzzle)).map(|(id, _)| id.as_str())
    }

    /// Whether a puzzle that lives here waits for this one.
    #[must_use]
    pub fn has_to_act_in_a_puzzle(&self, handle: &Handle) -> bool {
        self.state.puzzles.values().any(|puzzle| puzzle.calls.has(handle))
    }

    /// What keeps this one from going on in a puzzle, if it has nothing else to do, and whether none of those who are
    /// asked is here.
    #[must_use]
    pub fn only_waits_for(&self, handle: &Handle) -> Option<(&PuzzleQuestion, bool)> {
        let question = self.state.questions_of(handle).find(|_| self.state.only_waits(handle))?;
        let is_here = |asked: &Handle| self.state.is_human(asked) || self.state.is_here(asked);
        Some((question, !question.asks.iter().any(is_here)))
    }

    /// What lives here and is not over, in words.
    pub fn lodgers(&self) -> impl Iterator<Item = String> {
        let waits = self.state.tasks.iter().filter(|(_, task)| task.calls.all().next().is_some());
        let tasks = waits.map(|(task, _)| format!("task `{task}`"));
        let puzzles = self.puzzles().filter(|(_, place, _)| !place.is_final);
        tasks.chain(puzzles.map(|(puzzle, ..)| format!("puzzle `{puzzle}`")))
    }

    /// The puzzles that live here: which, where it stands, and the machine in Mermaid's words.
    pub fn puzzles(&self) -> impl Iterator<Item = (&str, &PuzzleState, Option<&str>)> {
        self.state.puzzles.iter().filter_map(|(puzzle, known)| {
            known.place.as_ref().map(|place| (puzzle.as_str(), place, known.drawing.as_deref()))
        })
    }

    /// How much of what has happened to a puzzle the room was told.
    #[must_use]
    pub fn known_of_puzzle(&self, puzzle: &str) -> u64 {
        self.state.puzzles.get(puzzle).map_or(0, |known| known.version)
    }

    /// How many records of tasks the room was told: more with each.
    #[must_use]
    pub fn records_told(&self) -> u64 {
        self.state.tasks.values().map(|task| task.version).sum()
    }

    /// The pause that goes on, if the room is paused.
    #[must_use]
    pub fn pause(&self) -> Option<&Pause> {
        self.state.pause.as_ref()
    }

    /// Number of the newest message or notice; 0 is none.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.state.last_seq
    }

    /// How many messages; notices do not count.
    #[must_use]
    pub fn message_count(&self) -> u64 {
        self.state.message_count
    }

    /// When something last happened.
    #[must_use]
    pub fn last_activity(&self) -> DateTime<Utc> {
        self.state.last_activity
    }

    /// Turns of agents left until the room pauses.
    #[must_use]
    pub fn turns_until_pause(&self) -> Option<u32> {
        self.state.loop_guard.turns_left(self.state.policy())
    }

    /// Declared agents that have not joined.
    #[must_use]
    pub fn missing(&self) -> Vec<Handle> {
        let missing = self.state.in_order().into_iter().filter(|member| member.is_missing());
        missing.map(|member| member.handle.clone()).collect()
    }
}
