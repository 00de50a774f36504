//! `turnroom doctor`, and hubs whose files were damaged while none ran.

use std::fs;
use std::path::PathBuf;

use crate::house::House;
use crate::support::{comes, err, out, run};
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

impl House {
    /// With rooms `one` and `two`, two messages in each. Its hub runs.
    fn with_two_rooms() -> Self {
        let house = Self::open();
        for room in ["one", "two"] {
            house.room(room);
            for words in ["first @Bob", "second @Bob"] {
                house.ok(&["send", words, "--as", "@user", "--room", room, "--no-wait"]);
            }
        }
        house
    }

    fn journal(&self) -> PathBuf {
        self.data().join("journal.db")
    }

    fn change(&self, sql: &str) {
        let changed = Connection::open(self.journal()).expect("a journal").execute(sql, ()).expect("SQL");
        assert!(changed > 0, "{sql}");
    }

    /// What the doctor finds, and its exit code.
    fn doctor(&self, words: &[&str]) -> (Value, Option<i32>) {
        let output = run(&self.data(), &[&["doctor", "--json"], words].concat());
        let report = serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{}", err(&output)));
        (report, output.status.code())
    }
}

/// Everything that was found with a grade, but for the clients of whoever runs the test.
fn found(report: &Value, grade: &str) -> Vec<String> {
    let findings = report["findings"].as_array().expect("a list").iter();
    let of_grade = findings.filter(|one| one["grade"] == grade && one["check"] != "clients");
    of_grade.map(|one| format!("{}: {}", one["check"].as_str().expect("text"), one["what"])).collect()
}

/// The stream of a room, as SQL.
fn stream(room: &str) -> String {
    let listed = format!(
        "SELECT json_extract(CAST(body AS TEXT), '$.stream') FROM events \
         WHERE kind = 'room_listed' AND json_extract(CAST(body AS TEXT), '$.room') = '{room}'"
    );
    format!("(SELECT id FROM streams WHERE name = ({listed}))")
}

#[test]
fn without_a_data_folder_the_doctor_makes_none() {
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("data");
    let output = run(&data, &["doctor"]);
    assert!(out(&output).contains("no hub has run with it yet"), "{}{}", out(&output), err(&output));
    assert!(!data.exists());
}

#[test]
fn a_sound_house_has_no_fault_with_a_hub_and_without() {
    let mut house = House::with_two_rooms();
    let (report, _) = house.doctor(&[]);
    assert_eq!(found(&report, "fault"), [""; 0]);
    let well = found(&report, "ok").join("\n");
    for part in ["rooms: \"2 sound", "transcripts: \"2 equal", "takes connections", "a hub holds"] {
        assert!(well.contains(part), "{well}");
    }
    house.stop();
    let (report, _) = house.doctor(&[]);
    assert_eq!(found(&report, "fault"), [""; 0]);
    assert!(found(&report, "ok").join("\n").contains("transcripts: \"2 equal"), "{report}");
    assert!(!house.data().join("journal.db-wal").exists(), "looking leaves nothing");
}

#[test]
fn a_damaged_event_closes_its_room_alone_and_the_doctor_names_it() {
    let mut house = House::with_two_rooms();
    house.stop();
    house.change(&format!(
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'second', 'sEcond') AS BLOB) WHERE kind = 'posted' AND place >> 32 = {}",
        stream("one")
    ));
    let note = fs::read(house.notes().join("one.md")).expect("a note");
    house.start();
    let refused = run(&house.data(), &["send", "third @Bob", "--as", "@user", "--room", "one", "--no-wait"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("turnroom doctor"), "{}", err(&refused));
    house.ok(&["send", "third @Bob", "--as", "@user", "--room", "two", "--no-wait"]);
    assert!(house.ok(&["rooms"]).contains("damaged"));
    let (report, code) = house.doctor(&[]);
    let faults = found(&report, "fault");
    assert!(faults.len() == 1 && faults[0].contains("`one`"), "{report}");
    assert!(faults[0].contains("the checksum differs"), "{report}");
    assert_eq!(code, Some(1));
    assert!(fs::read(house.notes().join("one.md")).expect("a note") == note, "its transcript stays");
}

#[test]
fn the_doctor_names_a_damaged_puzzle_which_can_be_removed() {
    let mut house = House::open();
    let file = house.folder().join("lamp.json");
    let lamp = r#"{ "id": "lamp", "initialState": "OFF", "states": {
        "OFF": { "actions": { "press": { "targetState": "ON" } } },
        "ON": { "actions": { "press": { "targetState": "OFF" } } } } }"#;
    fs::write(&file, lamp).expect("a file");
    house.ok(&["puzzle", "add", file.to_str().expect("text")]);
    house.ok(&["puzzle", "act", "lamp", "press"]);
    let (report, _) = house.doctor(&[]);
    assert!(found(&report, "ok").join("\n").contains("puzzles: \"1 sound"), "{report}");
    house.stop();
    house.change(
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'OFF', 'OfF') AS BLOB) WHERE kind = 'puzzle_moved'",
    );
    house.start();
    let (report, code) = house.doctor(&[]);
    let faults = found(&report, "fault").join("\n");
    assert!(faults.contains("the log of puzzles `puzzle-") && faults.contains("at event 2"), "{report}");
    assert_eq!(code, Some(1));
    let list = house.ok(&["puzzle", "list"]);
    assert!(list.contains("lamp") && list.contains("damaged: see turnroom doctor"), "{list}");
    assert!(house.ok(&["inbox"]).contains("the log of puzzle lamp is damaged"));
    house.ok(&["puzzle", "remove", "lamp", "--yes"]);
    assert!(house.ok(&["puzzle", "list"]).starts_with("no puzzles"));
}

#[test]
fn a_repair_opens_a_damaged_room_again_and_keeps_its_transcript() {
    let mut house = House::with_two_rooms();
    assert!(err(&run(&house.data(), &["doctor", "--repair"])).contains("another hub"));
    house.stop();
    house.change(&format!(
        "UPDATE events SET body = CAST(replace(CAST(body AS TEXT), 'second', 'sEcond') AS BLOB) WHERE kind = 'posted' AND place >> 32 = {}",
        stream("one")
    ));
    let (report, _) = house.doctor(&["--repair"]);
    assert!(found(&report, "warning").join("\n").contains("ends at event"), "{report}");
    assert!(found(&report, "fault").join("\n").contains("the log has lost its end"), "{report}");
    house.start();
    house.ok(&["send", "third @Bob", "--as", "@user", "--room", "one", "--no-wait"]);
    let names = fs::read_dir(house.notes()).expect("a folder").map(|entry| entry.expect("a file").path());
    let kept: Vec<_> = names.filter(|path| path.display().to_string().contains("one (edited")).collect();
    assert!(kept.len() == 1 && fs::read_to_string(&kept[0]).expect("text").contains("second"), "{kept:?}");
    let (report, _) = house.doctor(&[]);
    assert_eq!(found(&report, "fault"), [""; 0]);
    house.stop();
    let (report, _) = house.doctor(&["--repair"]);
    assert!(found(&report, "ok").join("\n").contains("nothing was changed"), "{report}");
}

#[test]
fn a_journal_that_cannot_be_opened_is_left_as_it_is_and_the_error_says_what_to_do() {
    for (damage, words) in [("half", "turnroom doctor --repair"), ("rubbish", "move it away")] {
        let mut house = House::with_two_rooms();
        house.stop();
        let mut bytes = fs::read(house.journal()).expect("a journal");
        if damage == "half" {
            bytes.truncate(bytes.len() / 2);
        } else {
            bytes[..200].fill(b'x');
        }
        fs::write(house.journal(), &bytes).expect("written");
        let refused = run(&house.data(), &["serve", "--port", "0"]);
        assert!(!refused.status.success() && err(&refused).contains(words), "{damage}: {}", err(&refused));
        assert!(fs::read(house.journal()).expect("a journal") == bytes, "{damage}: nothing is overwritten");
        let (report, code) = house.doctor(&[]);
        assert!(!found(&report, "fault").is_empty() && code == Some(1), "{damage}: {report}");
    }
}

#[test]
fn notes_that_differ_from_their_logs_are_told() {
    let mut house = House::with_two_rooms();
    house.stop();
    let (one, two) = (house.notes().join("one.md"), house.notes().join("two.md"));
    fs::write(&one, fs::read_to_string(&one).expect("text") + "typed\n").expect("written");
    fs::remove_file(two).expect("removed");
    let (report, _) = house.doctor(&[]);
    let warnings = found(&report, "warning").join("\n");
    assert!(warnings.contains("was changed by somebody") && warnings.contains("is missing"), "{report}");
}

#[test]
fn what_the_doctor_says_of_the_note_of_a_room_that_is_over_helps() {
    let mut house = House::with_two_rooms();
    house.ok(&["close", "one", "--as", "@user"]);
    let note = house.notes().join("one.md");
    fs::remove_file(&note).expect("removed");
    let advice = |house: &House| house.doctor(&[]).0.to_string();
    assert!(advice(&house).contains("start the hub anew, then `turnroom list one`"), "{}", advice(&house));
    house.stop();
    assert!(advice(&house).contains("start a hub, then `turnroom list one`"), "{}", advice(&house));
    house.start();
    house.ok(&["list", "one"]);
    comes("the note", || fs::read_to_string(&note).ok().filter(|text| text.contains("second @Bob")));
}
