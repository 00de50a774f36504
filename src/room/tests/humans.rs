//! People: never out of turn, never away, and asked questions.

use crate::room::command::{Command, Join, Pass, Post, ReplyTo};
use crate::room::policy::FloorRule;
use crate::room::tests::table::{Table, handle, post, reply_to, table, table_by, texts};
use crate::room::{Refusal, Status};

fn with_user() -> Table {
    table(&["@Alice", "@Bob", "@user"])
}

#[test]
fn a_person_is_never_out_of_turn() {
    let mut table = with_user();
    assert_eq!(table.turns(), "@Alice");
    assert!(table.takes("@user", "@Bob"));
}

#[test]
fn a_person_is_never_away() {
    let mut table = with_user();
    table.after(100_000);
    assert_eq!(table.member("@user").status, Status::Active);
}

#[test]
fn an_undeclared_user_speaks_without_joining_and_then_takes_part() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@user", "hello");
    assert_eq!(table.room.participants().len(), 3);
}

#[test]
fn a_persons_join_sets_its_name_and_nothing_else() {
    let mut table = with_user();
    let before = table.room.last_seq();
    table.join_as("@user", Some("Ursula"), 0);
    assert_eq!(table.member("@user").name.as_deref(), Some("Ursula"));
    assert_eq!(table.room.last_seq(), before);
}

#[test]
fn a_mention_of_a_person_opens_a_question_and_gives_it_the_floor() {
    let mut table = with_user();
    table.say("@Alice", "@user may I?");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
    assert_eq!(table.turns(), "@user");
}

#[test]
fn an_undeclared_user_is_asked_too() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@user may I?");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}

#[test]
fn a_persons_word_answers_those_it_addresses_and_no_others() {
    let mut table = with_user();
    table.say("@Alice", "@user @Bob one?");
    table.after(60);
    table.say("@Bob", "@user two?");
    table.say("@user", "@Bob yes");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}

#[test]
fn a_persons_reply_answers_who_asked() {
    let mut table = with_user();
    let seq = table.say("@Alice", "@user one?");
    table.post(Post { reply_to: Some(reply_to(seq, "@Alice")), ..post("@user", "yes") }).unwrap();
    assert!(table.questions().is_empty());
    assert_eq!(table.recipients(), ["@Alice"]);
}

#[test]
fn a_persons_word_without_a_mention_addresses_those_who_asked() {
    let mut table = with_user();
    table.say("@Alice", "@user @Bob one?");
    table.after(60);
    table.say("@Bob", "@user two?");
    table.say("@user", "yes to both");
    assert_eq!(table.recipients(), ["@Alice", "@Bob"]);
    assert_eq!(table.turns(), "@Alice < @Bob");
}

#[test]
fn a_persons_word_to_nobody_is_stored() {
    let mut table = with_user();
    table.say("@user", "good morning");
    table.say("@user", "@Nobody there?");
    assert!(table.recipients().is_empty());
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_word_that_wants_no_answer_asks_nothing() {
    let mut table = with_user();
    table.post(Post { expects_reply: false, ..post("@Alice", "@user for your information") }).unwrap();
    assert!(table.questions().is_empty());
}

#[test]
fn a_persons_floor_moves_on_when_others_are_queued_and_its_question_stays() {
    let mut table = with_user();
    table.say("@Alice", "@user @Bob");
    table.after(59);
    assert_eq!(table.turns(), "@user < @Bob");
    table.after(1);
    assert_eq!(table.turns(), "@Bob");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}

#[test]
fn a_persons_floor_stays_while_nobody_here_is_queued() {
    let mut table = with_user();
    table.say("@Alice", "@user");
    table.after(899);
    assert_eq!(table.turns(), "@user");
}

#[test]
fn the_time_a_person_may_hold_the_floor_is_a_rule_of_the_room() {
    let rules = |rules: &mut crate::room::Policy| rules.human_hold = std::time::Duration::from_secs(5);
    let mut table = table_by(&["@Alice", "@Bob", "@user"], rules);
    table.say("@Alice", "@user @Bob");
    table.after(5);
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn who_asks_for_the_floor_gets_it_from_a_person_when_nobody_is_queued() {
    let mut table = with_user();
    table.say("@Alice", "@user");
    table.request_turn("@Bob");
    assert_eq!(table.turns(), "@Bob");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}

#[test]
fn who_asks_for_the_floor_waits_while_others_are_queued() {
    let mut table = with_user();
    table.say("@Alice", "@user @Bob");
    table.request_turn("@Alice");
    assert_eq!(table.turns(), "@user < @Bob < @Alice");
}

#[test]
fn a_person_with_the_floor_gives_it_away_by_speaking() {
    let mut table = with_user();
    table.say("@Alice", "@user");
    table.say("@user", "@Bob go on");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn people_other_than_user_get_a_floor_that_nobody_can_have() {
    let mut declared = super::table::declared(&["@Alice", "@Bob"]);
    declared.humans = texts(&["@Carol"]);
    let mut table = Table::open(declared).unwrap();
    table.join("@Alice");
    table.join("@Bob");
    table.post(super::table::last_word("@Alice", "done"));
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_person_who_left_comes_back_by_joining_or_by_any_call() {
    let user = || handle("@user");
    for command in [
        Command::Join(Join { handle: user(), name: None, history: 0 }),
        Command::Post(Box::new(post("@user", "I am back"))),
        Command::Contact(user()),
        Command::Pass(Pass { by: user(), to: None, reason: None }),
    ] {
        let mut table = with_user();
        table.leave("@user");
        assert_eq!(table.member("@user").status, Status::Left);
        table.command(command).unwrap();
        assert_eq!(table.member("@user").status, Status::Active);
    }
}

#[test]
fn an_undeclared_user_that_takes_no_part_cannot_leave() {
    let mut table = table(&["@Alice", "@Bob"]);
    assert_eq!(table.refusal(Command::Leave(handle("@user"))).code(), "not_joined");
    table.say("@Alice", "@user");
    assert_eq!(table.turns(), "- < @user");
}

#[test]
fn a_person_that_is_asked_again_while_it_holds_the_floor_does_not_keep_it() {
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| rules.floor = FloorRule::Open);
    table.say("@Alice", "@user");
    table.say("@Alice", "@user @Bob");
    assert_eq!(table.turns(), "@user < @user < @Bob");
    table.after(60);
    assert_eq!(table.turns(), "@Bob < @user");
}

#[test]
fn a_persons_own_mentions_keep_the_floor_from_nobody() {
    let mut table = table_by(&["@Alice", "@Bob", "@user"], |rules| rules.floor = FloorRule::Open);
    table.say("@Alice", "@user");
    table.say("@Alice", "@user");
    table.after(60);
    assert_eq!(table.room.turn().unwrap().number, 2);
    table.request_turn("@Bob");
    assert_eq!(table.turns(), "@Bob < @user");
}

#[test]
fn a_person_that_only_names_itself_addresses_those_who_asked() {
    let mut table = with_user();
    table.say("@Alice", "@user may I?");
    table.say("@user", "yes, says @user");
    assert_eq!(table.recipients(), ["@Alice"]);
    assert!(table.questions().is_empty());
}

#[test]
fn a_person_asks_another_person() {
    let mut declared = super::table::declared(&["@Alice", "@Bob", "@user"]);
    declared.humans = texts(&["@Carol"]);
    let mut table = Table::open(declared).unwrap();
    table.say("@user", "@Carol may they begin?");
    assert_eq!(table.questions(), ["@user asks @Carol"]);
    table.post(super::table::last_word("@Carol", "yes"));
    assert_eq!(table.recipients(), ["@user"]);
    assert!(table.questions().is_empty());
}

#[test]
fn a_reply_answers_the_question_of_one_who_has_left() {
    let mut table = with_user();
    let seq = table.say("@Alice", "@user may I?");
    table.leave("@Alice");
    table.say("@user", "anyone?");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
    table.post(Post { reply_to: Some(reply_to(seq, "@Alice")), ..post("@user", "too late") }).unwrap();
    assert!(table.questions().is_empty());
}

#[test]
fn user_may_be_asked_also_after_it_left_and_is_served_when_it_comes() {
    let mut table = with_user();
    table.leave("@user");
    table.say("@Alice", "@user may I?");
    assert_eq!(table.turns(), "- < @user");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
    table.waits("@user");
    assert_eq!(table.turns(), "@user");
}

#[test]
fn an_answer_to_a_person_gives_the_turn_back_to_it_and_to_nobody_else() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.say("@Alice", "@user, what now?");
    let question = table.say("@user", "@Bob only: why?");
    assert_eq!(table.turns(), "@Bob");
    table.post(Post { reply_to: Some(reply_to(question, "@user")), ..post("@Bob", "because") }).unwrap();
    assert_eq!(table.turns(), "@user");
    table.after(3_600);
    assert_eq!(table.turns(), "@user", "nobody else is chosen to talk too");
}

#[test]
fn of_two_answers_to_one_question_the_first_counts() {
    let mut table = table(&["@Alice", "@Bob"]);
    let seq = table.say("@Alice", "@user which one?");
    let answer = |text: &str| Post {
        reply_to: Some(ReplyTo { is_question: true, ..reply_to(seq, "@Alice") }),
        ..post("@user", text)
    };
    table.post(answer("this one")).unwrap();
    let before = table.room.last_seq();
    assert_eq!(table.refused_post(answer("that one")), Refusal::QuestionAnswered(seq, handle("@user")));
    assert_eq!(table.room.last_seq(), before);
}

#[test]
fn an_answer_to_one_question_leaves_the_others_of_its_asker_open() {
    let mut table = table_by(&["@Alice", "@Bob"], |policy| policy.floor = FloorRule::Open);
    let deploy = table.say("@Alice", "@user deploy?");
    let delete = table.say("@Alice", "@user delete the backup?");
    let open = |table: &Table| table.room.questions().iter().map(|question| question.seq).collect::<Vec<_>>();
    assert_eq!(open(&table), [deploy, delete]);
    table.post(Post { reply_to: Some(reply_to(deploy, "@Alice")), ..post("@user", "go") }).unwrap();
    assert_eq!(open(&table), [delete], "the other one was not answered by that");
    table.say("@user", "@Alice no");
    assert_eq!(open(&table), Vec::<u64>::new(), "a word to the asker answers what it asked");
}
