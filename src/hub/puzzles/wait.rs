//! Waiting for a puzzle: until something has happened to it, or until it is in one of some states.

use super::{PuzzleState, WaitPuzzle};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;

impl Hub {
    /// Waits, and gives how the puzzle stands, and whether what was waited for has come; it has not when the time is
    /// over, and when nothing will happen to the puzzle any more.
    pub async fn wait_for_puzzle(
        &self,
        caller: &Caller,
        request: &WaitPuzzle,
    ) -> Result<(PuzzleState, bool), HubError> {
        self.refuse_if_stopping()?;
        let changes = self.changes_of_puzzle(&request.puzzle).await?;
        let mut wait = self.shared.patient(caller, request.timeout, changes);
        let first = self.puzzle(&request.puzzle).await?;
        if let Some(unknown) = self.unknown_state(request).await? {
            return Err(unknown);
        }
        let version = first.snapshot.version;
        if request.since.is_some_and(|since| since > version) {
            let problem = format!("only {version} events have happened to this puzzle");
            return Err(HubError::argument("since_version", problem, &[&format!("0 to {version}")]));
        }
        let since = match request.since {
            None if request.states.is_empty() => Some(version),
            since => since,
        };
        loop {
            wait.looks();
            let state = self.puzzle(&request.puzzle).await?;
            let has_come = since.is_some_and(|since| state.snapshot.version > since)
                || request.states.contains(&state.snapshot.current_state);
            if has_come || state.is_over() || wait.is_over() {
                return Ok((state, has_come));
            }
            wait.sleep().await?;
        }
    }

    /// A state that would never come.
    async fn unknown_state(&self, request: &WaitPuzzle) -> Result<Option<HubError>, HubError> {
        let live = self.shared.puzzle(&request.puzzle).await?;
        let locked = live.lock(&*self.shared.journal).await?;
        let machine = locked.state().machine();
        let unknown = request.states.iter().find(|state| machine.find(state).is_none());
        Ok(unknown.map(|state| HubError::InvalidArgument {
            field: "states",
            problem: format!("`{state}` is no state of this puzzle"),
            allowed: machine.states().map(|(_, state)| state.path.clone()).collect(),
        }))
    }
}
