//! A person starts the agent for which a task waits.

use super::Undone;
use crate::hub::{Caller, How, HubError, IfStarted, NotStarted};
use crate::web::page::Page;
use crate::web::page::acts::Fields;
use crate::web::page::fill;
use crate::web::page::view::Problem;

impl Page {
    /// A program is started for nobody but a person.
    pub(super) async fn start_agent(
        &self,
        person: &Caller,
        task: &str,
        fields: &Fields,
    ) -> Result<(), Undone> {
        if !person.is_verified {
            return Err(Undone::NotVerified);
        }
        let if_started = if fields.contains_key("force") { IfStarted::StartAnew } else { IfStarted::Refuse };
        self.hub.start_next(person, task, if_started).await?;
        Ok(())
    }
}

/// Why nothing was started, for the person in front of the page.
pub(in crate::web::page) fn problem(why: &NotStarted) -> Problem {
    let next = match why {
        NotStarted::Already { how: How::Runs, .. } => {
            "Wait for its record. “Start again” ends it, and starts it anew.".to_owned()
        }
        NotStarted::Already { how: How::RunsOn, .. } => {
            "It may be about to end. “Start again” ends it, and starts it for this turn.".to_owned()
        }
        NotStarted::Already { how: How::HasEnded, .. } => {
            "Read what it did. “Start again” starts it once more.".to_owned()
        }
        NotStarted::WaitsForPerson(_) | NotStarted::WaitsForNobody(_) => "Load the page again.".to_owned(),
        NotStarted::WentRound { .. } | NotStarted::NoCommand { .. } => why.next(),
    };
    Problem { message: fill::problem(HubError::from(why.clone())).message, allowed: Vec::new(), next }
}
