//! What has happened to a puzzle, in words.

use serde_json::Value;

use super::puzzle::answer;
use super::words::{beginning, someone};
use crate::hub::Happened;
use crate::puzzle::event::{Given, Microstep, Moved, Refused, between};
use crate::puzzle::{Cause, Event, Pending};
use crate::room::Handle;
use crate::transcript::{one_line, plain_text};
use crate::web::machine::after;
use crate::web::page::view::{Html, Moment, Step, Tone};

/// One thing that has happened.
pub(in crate::web::page) fn step(happened: &Happened) -> Step {
    let bare = Step {
        version: happened.version,
        what: String::new(),
        way: None,
        through: Vec::new(),
        actor: None,
        at: Moment::clock(happened.event.at()),
        outcome: None,
        is_verified: false,
        words: None,
        answers: Vec::new(),
        unguarded: Vec::new(),
        more: None,
    };
    match &happened.event {
        Event::PuzzleAdded(added) => {
            let first = added.through.last().map_or("", |step| &step.to);
            Step {
                what: format!("Added, in {}", one_line(first)),
                through: through(&added.through),
                actor: added.about.by.as_ref().map(someone),
                is_verified: added.about.verified,
                ..bare
            }
        }
        Event::GuardAsked { pending } => asked(pending, bare),
        Event::RequestJoined(_) => Step { what: "The same action again".to_owned(), ..bare },
        Event::VerdictGiven(given) => verdict(given, bare),
        Event::GuardsPassed { findings, .. } => Step {
            what: "Programs".to_owned(),
            outcome: Some((Tone::Good, "let it pass".to_owned())),
            answers: findings.iter().map(answer).collect(),
            ..bare
        },
        Event::ActionRefused(refused) => came_to_nothing(refused, bare),
        Event::PuzzleMoved(moved) => went(moved, bare),
        Event::PuzzleRemoved { by, verified, .. } => Step {
            what: "Removed".to_owned(),
            actor: by.as_ref().map(someone),
            is_verified: *verified,
            ..bare
        },
    }
}

fn asked(pending: &Pending, bare: Step) -> Step {
    let asks: Vec<_> = pending.asks.iter().map(Handle::as_str).collect();
    Step {
        what: cause(&pending.cause),
        way: Some((one_line(&pending.state), one_line(&pending.target))),
        actor: pending.actor.as_ref().map(someone),
        is_verified: pending.verified,
        outcome: Some((Tone::Plain, format!("waits for {}", asks.join(", ")))),
        words: words(&pending.question),
        ..bare
    }
}

fn verdict(given: &Given, bare: Step) -> Step {
    let outcome = if given.pass { (Tone::Good, "lets it pass") } else { (Tone::Bad, "refuses") };
    Step {
        what: "Answer".to_owned(),
        actor: Some(someone(&given.by)),
        is_verified: given.verified,
        outcome: Some((outcome.0, outcome.1.to_owned())),
        words: given.reason.as_deref().and_then(words),
        ..bare
    }
}

fn came_to_nothing(refused: &Refused, bare: Step) -> Step {
    let by = refused.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    Step {
        what: cause(&refused.cause),
        actor: refused.actor.as_ref().map(someone),
        is_verified: refused.verified,
        outcome: Some((Tone::Bad, format!("refused{by}"))),
        words: words(&refused.why),
        ..bare
    }
}

fn went(moved: &Moved, bare: Step) -> Step {
    let more = (!moved.set.is_empty()).then(|| format!("{:#}", Value::Object(moved.set.clone())));
    Step {
        what: cause(&moved.cause),
        way: Some((one_line(&moved.from), one_line(&moved.to))),
        through: through(&moved.through),
        actor: moved.actor.as_ref().map(someone),
        is_verified: moved.verified,
        answers: moved.verdicts.iter().map(answer).collect(),
        unguarded: moved.unguarded.iter().map(|guard| one_line(guard)).collect(),
        more: more.map(|more| plain_text(&more).into_owned()),
        ..bare
    }
}

/// The states between, through which `always` has led.
fn through(steps: &[Microstep]) -> Vec<String> {
    between(steps).iter().map(|state| one_line(state)).collect()
}

/// What makes a puzzle move, for people.
fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Action(action) => one_line(action),
        Cause::Timer { ms, .. } => after(*ms),
    }
}

fn words(text: &str) -> Option<Html> {
    (!text.trim().is_empty()).then(|| Html::of_markdown(beginning(text)))
}
