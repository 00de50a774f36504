//! The words of a flow: roles, states, and who has to act in each.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which way a task goes; fixed when it is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    /// Design, implementation, review, approval.
    #[default]
    Full,
    /// The design exists already.
    Direct,
    /// Nobody reviews.
    Solo,
}

/// Where decisions may come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// From a person who is verified, and not from one whose work it is.
    #[default]
    Human,
    /// From anybody.
    Open,
}

/// Which part of the work somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Designs.
    Architect,
    /// Implements.
    Executor,
    /// Reviews.
    Reviewer,
}

impl Role {
    /// All of them, in the order of the work.
    pub const ALL: [Self; 3] = [Self::Architect, Self::Executor, Self::Reviewer];

    /// As it is written in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Architect => "architect",
            Self::Executor => "executor",
            Self::Reviewer => "reviewer",
        }
    }

    /// The role of this exact name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The architect designs.
    #[default]
    Designing,
    /// The executor implements.
    Implementing,
    /// The reviewer reviews.
    Reviewing,
    /// The executor mends what was found.
    Revising,
    /// A person decides.
    PendingApproval,
    /// A person has approved, and has to close.
    Approved,
    /// It is over.
    Closed,
}

impl Status {
    /// All of them, in the order of the work.
    pub const ALL: [Self; 7] = [
        Self::Designing,
        Self::Implementing,
        Self::Reviewing,
        Self::Revising,
        Self::PendingApproval,
        Self::Approved,
        Self::Closed,
    ];

    /// Where a task of this flow begins.
    #[must_use]
    pub fn first(flow: Flow) -> Self {
        match flow {
            Flow::Full | Flow::Solo => Self::Designing,
            Flow::Direct => Self::Implementing,
        }
    }

    /// As it is written in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Designing => "designing",
            Self::Implementing => "implementing",
            Self::Reviewing => "reviewing",
            Self::Revising => "revising",
            Self::PendingApproval => "pending_approval",
            Self::Approved => "approved",
            Self::Closed => "closed",
        }
    }

    /// Who has to act, while nothing else is in the way.
    #[must_use]
    pub fn waiting_for(self) -> WaitingFor {
        match self {
            Self::Designing => WaitingFor::Agent(Role::Architect),
            Self::Implementing | Self::Revising => WaitingFor::Agent(Role::Executor),
            Self::Reviewing => WaitingFor::Agent(Role::Reviewer),
            Self::PendingApproval | Self::Approved => WaitingFor::Human,
            Self::Closed => WaitingFor::Nobody,
        }
    }
}

/// Who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitingFor {
    /// The agent with this role.
    Agent(Role),
    /// A person.
    Human,
    /// It is over.
    Nobody,
}

impl fmt::Display for WaitingFor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(role) => write!(out, "agent:{role}"),
            Self::Human => out.write_str("human"),
            Self::Nobody => out.write_str("none"),
        }
    }
}
