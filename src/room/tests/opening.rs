//! Making a room: what was declared is checked.

use std::collections::BTreeMap;

use crate::room::policy::Barrier;
use crate::room::tests::table::{Table, declared, empty, handle, texts};
use crate::room::{Declared, Event, Phase, Refusal};

fn aliases(pairs: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
    pairs.iter().map(|(owner, names)| ((*owner).to_owned(), texts(names))).collect()
}

fn refusal(declared: Declared) -> Refusal {
    Table::open(declared).err().unwrap()
}

#[test]
fn the_same_handle_twice_counts_once() {
    let table = empty(&["@Alice", "Alice", "@Bob"]);
    assert_eq!(table.room.participants().len(), 2);
}

#[test]
fn two_spellings_that_fold_to_one_are_refused() {
    let refused = refusal(declared(&["@Alice", "@alice"]));
    assert_eq!(refused.code(), "invalid_handle");
    assert!(refused.to_string().contains("@alice"));
}

#[test]
fn a_participant_and_a_human_that_fold_to_one_are_refused() {
    let humans = texts(&["@alice"]);
    let refused = refusal(Declared { humans, ..declared(&["@Alice", "@Bob"]) });
    assert_eq!(refused.code(), "invalid_handle");
}

#[test]
fn what_is_no_handle_is_refused() {
    for (name, code) in [("Bob Smith", "invalid_handle"), ("", "invalid_handle"), ("@all", "handle_reserved")]
    {
        assert_eq!(refusal(declared(&["@Alice", name])).code(), code);
    }
}

#[test]
fn user_is_a_person_without_being_named_one() {
    let table = empty(&["@Alice", "@user"]);
    assert!(table.member("@user").is_human());
    assert!(!table.member("@Alice").is_human());
}

#[test]
fn humans_names_other_people() {
    let humans = texts(&["@Carol", "@user", "@Dave", "Carol"]);
    let table = Table::open(Declared { humans, ..declared(&["@Alice", "@Carol", "@user"]) }).unwrap();
    assert!(table.member("@Carol").is_human());
    let Some(Event::Opened(opened)) = table.log.first() else { panic!("a room begins with its making") };
    assert_eq!(opened.humans, [handle("@Carol"), handle("@user"), handle("@Dave")]);
    assert_eq!(opened.agents, [handle("@Alice")]);
}

#[test]
fn user_is_known_everywhere_but_stands_in_lists_only_if_declared() {
    let table = empty(&["@Alice", "@Bob"]);
    assert!(table.room.participant(&handle("@user")).is_some());
    assert!(table.room.participants().iter().all(|member| member.handle != handle("@user")));
}

#[test]
fn an_alias_resolves_to_its_handle() {
    let aliases = aliases(&[("@Alice", &["Al", "@Architect"])]);
    let table = Table::open(Declared { aliases, ..declared(&["@Alice", "@Bob"]) }).unwrap();
    for name in ["@al", "Architect", "alice", "@ALICE"] {
        assert_eq!(table.room.resolve(name).unwrap().handle.as_str(), "@Alice", "{name}");
    }
}

#[test]
fn an_alias_that_somebody_has_is_refused() {
    for taken in ["@bob", "@user", "@Alice"] {
        let aliases = aliases(&[("@Alice", &[taken])]);
        let refused = refusal(Declared { aliases, ..declared(&["@Alice", "@Bob"]) });
        assert_eq!(refused.code(), "invalid_handle", "{taken}");
    }
    let aliases = aliases(&[("@Alice", &["chief"]), ("@Bob", &["Chief"])]);
    let refused = refusal(Declared { aliases, ..declared(&["@Alice", "@Bob"]) });
    assert_eq!(refused.code(), "invalid_handle");
}

#[test]
fn an_alias_of_nobody_is_refused() {
    let aliases = aliases(&[("@Dave", &["D"])]);
    let refused = refusal(Declared { aliases, ..declared(&["@Alice", "@Bob"]) });
    assert_eq!(refused.code(), "unknown_participant");
    assert_eq!(refused.allowed(), ["@Alice", "@Bob"]);
}

#[test]
fn a_first_speaker_that_is_no_participant_is_refused() {
    let first_speaker = Some("@Dave".to_owned());
    let refused = refusal(Declared { first_speaker, ..declared(&["@Alice", "@Bob"]) });
    assert_eq!(refused.code(), "unknown_participant");
}

#[test]
fn a_first_speaker_may_be_named_by_an_alias() {
    let (aliases, first_speaker) = (aliases(&[("@Bob", &["chief"])]), Some("Chief".to_owned()));
    let declared = Declared { first_speaker, aliases, ..declared(&["@Alice", "@Bob"]) };
    let mut table = Table::open(declared).unwrap();
    table.join("@Alice");
    table.join("@Bob");
    assert_eq!(table.turns(), "@Bob");
}

#[test]
fn a_barrier_above_the_declared_agents_is_impossible() {
    let mut declared = declared(&["@Alice", "@Bob", "@user"]);
    declared.policy.barrier = Barrier::Count(3);
    let refused = refusal(declared);
    assert_eq!(refused.code(), "barrier_impossible");
    assert_eq!(refused.allowed(), ["0 to 2", "all"]);
}

#[test]
fn the_default_barrier_bends_to_the_number_of_agents() {
    let mut table = empty(&["@Alice", "@user"]);
    assert_eq!(table.room.phase(), Phase::Gathering);
    table.join("@Alice");
    assert_eq!(table.turns(), "@Alice");
}

#[test]
fn a_topic_is_one_line_of_at_most_200_characters() {
    for (given, kept) in [
        ("  a\nb\r\n\tc\u{7}d ", "a b c d".to_owned()),
        ("a\u{2028}b", "a b".to_owned()),
        ("a \u{202e}b\u{2066}c\u{e0041}", "a bc".to_owned()),
        (&"é".repeat(300), "é".repeat(200)),
    ] {
        let topic = given.to_owned();
        let table = Table::open(Declared { topic, ..declared(&["@Alice"]) }).unwrap();
        assert_eq!(table.room.topic(), kept);
    }
}
