//! Why a call that comes back with an answer to a question is not taken.

/// Why the `requestState` of a call is not taken. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateFault {
    /// There is an answer, and nothing that says to what.
    #[error("`inputResponses` came without the `requestState` of the question")]
    Missing,
    /// Nobody has signed it so.
    #[error("the `requestState` is not one that this hub has given")]
    Changed,
    /// Another hub has signed it, or this one before it was started anew.
    #[error("the `requestState` was given before the hub was started anew")]
    OfOtherHub,
    /// It was given for something else.
    #[error("the `requestState` was given to another client, or for a call with other arguments")]
    Foreign,
    /// It is too old.
    #[error("the `requestState` has expired: it is taken for ten minutes")]
    Expired,
    /// It was taken before.
    #[error("the `requestState` was used before, and is taken once")]
    Used,
}

impl StateFault {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Missing | Self::Changed | Self::OfOtherHub | Self::Foreign => "request_state_invalid",
            Self::Expired => "request_state_expired",
            Self::Used => "request_state_used",
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(self) -> &'static str {
        match self {
            Self::Used => {
                "look how the puzzle stands with get_puzzle_snapshot; if it is not done, act again without \
                 `requestState` and `inputResponses`"
            }
            _ => "act again without `requestState` and `inputResponses`; what has to be asked is asked anew",
        }
    }
}
