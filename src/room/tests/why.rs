//! Who waits for whom, and the one act that frees them.

use proptest::prelude::*;

use crate::room::calls::Call;
use crate::room::command::{Close, Command, Pass};
use crate::room::policy::Barrier;
use crate::room::tests::random::{happen, setups, steps, table as random_table};
use crate::room::tests::table::{Table, empty, empty_by, handle, post, table};
use crate::room::{Act, Handle, Phase, WaitReason, Why};

fn why(table: &Table) -> Why {
    table.room.why(&|handle| table.waits_now(handle))
}

/// `@Bob waits for @Alice: Floor`.
fn lines(table: &Table) -> Vec<String> {
    let why = why(table);
    why.waits.iter().map(|wait| format!("{} waits for {}: {:?}", wait.who, wait.on, wait.reason)).collect()
}

fn act(table: &Table) -> String {
    why(table).act.map(|act| act.command_line("talk")).unwrap_or_default()
}

#[test]
fn whoever_is_addressed_waits_for_the_holder_and_for_those_before_it() {
    let mut table = table(&["@Alice", "@Bob", "@Carol"]);
    table.say("@Alice", "@Bob @Carol what do you think of it, and what do we do about it then?");
    table.waits("@Alice");
    let expected = ["@Alice waits for @Bob: Floor", "@Carol waits for @Bob: Floor"];
    assert_eq!(lines(&table), expected);
    assert!(!why(&table).is_stuck, "Bob works");
    assert_eq!(act(&table), "turnroom pass talk");
    table.request_turn("@Alice");
    assert_eq!(lines(&table)[0], "@Alice waits for @Carol: Queue");
}

#[test]
fn two_that_wait_for_each_other_are_a_circle_and_the_act_frees_them() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.waits("@Alice");
    table.waits("@Bob");
    let told = why(&table);
    assert_eq!(lines(&table), ["@Alice waits for @Bob: Listens", "@Bob waits for @Alice: Floor"]);
    assert_eq!(told.cycles, [[handle("@Alice"), handle("@Bob")]]);
    assert!(told.is_stuck);
    assert_eq!(act(&table), "turnroom say talk '@Alice please go on'");
}

#[test]
fn before_the_opening_all_wait_for_the_first_one_missing() {
    let mut table = empty_by(&["@Alice", "@Bob", "@Carol"], |policy| policy.barrier = Barrier::All);
    table.join("@Bob");
    assert_eq!(lines(&table), ["@Bob waits for @Alice: Barrier(1)"]);
    assert_eq!(act(&table), "turnroom start talk");
}

#[test]
fn a_question_to_a_person_is_told_before_the_floor() {
    let mut table = empty(&["@Alice", "@Bob", "@user"]);
    table.join("@Alice");
    table.join("@Bob");
    let seq = table.say("@Alice", "@user which of the two shall we take, the first one or the second one?");
    table.waits("@Alice");
    table.waits("@Bob");
    let asked = format!("@Alice waits for @user: {:?}", WaitReason::Question(seq));
    assert_eq!(lines(&table), [asked.as_str(), "@Bob waits for @user: Floor"]);
    assert_eq!(act(&table), "turnroom say talk '@Alice please go on'");
}

#[test]
fn whoever_is_awaited_and_not_here_is_named() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol what do you think of it, and what do we do about it then, in your view?");
    table.waits("@Alice");
    table.waits("@Bob");
    assert_eq!(lines(&table), ["@Alice waits for @Carol: Absent", "@Bob waits for @Carol: Absent"]);
    assert!(why(&table).is_stuck);
}

#[test]
fn in_a_room_that_is_over_nobody_waits() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.waits("@Bob");
    table.close("@user");
    assert_eq!(why(&table), Why::default());
}

/// The command that an act stands for.
fn command(act: &Act) -> Command {
    match act {
        Act::Start => Command::Start(Handle::user()),
        Act::Resume => Command::Resume(Handle::user()),
        Act::Say { by, to } => {
            let names = to.iter().map(Handle::as_str).collect::<Vec<_>>().join(" ");
            Command::Post(Box::new(post(by.as_str(), &format!("{names} please go on"))))
        }
        Act::Pass { by } => Command::Pass(Pass { by: by.clone(), to: None, reason: None }),
        Act::See { puzzle } => panic!("no word moves {puzzle}"),
        Act::Close { by } => Command::Close(Close { by: Some(by.clone()), summary: None, is_creator: false }),
    }
}

/// Whether some agent that is here has more to hear, or to do, than before.
fn has_moved(before: &Table, after: &Table) -> bool {
    let (seq, freed, phase) = (before.room.last_seq(), before.room.freed(), before.room.phase());
    let turn = |table: &Table| table.room.turn().map(|turn| turn.number);
    let is_told = |member: &&crate::room::Participant| {
        !member.is_human() && member.is_here() && {
            let news = after.room.news(&member.handle, seq, freed);
            news.is_some() && (turn(before) != turn(after) || after.room.last_seq() > seq)
        }
    };
    phase != after.room.phase() || after.room.participants().iter().any(is_told)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// In every state in which agents wait and nobody can move by himself, an act is named, and doing it moves the
    /// room: a turn or a word comes to somebody who is here.
    #[test]
    fn the_act_moves_every_room_that_is_stuck(setup in setups(), steps in steps()) {
        let mut table = random_table(&setup);
        for step in &steps {
            happen(&mut table, step);
            let told = why(&table);
            let is_person = |call: &Call| table.room.participant(&call.to).unwrap().is_human();
            let mut calls = table.room.state.calls().peekable();
            let waits_for_people = calls.peek().is_some() && calls.all(is_person);
            prop_assert_eq!(told.act.is_none(), table.room.phase() == Phase::Closed || waits_for_people);
            prop_assert!(told.waits.iter().all(|wait| wait.who != wait.on));
            if let Some(act) = told.act.filter(|_| told.is_stuck) {
                let mut after = table.clone();
                let done = after.command(command(&act));
                prop_assert!(done.is_ok(), "{act:?} {done:?}");
                prop_assert!(has_moved(&table, &after), "{act:?} {} to {}", table.turns(), after.turns());
            }
        }
    }
}
