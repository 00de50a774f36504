//! Whoever waits in a puzzle for the answer of others, and puzzles that wait for agents which are not here.

use crate::room::Status;
use crate::room::command::{Command, PuzzleNews};
use crate::room::event::{Event, PuzzleQuestion, PuzzleStep};
use crate::room::tests::puzzles::{
    added, answered, asked, handles, moved, question, refused, tell, told, waits_for,
};
use crate::room::tests::table::{Table, empty_by, handle, table};
use crate::room::{Act, Barrier, Needed, Stranded, WaitReason, Why};

/// Tells of a puzzle of this name.
fn tell_of(
    table: &mut Table,
    puzzle: &str,
    steps: Vec<(u64, PuzzleStep)>,
    to: &[&str],
    questions: Vec<PuzzleQuestion>,
) -> Vec<Event> {
    let (puzzle, to) = (puzzle.to_owned(), handles(to));
    table.command(Command::TellPuzzle(PuzzleNews { puzzle, steps, to, questions, is_timed: false })).unwrap()
}

fn why(table: &Table) -> Why {
    table.room.why(&|handle| table.waits_now(handle))
}

/// `@Alice` has acted, and waits for `@Carol`, who has not come.
fn waits_for_carol() -> Table {
    let mut table =
        empty_by(&["@Alice", "@Bob", "@Carol", "@user"], |rules| rules.barrier = Barrier::Count(0));
    table.join("@Alice");
    tell(&mut table, 1, added(), &["@Alice"]);
    tell_of(
        &mut table,
        "release",
        vec![(2, asked(&["@Carol"]))],
        &["@Alice", "@Carol"],
        waits_for(&["@Carol"]),
    );
    table
}

#[test]
fn a_floor_that_a_puzzle_gave_goes_on_to_whoever_is_called_when_that_is_over() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@Dave"]);
    let of_dave = |asks: &[&str]| vec![question("@Dave", asks)];
    tell_of(&mut table, "one", vec![(1, added())], &["@Carol"], Vec::new());
    tell_of(&mut table, "two", vec![(1, added())], &[], Vec::new());
    tell_of(
        &mut table,
        "two",
        vec![(2, asked(&["@Carol", "@Bob"]))],
        &["@Carol", "@Bob"],
        of_dave(&["@Carol", "@Bob"]),
    );
    tell_of(&mut table, "one", vec![(2, moved("A", "B"))], &["@Alice"], Vec::new());
    assert_eq!(table.turns(), "@Carol < @Alice < @Bob", "it is asked still");
    tell_of(&mut table, "two", vec![(3, answered("@Carol", None))], &["@Bob"], of_dave(&["@Bob"]));
    assert_eq!(table.turns(), "@Alice < @Bob");
}

#[test]
fn a_state_that_is_nobodys_leaves_the_floor_only_while_nobody_else_is_called() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell_of(&mut table, "one", vec![(1, added())], &["@Bob"], Vec::new());
    tell_of(&mut table, "two", vec![(1, added())], &["@Carol"], Vec::new());
    assert_eq!(table.turns(), "@Bob < @Carol");
    tell_of(&mut table, "one", vec![(2, moved("A", "B"))], &[], Vec::new());
    assert_eq!(table.turns(), "@Carol");
    tell_of(&mut table, "two", vec![(2, moved("A", "B"))], &[], Vec::new());
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn whoever_has_asked_for_the_floor_keeps_it_from_those_who_are_called() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    table.pass("@Alice", None);
    table.request_turn("@Alice");
    tell(&mut table, 1, added(), &[]);
    tell(&mut table, 2, asked(&["@Bob"]), &["@Bob"]);
    assert_eq!(table.turns(), "@Alice < @Bob");
}

#[test]
fn whoever_opens_the_room_leaves_the_floor_to_one_who_comes_later_and_is_called() {
    let mut table = empty_by(&["@Alice", "@Bob"], |rules| rules.barrier = Barrier::Count(1));
    tell(&mut table, 1, added(), &["@Alice"]);
    table.join("@Bob");
    assert_eq!(table.turns(), "@Bob < @Alice");
    table.join("@Alice");
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn whoever_acts_after_it_has_passed_its_turn_on_is_called_again() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    table.pass("@Alice", None);
    assert_eq!(table.turns(), "@user");
    tell_of(&mut table, "release", vec![(2, asked(&["@Bob"]))], &["@Alice", "@Bob"], waits_for(&["@Bob"]));
    assert_eq!(table.turns(), "@Bob");
    tell(&mut table, 3, refused("@Bob"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
    // A program has refused at once.
    table.pass("@Alice", None);
    tell(&mut table, 4, refused("@Bob"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_question_that_waits_for_others_is_no_silence_of_its_actor() {
    let mut table = waits_for_carol();
    assert_eq!(table.turns(), "@Alice < @Carol");
    table.after(20 * 900);
    assert_eq!((table.turns().as_str(), table.member("@Alice").status), ("@Alice < @Carol", Status::Active));
    let silent: Vec<_> = table.room.needs().into_iter().map(|need| need.what).collect();
    assert_eq!(silent, [Needed::Delivery { handle: handle("@Carol") }]);
    tell(&mut table, 3, refused("@user"), &["@Alice"]);
    table.after(900);
    assert_eq!(table.member("@Alice").status, Status::Away, "it has to act now");
}

#[test]
fn whoever_only_waits_for_an_answer_leaves_the_floor_to_all_others_and_has_it_when_the_question_is_over() {
    let mut table = waits_for_carol();
    table.join("@Bob");
    table.say("@user", "@Bob what do you think?");
    assert_eq!(table.turns(), "@Bob < @Carol", "@Alice has nothing to do with it");
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@user < @Carol");
    tell(&mut table, 3, refused("@user"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn words_to_whoever_waits_for_an_answer_give_it_the_floor() {
    let mut table = waits_for_carol();
    table.say("@user", "@Alice well?");
    table.after(900);
    assert_eq!(table.member("@Alice").status, Status::Away, "it has not answered");
}

#[test]
fn a_person_who_is_asked_has_the_floor_while_nobody_else_has_to_act() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    tell_of(&mut table, "release", vec![(2, asked(&["@user"]))], &["@Alice", "@user"], waits_for(&["@user"]));
    assert_eq!(table.turns(), "@user");
    tell(&mut table, 3, refused("@user"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_person_who_is_asked_and_was_never_here_has_the_floor_until_an_agent_wants_it() {
    let mut table = table(&["@Alice", "@Bob"]);
    assert!(!table.member("@user").is_here());
    tell(&mut table, 1, added(), &["@Alice"]);
    tell_of(&mut table, "release", vec![(2, asked(&["@user"]))], &["@Alice", "@user"], waits_for(&["@user"]));
    assert_eq!(table.turns().split(" < ").next(), Some("@user"));
    table.request_turn("@Bob");
    assert_eq!(table.turns().split(" < ").next(), Some("@Bob"));
    table.pass("@Bob", None);
    tell(&mut table, 3, refused("@user"), &["@Alice"]);
    assert_eq!(table.turns().split(" < ").next(), Some("@Alice"));
}

#[test]
fn of_those_who_wait_for_each_other_whoever_has_the_floor_keeps_it_to_answer() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    for (puzzle, by, asks) in [("one", "@Alice", "@Bob"), ("two", "@Bob", "@Alice")] {
        tell_of(&mut table, puzzle, vec![(1, added())], &[by], Vec::new());
        tell_of(&mut table, puzzle, vec![(2, asked(&[asks]))], &[by, asks], vec![question(by, &[asks])]);
    }
    let turns = table.turns();
    for name in ["@Carol", "@Alice", "@Bob", "@Alice"] {
        table.waits(name);
        assert_eq!(table.turns(), turns);
    }
    let holder = turns.split(" < ").next().unwrap();
    assert!(table.takes(holder, "@Carol well?"), "{turns}");
}

#[test]
fn words_to_whom_a_puzzle_relieves_are_answered_later() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    table.say("@user", "@Bob which database?");
    table.pass("@Alice", None);
    assert_eq!(table.turns(), "@Bob");
    tell(&mut table, 1, added(), &["@Alice", "@Bob"]);
    tell(&mut table, 2, moved("A", "B"), &["@Alice"]);
    assert_eq!(table.turns(), "@Alice < @Bob");
}

#[test]
fn a_call_anew_is_news_for_whoever_has_the_floor() {
    let mut table = table(&["@Alice", "@Bob"]);
    let is_news = |table: &Table, cursor| table.room.is_called_anew(&handle("@Alice"), cursor);
    tell(&mut table, 1, added(), &["@Alice"]);
    let before = table.room.last_seq();
    assert!(!is_news(&table, before));
    tell(&mut table, 2, moved("A", "B"), &["@Alice", "@Bob"]);
    assert!(is_news(&table, before));
    assert_eq!(table.news("@Bob", before), None, "it is not its turn");
    let before = table.room.last_seq();
    tell(&mut table, 3, asked(&["@Alice"]), &["@Alice", "@Bob"]);
    assert!(is_news(&table, before), "a new question");
    let before = table.room.last_seq();
    tell(&mut table, 4, moved("B", "C"), &[]);
    assert!(!is_news(&table, before), "nothing is wanted of it");
}

#[test]
fn a_puzzle_that_waits_for_those_who_have_left_is_told_to_a_person() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    tell(&mut table, 2, moved("A", "B"), &["@Bob", "@Carol"]);
    table.leave("@Bob");
    assert_eq!(table.room.needs(), [], "@Carol can act");
    table.leave("@Carol");
    table.waits("@Alice");
    let gone =
        Stranded { puzzle: "release".to_owned(), handles: handles(&["@Bob", "@Carol"]), have_left: true };
    let needs: Vec<_> = table.room.needs().into_iter().map(|need| need.what).collect();
    assert_eq!(needs, [Needed::Puzzle(gone)]);
    let why = why(&table);
    assert_eq!((why.is_stuck, why.act), (true, Some(Act::See { puzzle: "release".to_owned() })));
    assert_eq!(why.waits[0].reason, WaitReason::Gone(Status::Left));
    table.join("@Carol");
    assert_eq!((table.room.needs(), table.turns()), (vec![], "@Carol".to_owned()));
}

#[test]
fn a_question_that_waits_for_who_has_left_is_told_to_a_person() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    let both = ["@Bob", "@Carol"];
    tell_of(&mut table, "release", vec![(2, asked(&both))], &["@Alice", "@Bob", "@Carol"], waits_for(&both));
    table.leave("@Carol");
    assert_eq!(table.room.needs(), []);
    tell_of(
        &mut table,
        "release",
        vec![(3, answered("@Bob", None))],
        &["@Alice", "@Carol"],
        waits_for(&["@Carol"]),
    );
    assert_eq!(table.room.needs().len(), 1);
    let why = why(&table);
    assert!(why.is_stuck, "@Alice can do nothing, though it does not wait in a call: {why:?}");
    let waits: Vec<_> = why.waits.iter().map(|wait| (&wait.who, &wait.on, wait.reason)).collect();
    assert_eq!(
        waits,
        [(
            &handle("@Alice"),
            &handle("@Carol"),
            WaitReason::Guard { status: Status::Left, needed: 1, asked: 1 }
        )]
    );
}

#[test]
fn a_puzzle_that_waits_for_who_has_not_come_holds_the_room_up() {
    let table = waits_for_carol();
    let why = why(&table);
    assert_eq!((why.is_stuck, why.act), (true, Some(Act::See { puzzle: "release".to_owned() })));
    assert_eq!(table.room.needs(), [], "it may still come");
}

#[test]
fn whoever_is_asked_by_another_question_still_may_not_stop() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    let both = ["@Bob", "@Carol"];
    tell_of(&mut table, "release", vec![(2, asked(&both))], &["@Alice", "@Bob", "@Carol"], waits_for(&both));
    let steps = vec![(3, answered("@Bob", None)), (4, asked(&both))];
    let events = tell_of(&mut table, "release", steps, &["@Alice", "@Bob", "@Carol"], waits_for(&both));
    assert_eq!(told(&events).relieved, []);
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn a_room_in_which_whoever_is_asked_has_passed_its_turn_on_is_stuck() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    tell(&mut table, 1, added(), &["@Alice"]);
    tell_of(&mut table, "release", vec![(2, asked(&["@Bob"]))], &["@Alice", "@Bob"], waits_for(&["@Bob"]));
    assert!(!why(&table).is_stuck, "@Bob works");
    table.pass("@Bob", None);
    assert_eq!(table.turns(), "@user", "@Alice could do nothing with it");
    let why = why(&table);
    assert!(why.is_stuck);
    assert_eq!(why.act.unwrap().command_line("tea"), "turnroom say tea '@Bob please go on'");
    table.say("@user", "@Bob please go on");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn the_end_of_a_question_gives_its_actor_the_floor_only_if_nobody_else_has_to_act() {
    for end in [moved("A", "B"), PuzzleStep::Removed] {
        let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
        tell_of(&mut table, "one", vec![(1, added())], &["@Alice"], Vec::new());
        let asks = vec![(2, asked(&["@Carol"]))];
        tell_of(&mut table, "one", asks, &["@Alice", "@Carol"], waits_for(&["@Carol"]));
        tell_of(&mut table, "two", vec![(1, added())], &["@Bob"], Vec::new());
        assert_eq!(table.turns(), "@Carol < @Bob");
        tell_of(&mut table, "one", vec![(3, answered("@Carol", None)), (4, end)], &[], Vec::new());
        assert_eq!(table.turns(), "@Bob");
    }
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    tell_of(&mut table, "one", vec![(1, added())], &["@Alice"], Vec::new());
    let asks = vec![(2, asked(&["@Carol"]))];
    tell_of(&mut table, "one", asks, &["@Alice", "@Carol"], waits_for(&["@Carol"]));
    tell_of(&mut table, "one", vec![(3, answered("@Carol", None)), (4, moved("A", "B"))], &[], Vec::new());
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn whoever_acts_in_one_puzzle_is_called_again_in_all() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    tell_of(&mut table, "one", vec![(1, added())], &["@Alice"], Vec::new());
    tell_of(&mut table, "two", vec![(1, added())], &["@Alice"], Vec::new());
    table.pass("@Alice", None);
    assert_eq!(table.turns(), "@user");
    tell_of(&mut table, "one", vec![(2, moved("A", "B"))], &["@Bob"], Vec::new());
    assert_eq!(table.turns(), "@Bob");
    tell_of(&mut table, "one", vec![(3, moved("B", "C"))], &[], Vec::new());
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_room_whose_puzzle_asks_a_program_is_not_stuck() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    tell_of(&mut table, "one", vec![(1, added())], &["@Alice"], Vec::new());
    table.waits("@Alice");
    table.waits("@Bob");
    tell_of(&mut table, "one", vec![(2, asked(&["@Bob"]))], &["@Alice", "@Bob"], waits_for(&["@Bob"]));
    assert!(why(&table).is_stuck);
    tell_of(&mut table, "one", vec![(3, answered("@Bob", None))], &["@Alice"], waits_for(&[]));
    assert!(!why(&table).is_stuck);
}

#[test]
fn a_room_that_waits_for_the_timer_of_a_puzzle_is_stuck_only_if_somebody_has_to_act() {
    let with_a_timer = || {
        let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
        table.waits("@Alice");
        table.waits("@Bob");
        table.leave("@Carol");
        tell_of_tea(&mut table, 1, added(), true);
        table
    };
    let mut alone = with_a_timer();
    assert!(!why(&alone).is_stuck);
    tell_of_tea(&mut alone, 2, moved("A", "B"), false);
    assert!(why(&alone).is_stuck, "the timer is over");
    for (to, act) in
        [("@Alice", "turnroom say tea '@Alice please go on'"), ("@Carol", "turnroom puzzle show one")]
    {
        let mut table = with_a_timer();
        tell_of(&mut table, "one", vec![(1, added())], &[to], Vec::new());
        let why = why(&table);
        assert_eq!((why.is_stuck, why.act.unwrap().command_line("tea").as_str()), (true, act));
    }
    let mut asked_now = with_a_timer();
    tell_of(&mut asked_now, "one", vec![(1, asked(&["@Carol"]))], &["@Carol"], waits_for(&["@Carol"]));
    assert!(why(&asked_now).is_stuck);
}

/// Tells of a puzzle in which nobody has to act.
fn tell_of_tea(table: &mut Table, version: u64, what: PuzzleStep, is_timed: bool) {
    let (puzzle, steps) = ("tea".to_owned(), vec![(version, what)]);
    let news = PuzzleNews { puzzle, steps, to: Vec::new(), questions: Vec::new(), is_timed };
    table.command(Command::TellPuzzle(news)).unwrap();
}
