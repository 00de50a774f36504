//! What is said of an item beside its title.

use super::{Item, Want, names};

impl Item {
    /// More about it, in a sentence or in the words of who asks.
    #[must_use]
    pub fn body(&self) -> String {
        match &self.want {
            Want::Question { text, .. } => text.clone(),
            Want::Barrier { .. } => "Start without those missing, or wait on.".to_owned(),
            Want::Paused { reason } => reason.sentence(),
            Want::Stuck { waiting, .. } if waiting.is_empty() => {
                "Nobody has the turn, and nobody is about to speak.".to_owned()
            }
            Want::Stuck { waiting, .. } => {
                let wait = if waiting.len() == 1 { "waits" } else { "wait" };
                format!("{} {wait} for a word; nobody else can move the room.", names(waiting))
            }
            Want::Undelivered { .. } => {
                "It was called long ago and is not here. Start it again, or remove it.".to_owned()
            }
            Want::Decision { version, .. } => format!("{}, at record {version}.", self.topic),
            Want::Attention { warnings, .. } => {
                let words = warnings
                    .iter()
                    .map(|warning| format!("Record {}: {}", warning.version, warning.code.message()));
                words.collect::<Vec<_>>().join("\n")
            }
            Want::TaskTurn { handle, .. } => {
                format!("{handle} is not here. Start it, or tell it to go on: {}.", self.topic)
            }
            Want::StartFailed { attempts, is_half_done, words, .. } => {
                let done = if *is_half_done {
                    "It published something that did not end its turn.".to_owned()
                } else {
                    let times = if *attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
                    format!(
                        "It was started {times} in this turn, and published nothing. Nobody starts it now but you."
                    )
                };
                if words.is_empty() { done } else { format!("{done} Its last words:\n{words}") }
            }
            Want::WentRound { role, handle, .. } => format!(
                "It is the turn of {handle} ({role}), and nobody is started any more. Look at what they do; a note of \
                 yours (role human) lets them go on."
            ),
            Want::RunsOn { .. } => {
                "Nobody is started beside it. Look whether it works; else end it, and start it for this turn."
                    .to_owned()
            }
            Want::Stalled { role, handle, .. } => format!("It is the turn of {handle} ({role})."),
            Want::Blocked { task, reason, can_start, .. } => {
                let again = format!(" `turnroom task start-next {task} --force` starts it again.");
                let again = if *can_start { again.as_str() } else { "" };
                said(reason.as_deref(), &format!("Answer it where it works, or in the room.{again}"))
            }
            Want::Stopped { reason, .. } => {
                said(reason.as_deref(), "It is still its turn. Tell it to go on, or start it again.")
            }
            Want::TaskDamaged { problem, .. } => {
                format!("{problem}. Nothing is started in it. `turnroom doctor` says what can be done.")
            }
            Want::NoteUnwritten { problem } => problem.clone(),
        }
    }
}

/// What an agent says, and what is to be done.
fn said(reason: Option<&str>, advice: &str) -> String {
    reason.map_or_else(|| advice.to_owned(), |reason| format!("{reason}\n{advice}"))
}
