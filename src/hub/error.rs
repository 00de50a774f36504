//! Why a call was refused.

/// Why a call was refused. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The hub stops.
    #[error("the hub stops")]
    Stopping,
}

impl HubError {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "stopping"
    }

    /// What would be allowed.
    #[must_use]
    pub fn allowed(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> String {
        String::new()
    }
}
