//! Puzzles in words: where one stands, and what a person can do with it.

use chrono::{DateTime, Utc};

use super::words::{beginning, someone};
use crate::hub::PuzzleState;
use crate::puzzle::{self, Asked, Doer, Finding, Pending, Puzzle, Refusal, Warning};
use crate::room::Handle;
use crate::transcript::one_line;
use crate::web::page::view::{
    Answer, Demand, GuardCard, Html, Moment, Name, PuzzleForms, PuzzleLine, PuzzleRow, Puzzles, PuzzlesHere,
    Question,
};
use crate::web::page::{document_path, puzzle_path};

/// The list of puzzles. `older`: where there are more.
pub(in crate::web::page) fn puzzles(
    puzzles: &[PuzzleState],
    older: Option<String>,
    is_first: bool,
    now: DateTime<Utc>,
) -> Puzzles {
    let rows = puzzles.iter().map(|puzzle| row(puzzle, now)).collect();
    Puzzles { rows, damaged: Vec::new(), older, is_first }
}

/// The puzzles that live in a room.
pub(in crate::web::page) fn puzzles_here(puzzles: &[PuzzleState], now: DateTime<Utc>) -> PuzzlesHere {
    PuzzlesHere { puzzles: puzzles.iter().map(|puzzle| row(puzzle, now)).collect() }
}

fn row(puzzle: &PuzzleState, now: DateTime<Utc>) -> PuzzleRow {
    let (is_yours, called) = called(puzzle);
    let snapshot = &puzzle.snapshot;
    PuzzleRow {
        path: puzzle_path(&puzzle.puzzle),
        name: named(&snapshot.name, &puzzle.puzzle),
        state: one_line(&snapshot.current_state),
        since: Moment::lasting(snapshot.since, now),
        called,
        is_yours,
        pending: snapshot.pending.len(),
        is_over: snapshot.is_final,
    }
}

/// Whether a person has to act, and who else.
fn called(puzzle: &PuzzleState) -> (bool, Vec<Name>) {
    let (yours, others): (Vec<Handle>, Vec<Handle>) =
        puzzle.called().into_iter().partition(|handle| *handle == Handle::user());
    (!yours.is_empty(), others.iter().map(someone).collect())
}

/// What a puzzle is called; one without a name by its id.
fn named(name: &str, id: &str) -> String {
    let name = one_line(name);
    if name.is_empty() { id.to_owned() } else { name }
}

/// What a puzzle is called.
pub(in crate::web::page) fn puzzle_name(puzzle: &Puzzle) -> String {
    named(&puzzle.about().name, &puzzle.about().puzzle)
}

/// Who has added it.
pub(in crate::web::page) fn puzzle_creator(puzzle: &Puzzle) -> Option<Name> {
    puzzle.about().by.as_ref().map(someone)
}

/// What it is for.
pub(in crate::web::page) fn puzzle_description(puzzle: &Puzzle) -> Option<Html> {
    puzzle.machine().description.as_deref().map(Html::of_markdown)
}

/// Where a puzzle stands.
pub(in crate::web::page) fn puzzle_line(puzzle: &Puzzle, now: DateTime<Utc>) -> PuzzleLine {
    let state = PuzzleState::of(puzzle);
    let (is_yours, called) = called(&state);
    PuzzleLine {
        state: one_line(&state.snapshot.current_state),
        description: state.snapshot.fault.or(state.description).as_deref().map(one_line),
        document: state.has_resource.then(|| document_path(&state.puzzle, puzzle.current())),
        since: Moment::lasting(state.snapshot.since, now),
        called,
        is_yours,
        due: puzzle.timer().map(|due| Moment::left(due, now)),
        version: state.snapshot.version,
        is_over: state.snapshot.is_final,
    }
}

/// What a person can do with a puzzle as it is now.
pub(in crate::web::page) fn puzzle_forms(puzzle: &Puzzle, token: &str, now: DateTime<Utc>) -> PuzzleForms {
    let snapshot = puzzle.snapshot();
    let user = Handle::user();
    let person = Doer { handle: Some(&user), is_person_verified: true };
    let (mut actions, mut others) = (Vec::new(), Vec::new());
    for (action, can) in puzzle.actions_for(person, now) {
        match can {
            Ok(()) => actions.push(action),
            Err(refusal) => others.push((one_line(&action), Html::of_line(&one_line(&refusal.to_string())))),
        }
    }
    PuzzleForms {
        path: puzzle_path(&puzzle.about().puzzle),
        token: token.to_owned(),
        version: snapshot.version,
        guards: puzzle.pendings().iter().map(|pending| guard(pending, now)).collect(),
        others,
        actions,
        is_over: snapshot.is_final,
    }
}

fn guard(pending: &Pending, now: DateTime<Utc>) -> GuardCard {
    let asks = pending.still_asked();
    GuardCard {
        guard: pending.id.clone(),
        action: one_line(&pending.cause.name()),
        actor: pending.actor.as_ref().map(someone),
        target: one_line(&pending.target),
        question: Html::of_markdown(beginning(&pending.question)),
        is_yours: asks.contains(&Handle::user()),
        asks: asks.iter().map(someone).collect(),
        answers: pending.findings.iter().map(answer).collect(),
        needed: pending.quorum.filter(|needed| *needed > 1),
        expires: pending.expires.map(|expires| Moment::left(expires, now)),
        has_passed: pending.has_passed(),
        reason: String::new(),
    }
}

/// What somebody has said to a guard.
pub(super) fn answer(finding: &Finding) -> Answer {
    let by = finding.by.as_ref().map(ToString::to_string);
    let asked = match finding.asked {
        Asked::Participant | Asked::Form => "somebody",
        Asked::Sampling => "a model",
        Asked::Command => "a program",
        Asked::Nobody => "nobody",
    };
    Answer {
        by: by.unwrap_or_else(|| asked.to_owned()),
        pass: finding.pass,
        is_verified: finding.verified,
        reason: finding.reason.as_deref().map(|reason| Html::of_markdown(beginning(reason))),
    }
}

/// What is asked of the person who has acted on what was seen at `version`, after `said` was said before.
pub(in crate::web::page) fn demand(
    puzzle: &str,
    demand: &puzzle::Demand,
    (version, said): (u64, String),
    token: &str,
) -> Demand {
    Demand {
        question: Some(Question {
            path: puzzle_path(puzzle),
            token: token.to_owned(),
            version,
            action: demand.action.clone(),
            target: one_line(&demand.target),
            words: Html::of_markdown(beginning(&demand.question)),
            entered_version: demand.entered_version,
            demand: demand.id.clone(),
            said,
        }),
    }
}

/// What is wrong with a machine, and where.
pub(in crate::web::page) fn faults(refusal: &Refusal) -> Vec<(String, Html)> {
    let (Refusal::Invalid(faults) | Refusal::LimitExceeded(faults)) = refusal else { return Vec::new() };
    faults.iter().map(|fault| (one_line(&fault.path), Html::of_line(&one_line(&fault.problem)))).collect()
}

/// What is odd about a machine that was added, and where.
pub(in crate::web::page) fn oddities(warnings: &[Warning]) -> Vec<(String, Html)> {
    let odd = |warning: &Warning| (one_line(&warning.path), Html::of_line(&one_line(&warning.problem)));
    warnings.iter().map(odd).collect()
}
