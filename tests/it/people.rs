//! What people do at a terminal with a real hub: whole rooms, backups, the demo.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::house::House;
use crate::support::{err, out, run, turnroom};

fn with_words() -> House {
    let house = House::open();
    house.room("talk");
    house.ok(&["send", "The first word, @Bob", "--as", "@user", "--room", "talk", "--no-wait"]);
    house.ok(&["send", "A secret, @Bob", "--as", "@user", "--room", "talk", "--no-wait", "--private"]);
    house
}

#[test]
fn a_backup_holds_every_message_and_can_be_restored_elsewhere() {
    let mut house = with_words();
    let copy = house.folder().join("copy.db");
    let shown = house.ok(&["backup", copy.to_str().unwrap()]);
    assert!(shown.contains("rooms  1"), "{shown}");
    house.ok(&["send", "Too late, @Bob", "--as", "@user", "--room", "talk", "--no-wait"]);
    house.stop();
    let other = House::restored(&copy);
    let read = other.ok(&["read", "--as", "@user", "--room", "talk"]);
    assert!(read.contains("The first word") && read.contains("A secret"), "{read}");
    assert!(!read.contains("Too late"), "{read}");
}

#[test]
fn a_backup_needs_no_hub_overwrites_nothing_and_knows_when_there_is_nothing() {
    let mut house = with_words();
    house.kill();
    let copy = house.folder().join("copy.db");
    house.ok(&["backup", copy.to_str().unwrap()]);
    let again = run(&house.data(), &["backup", copy.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("nothing is overwritten"), "{}", err(&again));
    let read = House::restored(&copy).ok(&["read", "--as", "@user", "--room", "talk"]);
    assert!(read.contains("The first word"), "{read}");
    let empty = tempfile::tempdir().unwrap();
    let nothing = run(empty.path(), &["backup", house.folder().join("new.db").to_str().unwrap()]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(err(&nothing).contains("no journal"), "{}", err(&nothing));
}

#[test]
fn an_export_goes_to_standard_output_or_into_a_new_file() {
    let house = with_words();
    let output = run(&house.data(), &["export", "talk"]);
    assert!(out(&output).contains("The first word") && !out(&output).contains("A secret"));
    assert!(err(&output).contains("--private"), "{}", err(&output));
    let file = house.folder().join("talk.md");
    let words = ["export", "talk", "--private", "--output", file.to_str().unwrap()];
    assert!(house.ok(&words).starts_with("file  "));
    assert!(fs::read_to_string(&file).unwrap().contains("A secret"));
    let again = run(&house.data(), &words);
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("nothing is overwritten"), "{}", err(&again));
    assert!(house.ok(&["export", "talk", "--output", "-"]).contains("The first word"));
}

#[test]
fn a_room_is_deleted_only_by_who_says_so_twice() {
    let house = with_words();
    let unasked = run(&house.data(), &["delete", "talk"]);
    assert_eq!(unasked.status.code(), Some(2));
    assert!(err(&unasked).contains("--yes"), "{}", err(&unasked));
    let open = run(&house.data(), &["delete", "talk", "--yes"]);
    assert_eq!(open.status.code(), Some(1));
    assert!(err(&open).contains("room_open") && err(&open).contains("force"), "{}", err(&open));
    let shown = house.ok(&["delete", "talk", "--yes", "--force"]);
    assert!(shown.contains("messages    2") && shown.contains("stays at"), "{shown}");
    assert!(house.notes().join("talk.md").exists());
    for file in fs::read_dir(house.data()).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = fs::read(&file).unwrap_or_default();
        assert!(!bytes.windows(8).any(|part| part == b"A secret"), "{}", file.display());
    }
}

/// Reads what a demo prints, up to its question.
fn until_question(demo: &mut Child) -> Vec<String> {
    let mut lines = BufReader::new(demo.stdout.take().expect("a pipe")).lines();
    let mut read = Vec::new();
    while read.last().is_none_or(|line: &String| !line.contains("turnroom answer")) {
        read.push(lines.next().expect("a question").expect("text"));
    }
    // What comes later is left in the pipe, which stays open.
    demo.stdout = None;
    read
}

#[test]
fn the_demo_asks_takes_an_answer_and_closes_its_room() {
    let house = House::open();
    let mut demo = turnroom(&house.data(), &["demo", "--fast"]).spawn().unwrap();
    let mut lines = BufReader::new(demo.stdout.take().unwrap()).lines();
    let question = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("turnroom answer")));
    assert!(question.unwrap().unwrap().contains("demo#"));
    house.ok(&["send", "@Alice, Wait for the fix", "--as", "@user", "--room", "demo", "--no-wait"]);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.contains("we wait for the fix")), "{rest:?}");
    assert!(demo.wait().unwrap().success());
    assert!(house.ok(&["rooms"]).contains("closed"));
    let note = fs::read_to_string(house.notes().join("demo.md")).unwrap();
    assert!(note.contains("One test fails") || note.contains("one test fails"), "{note}");
}

#[test]
fn ctrl_c_ends_the_demo_with_130_and_its_room_is_closed() {
    let house = House::open();
    let mut demo = turnroom(&house.data(), &["demo", "--fast"]).spawn().unwrap();
    let said = until_question(&mut demo);
    assert!(said.iter().any(|line| line.starts_with("@Bob: ")), "{said:?}");
    kill_process(Pid::from_child(&demo), Signal::INT).unwrap();
    assert_eq!(demo.wait().unwrap().code(), Some(130));
    assert!(house.ok(&["rooms"]).contains("closed"));
}

#[test]
fn without_a_hub_the_demo_says_how_to_start_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = turnroom(folder.path(), &["demo"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("turnroom serve"), "{}", err(&output));
}

/// A room in which Alice asks, for a person to choose.
fn with_question() -> House {
    let house = House::open();
    house.room("talk");
    for handle in ["@Alice", "@Bob"] {
        house.ok(&["join", "--as", handle, "--room", "talk"]);
    }
    let ask =
        ["send", "Which one, @user?", "--as", "@Alice", "--room", "talk", "--no-wait", "--choice", "old"];
    house.ok(&[&ask[..], &["--choice", "new"]].concat());
    house
}

#[test]
fn the_first_answer_counts_and_the_second_is_told_so() {
    let house = with_question();
    let shown = house.ok(&["inbox"]);
    assert!(shown.contains("@Alice asks @user in talk") && shown.contains("2  new"), "{shown}");
    let command = shown.lines().find_map(|line| line.trim().strip_prefix("turnroom answer ")).unwrap();
    let question = command.split_whitespace().next().unwrap();
    assert!(house.ok(&["answer", question, "2"]).contains("posted"));
    assert_eq!(house.ok(&["inbox"]), "nothing waits for you\n");
    let late = run(&house.data(), &["answer", question, "1"]);
    assert_eq!(late.status.code(), Some(1));
    assert!(err(&late).contains("question_answered"), "{}", err(&late));
    let number = question.rsplit_once('#').unwrap().1;
    assert_eq!(run(&house.data(), &["answer", number, "1"]).status.code(), Some(1));
    let read = house.ok(&["read", "--as", "@user", "--room", "talk"]);
    assert!(read.contains("    new\n") && !read.contains("    old\n"), "{read}");
    assert!(!read.contains("verified"), "no person sits at the terminal of a test");
}

#[test]
fn what_is_said_without_a_terminal_is_not_verified_and_may_be_refused_for_that() {
    let house = House::open();
    let note = house.notes().join("strict.md");
    let words = ["new", note.to_str().unwrap(), "@Alice", "@Bob", "--barrier", "0", "--humans-verified-only"];
    house.ok(&words);
    let refused = run(&house.data(), &["say", "strict", "Hello, @Alice"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("not_verified"), "{}", err(&refused));
    let link = run(&house.data(), &["open", "--print"]);
    assert_eq!(link.status.code(), Some(1));
    assert!(err(&link).contains("not_verified"), "{}", err(&link));
}

#[test]
fn a_watch_tells_what_was_said_goes_on_after_a_restart_and_ends_with_its_reader() {
    let mut house = with_words();
    let mut watch = turnroom(&house.data(), &["watch", "talk", "--json"]).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut until =
        |word: &str| lines.find(|line| line.as_ref().is_ok_and(|line| line.contains(word))).unwrap();
    assert!(until("A secret").unwrap().contains("\"room\":\"talk\""));
    house.kill();
    house.start();
    house.ok(&["say", "talk", "And on, @Bob"]);
    until("And on").unwrap();
    drop(lines);
    house.ok(&["say", "talk", "Nobody reads this, @Bob"]);
    assert!(watch.wait().unwrap().success());
}

#[test]
fn a_pause_and_the_turn_are_in_the_hands_of_people() {
    let house = with_question();
    let given = house.ok(&["give", "@Bob", "--room", "talk"]);
    assert!(given.contains("turn  @Bob"), "{given}");
    assert!(house.ok(&["pause", "--room", "talk"]).contains("paused"));
    assert!(house.ok(&["resume", "--room", "talk"]).contains("open"));
    let nobody = run(&house.data(), &["pass", "--room", "talk"]);
    assert_eq!(nobody.status.code(), Some(2), "a script that does not say who it is, is not the person");
    house.ok(&["pass", "--room", "talk", "--as", "@user"]);
}

#[test]
fn a_transcript_opens_in_obsidian_by_its_path() {
    let house = with_words();
    let link = house.ok(&["open", "talk", "--obsidian", "--print"]);
    let path = link.trim().strip_prefix("obsidian://open?path=").unwrap();
    assert!(path.starts_with("%2F") && path.ends_with("talk%2Emd"), "{link}");
}
