//! The checked form of a state machine. It is made by [`Machine::parse`] only, so whatever it names exists in it.
//!
//! One form for both spellings: a tree of states below a root. A flat machine is a tree of one level.

mod called;
mod order;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::guard::Guards;
use crate::room::Handle;

pub use ways::Leg;

/// One state of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub(super) usize);

impl StateId {
    /// What holds all states, and is none that clients see.
    pub const ROOT: Self = Self(0);
}

/// A state machine, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The id that it asks for.
    pub id: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The room that it asks for.
    pub room: Option<String>,
    /// The context that it begins with.
    pub context: Map<String, Value>,
    /// Who plays which part.
    pub roles: BTreeMap<String, Vec<Handle>>,
    /// Who is asked, if a guard does not say it.
    pub policy: Policy,
    /// Those whose acts rules count one by one.
    pub(super) counted: BTreeSet<Handle>,
    /// The root first; children after their parents.
    pub(super) states: Vec<State>,
}

/// Who is asked, if a guard does not say it.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What becomes of a transition if nobody can be asked.
    pub unavailable: Unavailable,
    /// Who is asked a question; the first of them who can be.
    pub question_by: Vec<QuestionBy>,
    /// The participants who are asked questions.
    pub reviewers: Vec<Handle>,
}

/// What becomes of a transition if nobody can be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unavailable {
    /// It is refused.
    #[default]
    Refuse,
    /// It is done, and marked as unguarded.
    Allow,
}

/// Who may be asked a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionBy {
    /// The reviewers of the policy.
    Participant,
    /// Whoever sits at the acting client.
    Form,
    /// The model of the acting client.
    Sampling,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            unavailable: Unavailable::Refuse,
            question_by: vec![QuestionBy::Participant, QuestionBy::Form, QuestionBy::Sampling],
            reviewers: Vec::new(),
        }
    }
}

/// One state.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The names from the outermost to its own, with dots between them. That of the root is empty.
    pub path: String,
    /// Its own name.
    pub key: String,
    /// What kind of state it is.
    pub kind: Kind,
    /// What it is for.
    pub description: Option<String>,
    /// Who gets the floor when it is entered.
    pub who: Vec<Handle>,
    /// A document for those who act or judge in it.
    pub resource: Option<Resource>,
    /// What must hold before it is left.
    pub exit_guard: Guards,
    /// What must hold before it is entered.
    pub enter_guard: Guards,
    /// What can be done in it: of each action the candidates, in order.
    pub actions: BTreeMap<String, Vec<Transition>>,
    /// Transitions that are taken as soon as their rules hold.
    pub always: Vec<Transition>,
    /// Transitions after so many milliseconds in it.
    pub after: BTreeMap<u64, Vec<Transition>>,
    pub(super) parent: Option<StateId>,
}

/// What kind of state it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has no states in it.
    Atomic,
    /// It has states in it, and begins with this one.
    Compound(StateId),
    /// The end.
    Final,
    /// Not a state, but the way back to the one in which its parent was left.
    History {
        /// The innermost state; else only the one below its parent.
        is_deep: bool,
        /// Where it leads to if its parent was never left.
        target: Option<StateId>,
    },
}

/// A document of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// What it says.
    pub text: String,
    /// What kind of text it is.
    pub mime_type: Option<String>,
}

/// A way from one state to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transition {
    /// Where it leads to; without it the state stays.
    pub target: Option<StateId>,
    /// Whether its state is left and entered anew if the target lies in it or is itself.
    pub reenters: bool,
    /// What must hold.
    pub guard: Guards,
    /// Who may take it; nobody named: anybody.
    pub allowed: Vec<Handle>,
    /// What it puts into the context.
    pub set: Map<String, Value>,
    /// What it is for.
    pub description: Option<String>,
}

impl Default for Machine {
    /// A machine that can do nothing.
    fn default() -> Self {
        Self {
            id: None,
            name: None,
            description: None,
            room: None,
            context: Map::new(),
            roles: BTreeMap::new(),
            policy: Policy::default(),
            counted: BTreeSet::new(),
            states: vec![State::new(String::new(), String::new(), None)],
        }
    }
}

impl State {
    pub(super) fn new(key: String, path: String, parent: Option<StateId>) -> Self {
        Self {
            path,
            key,
            kind: Kind::Atomic,
            description: None,
            who: Vec::new(),
            resource: None,
            exit_guard: Guards::from([]),
            enter_guard: Guards::from([]),
            actions: BTreeMap::new(),
            always: Vec::new(),
            after: BTreeMap::new(),
            parent,
        }
    }

    /// All ways that lead out of it by themselves or by an action.
    pub(super) fn transitions(&self) -> impl Iterator<Item = &Transition> {
        self.actions.values().flatten().chain(&self.always).chain(self.after.values().flatten())
    }
}

impl Machine {
    /// A state of it.
    #[must_use]
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.0]
    }

    /// All states that clients see, each with its id.
    pub fn states(&self) -> impl Iterator<Item = (StateId, &State)> {
        self.all().skip(1)
    }

    /// All states with the root, each with its id.
    pub(super) fn all(&self) -> impl Iterator<Item = (StateId, &State)> {
        self.states.iter().enumerate().map(|(number, state)| (StateId(number), state))
    }

    /// The state of this dotted path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.path == path).map(StateId)
    }

    /// A state and all around it, outwards, the root last.
    pub fn chain(&self, id: StateId) -> impl Iterator<Item = StateId> {
        std::iter::successors(Some(id), |id| self.state(*id).parent)
    }

    /// The states whose transitions count in this one, outwards; none once the machine has ended.
    pub fn active(&self, id: StateId) -> impl Iterator<Item = StateId> {
        let is_final = self.is_final(id);
        self.chain(id).filter(move |_| !is_final)
    }

    /// Whether the whole machine has ended with this state.
    #[must_use]
    pub fn is_final(&self, id: StateId) -> bool {
        let state = self.state(id);
        state.kind == Kind::Final && state.parent == Some(StateId::ROOT)
    }

    /// Who gets the floor in a state: as it says, or the nearest one around it that says it.
    #[must_use]
    pub fn who(&self, id: StateId) -> &[Handle] {
        self.chain(id).map(|id| self.state(id).who.as_slice()).find(|who| !who.is_empty()).unwrap_or(&[])
    }
}
