//! Who comes next.

use crate::room::Status;
use crate::room::policy::FloorRule;
use crate::room::tests::table::{Table, empty, post, table, table_by};

fn four() -> Table {
    table(&["@Alice", "@Bob", "@Carol", "@Dave"])
}

#[test]
fn the_queue_is_first_in_first_out() {
    let mut table = four();
    table.say("@Alice", "@Carol @Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
    table.say("@Carol", "@Dave @Alice");
    assert_eq!(table.turns(), "@Bob < @Dave < @Alice");
}

#[test]
fn a_participant_stands_in_the_queue_once_with_its_number_of_mentions() {
    let mut table = four();
    table.say("@Alice", "@Bob @Carol");
    table.say("@Bob", "@Dave @Carol");
    table.say("@user", "@Dave");
    table.say("@Carol", "@Dave");
    assert_eq!(table.turns(), "@Dave");
    assert_eq!(table.room.turn().unwrap().mentions, 3);
}

#[test]
fn speaking_answers_all_mentions() {
    let mut table = four();
    table.say("@Alice", "@Bob @Carol");
    table.say("@user", "@Bob");
    assert_eq!(table.turns(), "@Bob < @Carol < @Bob");
    table.say("@Bob", "@Alice");
    assert_eq!(table.turns(), "@Carol < @Alice");
}

#[test]
fn a_person_never_takes_the_floor_from_its_holder() {
    let mut table = four();
    table.say("@user", "@Bob");
    assert_eq!(table.turns(), "@Alice < @Bob");
}

#[test]
fn who_is_away_keeps_its_place_and_is_skipped() {
    let mut table = four();
    table.say("@Alice", "@Bob @Carol @Dave");
    for name in ["@Alice", "@Bob", "@Dave"] {
        table.waits(name);
    }
    table.after(899);
    table.acts("@Bob");
    table.after(1);
    assert_eq!(table.member("@Carol").status, Status::Away);
    table.say("@Bob", "@Alice");
    assert_eq!(table.turns(), "@Dave < @Carol < @Alice");
    table.waits("@Carol");
    table.say("@Dave", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Alice < @Bob");
}

#[test]
fn who_is_expected_keeps_its_place_and_is_skipped() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol @Bob");
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn who_is_queued_gets_a_free_floor_when_it_comes() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol");
    assert_eq!(table.turns(), "- < @Carol");
    table.join("@Carol");
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_floor_that_nobody_here_can_have_goes_to_a_person() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol");
    assert_eq!(table.turns(), "@user < @Carol");
}

#[test]
fn a_floor_that_fell_to_a_person_goes_at_once_to_who_is_queued_and_comes() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@Carol");
    table.join("@Carol");
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn a_persons_mentions_go_to_the_head_where_the_policy_says_so() {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol", "@Dave"], |rules| rules.human_first = true);
    table.say("@Alice", "@Bob @Carol");
    table.say("@user", "@Dave @Alice");
    assert_eq!(table.turns(), "@Bob < @Dave < @Alice < @Carol");
    table.say("@user", "@Carol");
    assert_eq!(table.turns(), "@Bob < @Carol < @Dave < @Alice");
}

#[test]
fn mentions_on_an_open_floor_join_the_queue() {
    let mut table = table_by(&["@Alice", "@Bob", "@Carol"], |rules| rules.floor = FloorRule::Open);
    table.say("@Carol", "@Bob");
    table.say("@Bob", "@Carol @Alice");
    assert_eq!(table.turns(), "@Alice < @Carol < @Alice");
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
}

#[test]
fn who_asks_for_the_floor_is_queued() {
    let mut table = four();
    table.request_turn("@Carol");
    table.request_turn("@Carol");
    assert_eq!(table.turns(), "@Alice < @Carol");
    table.request_turn("@Alice");
    assert_eq!(table.turns(), "@Alice < @Carol");
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob");
    assert_eq!(table.refused_post(post("@Bob", "hm")).code(), "no_valid_mention");
}

#[test]
fn who_is_mentioned_often_starves_nobody() {
    let ring = ["@Alice", "@Bob", "@Carol", "@Dave", "@Eve"];
    let mut table = table(&ring);
    table.say("@Alice", "@Bob @Carol @Dave @Eve");
    let mut spoke = Vec::new();
    for _ in 0..4 {
        let speaker = table.room.active_turn().unwrap().to_string();
        let friends = ["@Bob", "@Dave", "@Eve"].into_iter().filter(|name| *name != speaker);
        table.say(&speaker, &friends.collect::<Vec<_>>().join(" "));
        spoke.push(speaker);
    }
    assert_eq!(spoke, ["@Bob", "@Carol", "@Dave", "@Eve"]);
}

#[test]
fn all_waits_for_nobody_who_is_away() {
    let mut table = empty(&["@Alice", "@Bob", "@Carol"]);
    table.join("@Alice");
    table.join("@Bob");
    table.say("@Alice", "@all, your views?");
    assert_eq!(table.turns(), "@Bob < @Carol");
    table.say("@Bob", "@Alice, mine is no");
    assert_eq!(table.turns(), "@Alice < @Carol");
    table.join("@Carol");
    table.say("@Alice", "@Bob");
    assert_eq!(table.turns(), "@Carol < @Bob", "its place was kept");
}
