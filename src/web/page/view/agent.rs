//! The button that starts the agent for which a task waits.

use askama::Template;

/// The button that starts the agent for which a task waits.
#[derive(Clone, Debug, Template)]
#[template(path = "start_agent.html")]
pub(in crate::web) struct StartAgent {
    /// The task.
    pub(in crate::web) task: String,
    /// The token of the form.
    pub(in crate::web) token: String,
    /// Whether it was started for this turn before.
    pub(in crate::web) is_again: bool,
}
