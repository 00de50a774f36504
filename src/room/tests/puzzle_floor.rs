//! Where puzzles have the floor go: whatever happens, it comes to rest.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::room::command::{Command, PuzzleNews};
use crate::room::event::{PuzzleQuestion, PuzzleStep};
use crate::room::tests::puzzles::{added, asked, handles, question, refused};
use crate::room::tests::table::{Table, table};

const ALL: [&str; 4] = ["@Alice", "@Bob", "@Carol", "@user"];
const PUZZLES: [&str; 2] = ["one", "two"];

fn tell(
    table: &mut Table,
    puzzle: &str,
    step: (u64, PuzzleStep),
    to: &[&str],
    questions: Vec<PuzzleQuestion>,
) {
    let (puzzle, to) = (puzzle.to_owned(), handles(to));
    let news = PuzzleNews { puzzle, steps: vec![step], to, questions, is_timed: false };
    table.command(Command::TellPuzzle(news)).unwrap();
}

proptest! {
    /// Whoever waits for whom, in whichever puzzle: calls that only wait do not send the floor round.
    #[test]
    fn the_floor_comes_to_rest_whoever_waits_for_whom(
        steps in vec((0..5_u8, 0..2_usize, 0..4_usize, 0..4_usize), 1..40),
    ) {
        let mut table = table(&ALL);
        for puzzle in PUZZLES {
            tell(&mut table, puzzle, (1, added()), &[], Vec::new());
        }
        for (version, (kind, puzzle, one, other)) in (2..).zip(steps) {
            let (puzzle, one, other) = (PUZZLES[puzzle], ALL[one], ALL[other]);
            match kind {
                0 | 1 if one != other => {
                    let step = (version, asked(&[other]));
                    tell(&mut table, puzzle, step, &[one, other], vec![question(one, &[other])]);
                }
                2 => tell(&mut table, puzzle, (version, refused(one)), &[other], Vec::new()),
                3 if one != other => drop(table.takes(one, &format!("{other} well?"))),
                4 => drop(table.pass(one, None)),
                _ => table.waits(one),
            }
            // Who is there may make use of a floor that nobody needs; then it stays.
            for name in ALL {
                table.waits(name);
            }
            let turns = table.turns();
            for name in ALL {
                table.waits(name);
                prop_assert_eq!(table.turns(), &*turns, "{} waits", name);
            }
        }
    }
}
