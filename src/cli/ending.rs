//! How a command ended, as an exit code that scripts and agents can act on.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It did what was asked.
    Done,
    /// The hub refused, or what was asked did not come about.
    Refused,
    /// No hub answers.
    Unreachable,
    /// The time was over.
    TimedOut,
    /// A hook has something to tell its agent.
    Reminded,
    /// What is watched is over.
    Over,
    /// A person must look at what is watched.
    Attention,
    /// Ctrl-C.
    Interrupted,
}

impl Ending {
    /// The exit code for words that are no command; clap has the same.
    pub(super) const USAGE: u8 = 2;

    /// The exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Refused => 1,
            // What the clients that run hooks understand as: go on, for this reason.
            Self::Reminded => 2,
            // What take-ur-turn gave for a watch, and scripts know.
            Self::Over => 2,
            Self::Unreachable | Self::Attention => 3,
            Self::TimedOut => 4,
            Self::Interrupted => 130,
        }
    }
}
