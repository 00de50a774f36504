//! What a caller of a puzzle should do now, in one sentence: some models read nothing else.

use crate::hub::{Calls, HubError, PuzzleState};
use crate::puzzle::{Event, Refusal, Waiting};
use crate::room::Handle;

/// What is said of a puzzle to which nothing will happen any more.
const OVER: &str =
    "it has ended: nothing can be done in it, and nothing will happen to it; do not wait for it";

/// What to do with a puzzle that stands so.
pub(super) fn next(of: &PuzzleState) -> String {
    let snapshot = &of.snapshot;
    if snapshot.is_removed {
        return "it was removed: nothing can be done in it; list_puzzles shows those there are".to_owned();
    }
    if of.is_over() {
        return OVER.to_owned();
    }
    let asked = snapshot.pending.iter().find(|pending| !pending.asks.is_empty());
    if let Some(pending) = asked {
        let asks = of_these(&pending.asks, pending.needed);
        let (action, guard) = (&pending.action, &pending.guard_id);
        let silent = silence(of);
        return format!(
            "{asks} must answer guard `{guard}` with answer_guard before `{action}` is done{silent}; wait_for_puzzle tells when"
        );
    }
    if let Some(pending) = snapshot.pending.first() {
        return agreed(of, &pending.action, pending.actor.as_ref());
    }
    if snapshot.available_actions.is_empty() {
        return "nothing can be done now; it goes on by itself, and wait_for_puzzle tells when".to_owned();
    }
    if of.who.is_empty() {
        return "perform_action_on_puzzle does one of availableActions; wait_for_puzzle waits for others"
            .to_owned();
    }
    format!(
        "it is the turn of {}: perform_action_on_puzzle does one of availableActions; all others call wait_for_puzzle{}",
        some(&of.who),
        silence(of)
    )
}

/// What to do while others are asked.
pub(super) fn while_asked(of: &PuzzleState, waiting: &Waiting) -> String {
    if waiting.asks.is_empty() {
        return agreed(of, &waiting.action, waiting.actor.as_ref());
    }
    format!(
        "{} must answer with answer_guard first{}; wait_for_puzzle tells when that is done, or act again with wait_seconds",
        of_these(&waiting.asks, waiting.needed),
        silence(of),
    )
}

/// What comes after all have agreed: the hub goes on and asks programs, or the actor has to come.
pub(super) fn agreed(of: &PuzzleState, action: &str, actor: Option<&Handle>) -> String {
    match actor.filter(|actor| of.awaited.contains(actor)) {
        Some(actor) => format!("all have agreed to `{action}`; {actor} has to act once more"),
        None => format!(
            "all have agreed to `{action}`; a program is asked now, and it goes on by itself: wait_for_puzzle tells when"
        ),
    }
}

/// What is said of those who are asked where no room calls them.
fn silence(of: &PuzzleState) -> String {
    let Some(room) = &of.room else { return String::new() };
    let happened = match room.calls {
        Calls::Here => return String::new(),
        Calls::Closed => "is closed",
        Calls::Deleted => "was deleted",
    };
    format!("; room `{}` {happened}, so nobody is called there: tell them yourself", room.id)
}

/// What an answer to a guard has come to, in a word, and what to do now.
pub(super) fn after_answer(of: &PuzzleState, events: &[Event]) -> (&'static str, String) {
    let passed = events.iter().any(|event| matches!(event, Event::VerdictGiven(given) if given.pass));
    for event in events {
        match event {
            Event::PuzzleMoved(_) => return ("moved", next(of)),
            Event::ActionRefused(no) if passed => {
                let (action, guard, why) = (no.cause.name(), &no.guard, &no.why);
                return (
                    "refused",
                    format!(
                        "you let it pass, and `{action}` was refused all the same by {guard}: {why}; nothing has moved"
                    ),
                );
            }
            Event::ActionRefused(no) => {
                return ("refused", format!("`{}` is refused; nothing has moved", no.cause.name()));
            }
            Event::GuardAsked { .. } => return ("asked", next(of)),
            _ => {}
        }
    }
    if events.is_empty() { ("known", next(of)) } else { ("waits", next(of)) }
}

/// What to do after a refusal, where how the puzzle stands tells more than the refusal.
pub(super) fn after_refusal(refusal: &Refusal, of: &PuzzleState) -> Option<String> {
    match refusal {
        Refusal::UnknownAction { allowed, .. } if allowed.is_empty() && of.is_over() => Some(OVER.to_owned()),
        Refusal::LimitExceeded(faults) if faults.iter().any(|fault| fault.path == "guards") => {
            let asks: Vec<Handle> = of.snapshot.pending.iter().flat_map(|waiting| waiting.asks.clone()).collect();
            if asks.is_empty() {
                return Some(next(of));
            }
            Some(format!("wait until a question to {} is answered: wait_for_puzzle, then call again", some(&asks)))
        }
        Refusal::UnknownGuard { allowed, .. } if allowed.is_empty() => {
            Some(format!("no guard waits for an answer; {}", next(of)))
        }
        Refusal::GuardUnavailable { .. } => Some(
            "let somebody else act, or act from a client that can ask, or give the machine a reviewer in `policy`"
                .to_owned(),
        ),
        _ => None,
    }
}

/// The words for one whose action was overtaken, who had named no version.
pub(super) fn overtaken(error: &HubError) -> Option<String> {
    let HubError::Puzzle { refusal: Refusal::VersionConflict { version, state, .. }, .. } = error else {
        return None;
    };
    Some(format!(
        "the puzzle has moved before this was done: it is at version {version}, in `{state}`; nobody is asked about it \
         any more"
    ))
}

/// So many of these.
fn of_these(handles: &[Handle], needed: usize) -> String {
    match needed {
        _ if needed >= handles.len() => some(handles),
        1 => format!("one of {}", some(handles)),
        needed => format!("{needed} of {}", some(handles)),
    }
}

/// Some handles; of many, the first.
fn some(handles: &[Handle]) -> String {
    const NAMED: usize = 5;
    let mut names: Vec<String> = Vec::new();
    for handle in handles {
        if !names.iter().any(|name| name == handle.as_str()) {
            names.push(handle.to_string());
        }
    }
    if names.len() > NAMED {
        let more = names.len() - NAMED;
        names.truncate(NAMED);
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
