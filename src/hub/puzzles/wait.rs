//! Waiting for a puzzle: until something has happened to it, or until it is in one of some states.

use tokio::time::Instant;

use super::{PuzzleState, WaitPuzzle};
use crate::hub::Hub;
use crate::hub::caller::Caller;
use crate::hub::error::HubError;
use crate::hub::waiting::MAX_WAIT;

impl Hub {
    /// Waits, and gives how the puzzle stands, and whether what was waited for has come; it has not when the time is
    /// over, and when nothing will happen to the puzzle any more.
    pub async fn wait_for_puzzle(
        &self,
        caller: &Caller,
        request: &WaitPuzzle,
    ) -> Result<(PuzzleState, bool), HubError> {
        self.refuse_if_stopping()?;
        let limit = request.timeout.unwrap_or_else(|| self.shared.patience.of(caller.client.as_ref()));
        let begun = Instant::now();
        let over = begun + limit.min(MAX_WAIT);
        let mut changes = self.changes_of_puzzle(&request.puzzle).await?;
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
            changes.borrow_and_update();
            let state = self.puzzle(&request.puzzle).await?;
            let has_come = since.is_some_and(|since| state.snapshot.version > since)
                || request.states.contains(&state.snapshot.current_state);
            if has_come || state.is_over() || Instant::now() >= over {
                return Ok((state, has_come));
            }
            tokio::select! {
                // A puzzle that was removed has no more changes; the next look says so.
                _ = changes.changed() => {}
                () = tokio::time::sleep_until(over) => {}
                () = self.shared.stop.cancelled() => return Err(HubError::Stopping),
                () = caller.cancelled.cancelled() => {
                    if request.timeout.is_none() {
                        self.shared.given_up(caller.client.as_ref(), begun.elapsed());
                    }
                    return Err(HubError::Cancelled);
                }
            }
        }
    }

    /// A state that would never come.
    async fn unknown_state(&self, request: &WaitPuzzle) -> Result<Option<HubError>, HubError> {
        let live = self.shared.puzzle(&request.puzzle).await?;
        let locked = live.log.lock(&*self.shared.journal).await?;
        let machine = locked.state().machine();
        let unknown = request.states.iter().find(|state| machine.find(state).is_none());
        Ok(unknown.map(|state| HubError::InvalidArgument {
            field: "states",
            problem: format!("`{state}` is no state of this puzzle"),
            allowed: machine.states().map(|(_, state)| state.path.clone()).collect(),
        }))
    }
}
