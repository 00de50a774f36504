//! Somebody makes a puzzle.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{checked_id, too_many_steps, too_much};
use crate::puzzle::command::{Add, May};
use crate::puzzle::effort::Effort;
use crate::puzzle::event::{About, Added, Cause, Event};
use crate::puzzle::fault::{Fault, Warning};
use crate::puzzle::judge::{Judge, Reach, Stop};
use crate::puzzle::limits::MAX_EFFORT;
use crate::puzzle::machine::Machine;
use crate::puzzle::parse::checked_name;
use crate::puzzle::place::Place;
use crate::puzzle::refusal::Refusal;
use crate::puzzle::walk;
use crate::room::mark;

/// Makes a puzzle; what is odd about its machine is told beside it.
///
/// # Errors
/// Its machine is not valid, or cannot begin; or a field is not valid.
pub fn add(mut add: Add, now: DateTime<Utc>) -> Result<(Event, Vec<Warning>), Refusal> {
    // Some clients send an object as text.
    if let Value::String(text) = &add.config
        && let Ok(config @ Value::Object(_)) = serde_json::from_str(text)
    {
        add.config = config;
    }
    let text = json!(["add", add.name, add.config, add.by, add.room]);
    checked_id(add.request_id.as_ref())?;
    if let Some(name) = &add.name {
        checked_name(name).map_err(|problem| Refusal::Invalid(vec![Fault::new("name", problem)]))?;
    }
    let (machine, warnings) = Machine::parse(&add.config).map_err(refusal)?;
    let name = add.name.or_else(|| machine.name.clone()).or_else(|| machine.id.clone());
    let about = About {
        name: name.unwrap_or_else(|| add.puzzle.clone()),
        puzzle: add.puzzle,
        by: add.by,
        verified: add.is_person_verified,
        room: add.room.or_else(|| machine.room.clone()),
        room_stream: add.room_stream,
        has_own_room: add.has_own_room,
        people: add.people,
        people_verified_only: add.people_verified_only,
        at: now,
        request: add.request_id.map(|id| (id, mark(&text))),
    };
    let way = begin(&machine, &about, now)?;
    let added = Added { about, config: add.config, through: way.through, set: way.set };
    Ok((Event::PuzzleAdded(Box::new(added)), warnings))
}

/// Goes to where the machine begins, and on through `always`.
fn begin(machine: &Machine, about: &About, now: DateTime<Utc>) -> Result<walk::Way, Refusal> {
    let cause = Cause::Action("add_puzzle".to_owned());
    let nobody = May::default();
    let effort = Effort::of(MAX_EFFORT);
    let judge = Judge {
        puzzle: &about.puzzle,
        entered_version: 0,
        state: "",
        target: String::new(),
        cause: &cause,
        doer: about.maker(),
        now,
        findings: Vec::new(),
        verdicts: &[],
        reach: Reach::Only(&nobody),
        effort: &effort,
        way: String::new(),
        asked: BTreeSet::new(),
    };
    let action = "add_puzzle".to_owned();
    walk::begin(machine, Place::of(machine), judge).map_err(|stop| match stop {
        Stop::Refused(no) => Refusal::GuardRefused { action, guard: no.guard, by: no.by, why: no.why },
        Stop::Unavailable { guard, needs } => Refusal::GuardUnavailable { action, guard, needs },
        Stop::Panel(question) => {
            let needs =
                "somebody to answer before there is a puzzle; begin in a state without `always`".to_owned();
            Refusal::GuardUnavailable { action, guard: question.guard, needs }
        }
        Stop::TooMuch => too_much(action),
        Stop::TooManySteps | Stop::Ask(_) | Stop::NotNow(_) => too_many_steps(action),
    })
}

/// Too much of something is another refusal than something wrong.
fn refusal(faults: Vec<Fault>) -> Refusal {
    if faults.iter().all(|fault| fault.is_limit) {
        Refusal::LimitExceeded(faults)
    } else {
        Refusal::Invalid(faults)
    }
}
