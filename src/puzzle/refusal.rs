//! Why a puzzle did not obey. Nothing has changed. Each text says what was wrong and what to do next.

use super::fault::Fault;
use super::guard::listed;
use crate::room::Handle;

/// Why a puzzle did not obey.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The machine, or a field, is not valid.
    #[error("{}", Fault::told(.0))]
    Invalid(Vec<Fault>),
    /// More than is allowed.
    #[error("{}", Fault::told(.0))]
    LimitExceeded(Vec<Fault>),
    /// The present state has no such action.
    #[error("`{action}` is no action of `{state}`, the present state{}", ended(allowed))]
    UnknownAction {
        /// What was asked for.
        action: String,
        /// The present state.
        state: String,
        /// What can be done in it.
        allowed: Vec<String>,
    },
    /// Others may do it.
    #[error("only {} may do `{action}` in `{state}`", listed(who))]
    NotAllowed {
        /// What was asked for.
        action: String,
        /// The present state.
        state: String,
        /// Who may.
        who: Vec<Handle>,
    },
    /// A guard has refused it.
    #[error("{guard} has refused `{action}`{}: {why}", by_whom(by.as_ref()))]
    GuardRefused {
        /// What was asked for.
        action: String,
        /// Which one, in words.
        guard: String,
        /// Who refused; nobody if it is a rule.
        by: Option<Handle>,
        /// Why.
        why: String,
    },
    /// Nobody can be asked.
    #[error("{guard} cannot be asked before `{action}`: it needs {needs}")]
    GuardUnavailable {
        /// What was asked for.
        action: String,
        /// Which one, in words.
        guard: String,
        /// What would do.
        needs: String,
    },
    /// Whoever was asked has given no verdict.
    #[error("{guard} was asked before `{action}`, and there is no verdict: {why}; nothing was done")]
    NoVerdict {
        /// What was asked for.
        action: String,
        /// Which one, in words.
        guard: String,
        /// What came instead.
        why: String,
    },
    /// It has changed since.
    #[error("version {expected} was expected, and the puzzle is at version {version}, in `{state}`")]
    VersionConflict {
        /// What the caller knew.
        expected: u64,
        /// The version there is.
        version: u64,
        /// The present state.
        state: String,
        /// What can be done in it.
        allowed: Vec<String>,
    },
    /// What was said to its guards was said before the last move.
    #[error(
        "what was asked before `{action}` counts no more: the puzzle has moved since, and is at version {version}, in \
         `{state}`; nothing was done"
    )]
    Lapsed {
        /// What was asked for.
        action: String,
        /// The version there is.
        version: u64,
        /// The present state.
        state: String,
        /// What can be done in it.
        allowed: Vec<String>,
    },
    /// Something else was asked for with this id.
    #[error("request id `{id}` was used before for something else; choose a new one")]
    RequestIdReused {
        /// The id.
        id: String,
    },
    /// No guard has this id.
    #[error("no guard `{guard}` waits for an answer here")]
    UnknownGuard {
        /// What was named.
        guard: String,
        /// The guards that wait for an answer.
        allowed: Vec<String>,
    },
    /// Others were faster, or the puzzle has moved.
    #[error("guard `{guard}` was settled before; the puzzle is at version {version}, in `{state}`")]
    AlreadySettled {
        /// What was named.
        guard: String,
        /// The version there is.
        version: u64,
        /// The present state.
        state: String,
        /// The guards that wait for an answer.
        allowed: Vec<String>,
    },
    /// Others are asked.
    #[error("`{by}` is not asked by guard `{guard}`, or has answered; it asks {}", listed(asks))]
    NotAsked {
        /// Which guard.
        guard: String,
        /// Who wanted to answer.
        by: Handle,
        /// Who is asked.
        asks: Vec<Handle>,
    },
    /// Nobody vouches for it that a person says so.
    #[error("{what} needs @user himself: verified words, from the page or typed at a terminal")]
    NeedsPerson {
        /// What, in words.
        what: String,
    },
    /// It would go on and on.
    #[error("`{action}` would take more than {limit} steps through `always`; nothing was done")]
    TooManySteps {
        /// What was asked for.
        action: String,
        /// How many it may take.
        limit: usize,
    },
    /// There is more to look at than may be.
    #[error(
        "`{action}` would take more than {limit} looks at rules, guards and candidates; nothing was done"
    )]
    TooMuch {
        /// What was asked for.
        action: String,
        /// How many it may take.
        limit: usize,
    },
    /// Its machine was accepted by another version.
    #[error("this version of turnroom does not accept the machine of this puzzle any more: {fault}")]
    NotAccepted {
        /// What is wrong with it.
        fault: Fault,
    },
    /// It is gone.
    #[error("the puzzle was removed")]
    Removed,
}

impl Refusal {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "validation_error",
            Self::LimitExceeded(_) => "limit_exceeded",
            Self::UnknownAction { .. } => "unknown_action",
            Self::NotAllowed { .. } => "not_allowed",
            Self::GuardRefused { .. } => "guard_refused",
            Self::GuardUnavailable { .. } => "guard_unavailable",
            Self::NoVerdict { .. } => "no_verdict",
            Self::VersionConflict { .. } | Self::Lapsed { .. } => "version_conflict",
            Self::RequestIdReused { .. } => "request_id_reused",
            Self::UnknownGuard { .. } => "unknown_guard",
            Self::AlreadySettled { .. } => "already_settled",
            Self::NotAsked { .. } => "not_asked",
            Self::NeedsPerson { .. } => "needs_person",
            Self::TooManySteps { .. } => "too_many_steps",
            Self::TooMuch { .. } => "too_much_to_look_at",
            Self::NotAccepted { .. } => "puzzle_damaged",
            Self::Removed => "puzzle_removed",
        }
    }

    /// What would be allowed.
    #[must_use]
    pub fn allowed(&self) -> Vec<String> {
        match self {
            Self::UnknownAction { allowed, .. }
            | Self::VersionConflict { allowed, .. }
            | Self::Lapsed { allowed, .. }
            | Self::UnknownGuard { allowed, .. }
            | Self::AlreadySettled { allowed, .. } => allowed.clone(),
            Self::NotAllowed { who, .. } | Self::NotAsked { asks: who, .. } => {
                who.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "correct what is named and call again",
            Self::LimitExceeded(_) => "make it smaller and call again",
            Self::UnknownAction { allowed, .. } if allowed.is_empty() => {
                "nothing can be done in this state; wait_for_puzzle tells when that changes"
            }
            Self::UnknownAction { .. } => "call again with one of the allowed actions",
            Self::NotAllowed { .. } => {
                "leave it to one of the allowed; wait_for_puzzle tells when it is done"
            }
            Self::GuardRefused { .. } => "mend what it says, then call again",
            Self::GuardUnavailable { .. } => {
                "act from a client that can ask, or give the machine a reviewer in `policy`"
            }
            Self::NoVerdict { .. } => "act again, and it is asked anew",
            Self::VersionConflict { .. } | Self::Lapsed { .. } => {
                "look at the present state, then decide anew whether it still holds"
            }
            Self::RequestIdReused { .. } => {
                "call again with another request_id, or with the same words as before"
            }
            Self::UnknownGuard { .. } => "call again with one of the allowed guards",
            Self::AlreadySettled { .. } => "nothing is left to answer there; look at the present state",
            Self::NotAsked { .. } => "leave the answer to one of the allowed",
            Self::NeedsPerson { .. } => "let @user do it on the page or at a terminal",
            Self::TooManySteps { .. } => "mend the machine: its `always` lead round in a circle",
            Self::TooMuch { .. } => {
                "make the machine smaller: its rules, the candidates of one action, or the circles of its `always`"
            }
            Self::NotAccepted { .. } => {
                "add it anew with a machine that is accepted; get_puzzle_history tells how far it had come"
            }
            Self::Removed => {
                "get_puzzle_history tells what has happened to it; list_puzzles shows those there are"
            }
        }
    }
}

fn ended(allowed: &[String]) -> &'static str {
    if allowed.is_empty() { ", in which nothing can be done" } else { "" }
}

fn by_whom(by: Option<&Handle>) -> String {
    by.map_or_else(String::new, |by| format!(" (asked: {by})"))
}
