//! What is wrong with a machine, or only odd, with the place in its JSON.

use std::fmt;

use super::limits::TOLD_FAULTS;

/// Something wrong with what was given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// Where: `config.states.A.actions.x.targetState`.
    pub path: String,
    /// What is wrong there, and what would do.
    pub problem: String,
    /// Whether it is only too much of something.
    pub is_limit: bool,
}

impl Fault {
    /// Something that is not valid.
    pub(super) fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into(), is_limit: false }
    }

    /// Too much of something.
    pub(super) fn limit(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { is_limit: true, ..Self::new(path, problem) }
    }

    /// All of them in one text.
    pub(super) fn told(faults: &[Self]) -> String {
        let mut told: Vec<_> = faults.iter().take(TOLD_FAULTS).map(ToString::to_string).collect();
        if faults.len() > TOLD_FAULTS {
            told.push(format!("and {} more", faults.len() - TOLD_FAULTS));
        }
        told.join("; ")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`: {}", self.path, self.problem)
    }
}

/// Something odd that is no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub path: String,
    /// What is odd there.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}`: {}", self.path, self.problem)
    }
}
