//! Puzzles in the terminal, with a real hub: what is printed, how a wait ends, and what goes on at the prompt.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::house::House;
use crate::support::{comes, err, out, run, turnroom};

fn release() -> Value {
    json!({ "name": "A release", "initialState": "draft", "states": {
        "draft": { "who": ["@Ada"], "actions": { "submit": { "targetState": "review" } } },
        "review": { "actions": {
            "approve": {
                "targetState": "published",
                "guard": { "participant": ["@user", "@Carol"], "question": "May it go out?" },
            },
            "send back": { "targetState": "draft" },
        } },
        "published": { "final": true },
        "lost": { "final": true },
    } })
}

impl House {
    fn machine(&self, machine: &Value) -> PathBuf {
        let file = self.folder().join("machine.json");
        std::fs::write(&file, machine.to_string()).expect("a file");
        file
    }

    /// Adds the release as puzzle `release`.
    fn release(&self) -> String {
        let file = self.machine(&release());
        self.ok(&["puzzle", "add", file.to_str().expect("text"), "--id", "release", "--by", "@Ada"])
    }

    fn puzzle(&self, words: &[&str]) -> Output {
        run(&self.data(), &[&["puzzle"], words].concat())
    }

    /// Comes back when the hub has a call to answer beside that which asks for its status.
    fn is_called(&self) {
        let calls = || {
            let status: Value = serde_json::from_str(&self.ok(&["status", "--json"])).expect("JSON");
            status["calls"].as_u64().expect("a number")
        };
        comes("a second call", || (calls() >= 2).then_some(()));
    }

    /// What is printed to whom pipes these lines into the prompt.
    fn typed(&self, words: &[&str], lines: &str) -> Output {
        let mut child = turnroom(&self.data(), &[&["puzzle", "repl"], words].concat());
        let mut child = child.stdin(Stdio::piped()).spawn().expect("the binary starts");
        child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends")
    }
}

#[test]
fn a_puzzle_is_added_shown_moved_and_removed() {
    let house = House::open();
    let added = house.release();
    assert!(added.contains("puzzle   release") && added.contains("warning  config.states.lost"), "{added}");
    let shown = house.ok(&["puzzle", "show", "release"]);
    assert!(shown.contains("▶ draft      submit          → review"), "{shown}");
    assert!(shown.contains("  published  (the end)"), "{shown}");
    let moved = house.ok(&["puzzle", "act", "release", "submit", "--as", "@Ada"]);
    assert!(moved.contains("state    review") && moved.contains("actions  approve, send back"), "{moved}");
    let list = house.ok(&["puzzle", "list"]);
    assert!(list.contains("release  review") && list.contains("A release"), "{list}");
    let history = house.ok(&["puzzle", "history", "release", "--since", "1"]);
    assert!(
        history.starts_with("2 submit: draft → review by @Ada") && history.lines().count() == 1,
        "{history}"
    );
    let asked = house.puzzle(&["remove", "release"]);
    assert_eq!(asked.status.code(), Some(2));
    assert!(err(&asked).contains("say --yes"), "{}", err(&asked));
    let removed = house.ok(&["puzzle", "remove", "release", "--yes"]);
    assert!(removed.contains("state    review, removed") && !removed.contains("puzzleId"), "{removed}");
    assert!(house.ok(&["puzzle", "list"]).starts_with("no puzzles"));
    let gone = house.puzzle(&["show", "release"]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(
        err(&gone).contains("puzzle_removed") && err(&gone).contains("turnroom puzzle list"),
        "{}",
        err(&gone)
    );
}

#[test]
fn a_machine_comes_from_a_pipe_and_its_faults_are_told() {
    let house = House::open();
    let add = |machine: &str| {
        let mut child = turnroom(&house.data(), &["puzzle", "add", "-", "--json"]);
        let mut child = child.stdin(Stdio::piped()).spawn().expect("the binary starts");
        child.stdin.take().expect("a pipe").write_all(machine.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends")
    };
    let added: Value = serde_json::from_str(&out(&add(&release().to_string()))).expect("JSON");
    assert_eq!(added["success"], true, "{added}");
    let faulty = add(r#"{"initialState": "A", "states": {"B": {}}}"#);
    assert_eq!(faulty.status.code(), Some(1));
    let told: Value = serde_json::from_str(&out(&faulty)).expect("JSON");
    assert_eq!(told["error"]["faults"][0]["path"], "config.initialState", "{told}");
    for odd in ["{", "[]"] {
        let output = add(odd);
        assert!(!output.status.success() && err(&output).contains("`-` is no"), "{}", err(&output));
    }
    let nowhere = house.puzzle(&["add", "/nowhere/m.json"]);
    assert!(err(&nowhere).contains("`/nowhere/m.json` cannot be read"), "{}", err(&nowhere));
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused_wherever_it_is_read() {
    let house = House::open();
    let endless = || Stdio::from(std::fs::File::open("/dev/zero").expect("a device"));
    let publish = ["--role", "executor", "--content-type", "note", "--payload-file", "/dev/zero"];
    for words in [
        &["puzzle", "add", "/dev/zero"][..],
        &["puzzle", "add", "-"],
        &["puzzle", "repl"],
        &["say", "review", "-"],
        &["send", "--as", "@Ada"],
        &["answer", "review#1", "-"],
        &["task", "new", "--title", "T", "--description", "-"],
        &[&["task", "publish", "t"][..], &publish].concat(),
    ] {
        let refused = turnroom(&house.data(), words).stdin(endless()).output().expect("it ends");
        assert_eq!(refused.status.code(), Some(1), "{words:?}: {}", err(&refused));
        assert!(err(&refused).contains("more than 8 MiB"), "{words:?}: {}", err(&refused));
    }
}

#[test]
fn what_waits_for_a_word_is_not_done_and_a_script_cannot_speak_for_the_person() {
    let house = House::open();
    house.release();
    house.ok(&["puzzle", "act", "release", "submit", "--as", "@Ada"]);
    let asked = house.puzzle(&["act", "release", "approve", "--as", "@Ada"]);
    assert_eq!(asked.status.code(), Some(1));
    assert!(out(&asked).contains("asked    g3: @user, @Carol: May it go out?"), "{}", out(&asked));
    assert!(house.ok(&["inbox"]).contains("turnroom puzzle answer release g3 pass"));
    let forged = house.puzzle(&["answer", "release", "g3", "pass"]);
    assert_eq!(forged.status.code(), Some(1));
    assert!(err(&forged).contains("needs_person"), "{}", err(&forged));
    let late = house.puzzle(&["act", "release", "send back", "--expected-version", "2"]);
    assert!(err(&late).contains("version_conflict"), "{}", err(&late));
    for action in ["send back", "submit"] {
        house.ok(&["puzzle", "act", "release", action, "--as", "@Ada"]);
    }
    let words = ["puzzle", "act", "release", "approve", "--as", "@Ada", "--wait=60"];
    let act = turnroom(&house.data(), &words).spawn().expect("the binary starts");
    let asked = house.ok(&["puzzle", "wait", "release", "--since", "5", "--json"]);
    let asked: Value = serde_json::from_str(&asked).expect("JSON");
    let guard = asked["pending"][0]["guardId"].as_str().expect("a guard");
    house.ok(&["puzzle", "answer", "release", guard, "pass", "--reason", "Good", "--as", "@Carol"]);
    let done = act.wait_with_output().expect("it ends");
    assert!(out(&done).contains("published"), "{}{}", out(&done), err(&done));
}

#[test]
fn a_wait_ends_when_it_comes_or_when_the_time_is_over_and_outlives_a_restart() {
    let mut house = House::open();
    house.release();
    assert_eq!(house.puzzle(&["wait", "release", "--timeout", "0"]).status.code(), Some(4));
    assert_eq!(house.puzzle(&["wait", "release", "--since", "0"]).status.code(), Some(0));
    assert_eq!(house.puzzle(&["wait", "release", "--state", "nowhere"]).status.code(), Some(1));
    let mut wait = turnroom(&house.data(), &["puzzle", "wait", "release", "--state", "review", "--json"]);
    let wait = wait.spawn().expect("the binary starts");
    house.is_called();
    house.kill();
    house.start();
    house.ok(&["puzzle", "act", "release", "submit", "--as", "@Ada"]);
    let came: Value = serde_json::from_str(&out(&wait.wait_with_output().expect("it ends"))).expect("JSON");
    assert_eq!((&came["currentState"], &came["version"]), (&json!("review"), &json!(2)));
}

#[test]
fn a_wait_for_a_puzzle_that_has_ended_ends_at_once() {
    let house = House::open();
    let machine = json!({ "id": "over", "initialState": "A", "states": { "A": { "final": true } } });
    let file = house.machine(&machine);
    house.ok(&["puzzle", "add", file.to_str().expect("text")]);
    let waited = house.puzzle(&["wait", "over"]);
    assert_eq!(waited.status.code(), Some(1));
    assert!(out(&waited).contains("it has ended"), "{}", out(&waited));
}

#[test]
fn a_prompt_does_what_is_typed_and_a_refusal_ends_nothing() {
    let house = House::open();
    house.release();
    let typed =
        house.typed(&["--as", "@Ada"], "submit\nlist\nuse release\nfly\nsubmit\nsend back\nshow\nhistory\n");
    assert_eq!(typed.status.code(), Some(0));
    let shown = out(&typed);
    for words in [
        "use PUZZLE",
        "release  draft",
        "draft, version 1; actions: submit",
        "unknown_action",
        "2 submit: draft → review by @Ada",
        "review, version 2; actions: approve, send back",
        "3 send back: review → draft by @Ada",
        "▶ draft",
        "1 added, in draft by @Ada",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let json = out(&house.typed(&["release", "--as", "@Ada", "--json"], "submit\nfly\nquit\nnever\n"));
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [state, moved, after, refused] = &lines[..] else { panic!("{json}") };
    assert_eq!((&state["version"], &moved["what"]), (&json!(3), &json!("moved")), "{json}");
    assert_eq!(
        (&after["currentState"], &refused["error"]["code"]),
        (&json!("review"), &json!("unknown_action"))
    );
    assert_eq!(house.typed(&["nowhere"], "").status.code(), Some(1));
}

#[test]
fn a_prompt_tells_once_that_its_puzzle_is_gone() {
    let house = House::open();
    house.release();
    let mut child = turnroom(&house.data(), &["puzzle", "repl", "release", "--json"]);
    let mut child = child.stdin(Stdio::piped()).spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"))
        .lines()
        .map(|line| serde_json::from_str::<Value>(&line.expect("text")).expect("JSON"));
    assert_eq!(lines.next().expect("a line")["version"], 1);
    house.ok(&["puzzle", "remove", "release", "--yes", "--by", "@Carol"]);
    let gone = lines.next().expect("a line");
    assert_eq!((&gone["what"], &gone["actor"]), (&json!("removed"), &json!("@Carol")), "{gone}");
    // What is typed now is about no puzzle.
    input.write_all(b"submit\n").expect("it reads");
    let next = lines.next().expect("a line");
    assert_eq!(next["error"]["code"], "usage", "{next}");
    drop(input);
    assert!(lines.next().is_none());
    assert!(child.wait().expect("it ends").success());
}
