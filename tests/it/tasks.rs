//! Tasks in the terminal, with a real hub: what is printed, what passes the gate, and how a watch ends.

mod events;

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Output, Stdio};

use serde_json::Value;

use crate::house::House;
use crate::support::{err, out, run, turnroom};

impl House {
    /// Makes a task without a review; gives its id.
    fn task(&self, gate: &str) -> String {
        let words =
            "task new --title Parser --description Write-it --flow solo --cast executor=@Bob --json --gate";
        let made = self.json(&format!("{words} {gate}"));
        made["task_id"].as_str().expect("an id").to_owned()
    }

    /// Runs a command of words without spaces in them, which must do what it should.
    fn type_in(&self, words: &str) -> String {
        self.ok(&words.split_whitespace().collect::<Vec<_>>())
    }

    fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.type_in(words)).expect("JSON")
    }

    fn publish(&self, task: &str, role: &str, content_type: &str) -> String {
        self.type_in(&format!(
            "task publish {task} --role {role} --content-type {content_type} --summary Sum --body Body"
        ))
    }

    /// A solo task that waits for a person.
    fn task_at_its_gate(&self, gate: &str) -> String {
        let task = self.task(gate);
        self.publish(&task, "architect", "design");
        self.publish(&task, "executor", "code_changes");
        task
    }

    fn watch(&self, words: &str) -> (Child, Lines<BufReader<ChildStdout>>) {
        let words: Vec<_> = words.split_whitespace().collect();
        let mut watch = turnroom(&self.data(), &words).spawn().expect("the binary starts");
        let lines = BufReader::new(watch.stdout.take().expect("a pipe")).lines();
        (watch, lines)
    }
}

/// Reads on to a line with a word in it.
fn until(lines: &mut Lines<BufReader<ChildStdout>>, word: &str) -> String {
    let mut lines = lines.map(|line| line.expect("text"));
    lines.find(|line| line.contains(word)).expect("such a line comes")
}

#[test]
fn a_task_is_made_published_into_read_and_listed() {
    let house = House::open();
    let words = "task new --title Parser --description Write-it --cast executor=@Bob --cast reviewer=@Carol";
    let made = house.type_in(words);
    assert!(made.contains("task       parser") && made.contains("waits for  agent:architect"), "{made}");
    assert!(made.contains("executor @Bob"), "{made}");
    let published = house.publish("parser", "architect", "design");
    assert!(published.contains("status     implementing"), "{published}");
    let mut child = turnroom(
        &house.data(),
        &[
            "task",
            "publish",
            "parser",
            "--role",
            "executor",
            "--content-type",
            "code_changes",
            "--summary",
            "Done",
        ],
    );
    child.args(["--body", "-", "--commits", "1a2b", "--agent", "@Bob"]);
    let mut child = child.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"Two\nlines\n").unwrap();
    assert!(child.wait().unwrap().success());

    let read = house.type_in("task read parser");
    assert!(read.contains("2 code_changes by executor @Bob") && read.contains("    lines\n"), "{read}");
    assert!(read.contains("    commits 1a2b") && read.contains("status     reviewing"), "{read}");
    let tail = house.json("task read parser --since-version 2 --json");
    assert_eq!(tail["versions"].as_array().unwrap().len(), 1);
    let status = house.type_in("task status parser");
    assert!(status.contains("version    2") && !status.contains("lines"), "{status}");
    let list = house.type_in("task list --status reviewing");
    assert!(list.contains("parser") && list.contains("agent:reviewer"), "{list}");
    assert!(house.type_in("task list --status closed").starts_with("no tasks"));
}

#[test]
fn a_decision_without_a_terminal_is_only_a_proposal_unless_the_gate_is_open() {
    let house = House::open();
    let task = house.task_at_its_gate("human");
    let proposed = run(&house.data(), &["task", "decide", &task, "approve"]);
    assert_eq!(proposed.status.code(), Some(1));
    let shown = out(&proposed);
    assert!(shown.contains("proposed   approve, by @user") && shown.contains("pending approval"), "{shown}");
    assert!(house.type_in("inbox").contains(&format!("turnroom task decide {task} approve")));
    let why = house.type_in("why parser");
    assert!(why.contains("wants       @user (not verified) proposes to approve task parser\n"), "{why}");
    assert!(why.contains("to move on  turnroom task decide parser approve --expected-version 3\n"), "{why}");
    let words = ["task", "decide", &task, "reject"];
    let of_agent = turnroom(&house.data(), &words).env("TURNROOM_HANDLE", "@Bob").output().unwrap();
    assert!(out(&of_agent).contains("proposed   reject, by @Bob"), "{}", out(&of_agent));
    let file = house.data().join("decision.json");
    std::fs::write(&file, r#"{"summary": "Sum", "body": "Body", "decision": "approve"}"#).unwrap();
    let file = file.to_str().expect("a path of text");
    let words = ["task", "publish", &task, "--role=human", "--content-type=decision", "--payload-file", file];
    let published = run(&house.data(), &words);
    assert_eq!(published.status.code(), Some(1), "it is treated alike");
    assert!(out(&published).contains("proposed   approve, by human"), "{}", out(&published));
    let open = house.task_at_its_gate("open");
    assert!(house.type_in(&format!("task decide {open} approve")).contains("status     approved"));
    let closed = house.type_in(&format!("task decide {open} close --by @user --reason Done"));
    assert!(closed.contains("status   closed") && !closed.contains("waits for"), "{closed}");
    assert!(!house.type_in("task list").contains(&open));
    assert!(house.type_in("task list --include-closed").contains(&open));
}

#[test]
fn a_version_that_is_not_the_newest_says_what_came_in_between_and_how_to_read_it() {
    let house = House::open();
    let task = house.task_at_its_gate("open");
    let late = run(&house.data(), &["task", "decide", &task, "approve", "--expected-version", "1"]);
    assert_eq!(late.status.code(), Some(1));
    let told = err(&late);
    assert!(told.contains("version_conflict") && told.contains("2 code_changes (executor)"), "{told}");
    assert!(told.contains("`turnroom task read` with --since-version 2"), "{told}");
    assert_eq!(house.json(&format!("task status {task} --json"))["version"], 2);
    let early = run(&house.data(), &["task", "decide", &task, "approve", "--expected-version", "5"]);
    let told = err(&early);
    assert!(told.contains("is at version 2; it has not come so far"), "{told}");
    assert!(told.contains("`turnroom task read` with --since-version 2"), "{told}");
}

#[test]
fn a_payload_can_be_piped_in() {
    let house = House::open();
    let words = ["task", "publish", "project", "--role=human", "--content-type=note", "--payload-file", "-"];
    let mut child = turnroom(&house.data(), &words).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(br#"{"summary": "Sum", "body": "Body"}"#).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(house.type_in("task read project").contains("1 note by human, not verified"));
}

#[test]
fn the_whole_project_has_notes_of_its_own_and_no_status() {
    let house = House::open();
    assert!(err(&run(&house.data(), &["task", "read", "project"])).contains("task_not_found"));
    let published = house.publish("project", "human", "note");
    assert!(published.contains("version  1") && !published.contains("status"), "{published}");
    assert!(house.type_in("task read project").contains("1 note by human"));
    assert!(house.type_in("task list").starts_with("no tasks"));
}

#[test]
fn what_did_not_fit_waits_for_a_person_until_it_is_acknowledged() {
    let house = House::open();
    let task = house.task("human");
    let odd = house.publish(&task, "executor", "code_changes");
    assert!(odd.contains("OUT_OF_TABLE, record 1") && odd.contains("waits for  human"), "{odd}");
    assert!(odd.contains("turnroom task ack"), "{odd}");
    let (mut watch, lines) = house.watch(&format!("task watch {task}"));
    assert_eq!(
        (watch.wait().unwrap().code(), lines.count()),
        (Some(3), 4),
        "the state and its warning, twice"
    );
    let command = format!("turnroom task ack {task} --expected-version 1");
    assert!(house.type_in("inbox").contains(&command), "it names what is seen");
    house.publish(&task, "human", "note");
    let late = run(&house.data(), &command.split(' ').skip(1).collect::<Vec<_>>());
    assert!(err(&late).contains("version_conflict"), "{}", err(&late));
    let acknowledged = house.type_in(&format!("task ack {task} --note Seen --expected-version 2"));
    assert!(house.type_in(&format!("task read {task}")).contains("@user has seen what did not fit"));
    assert!(
        acknowledged.contains("agent:architect") && !acknowledged.contains("OUT_OF_TABLE"),
        "{acknowledged}"
    );
}

#[test]
fn a_watch_prints_what_comes_outlives_a_restart_and_ends_at_a_boundary() {
    let mut house = House::open();
    let task = house.task("open");
    let (mut watch, mut lines) = house.watch(&format!("task watch {task}"));
    until(&mut lines, "designing, version 0");
    house.publish(&task, "human", "note");
    until(&mut lines, "1 note by human");
    house.kill();
    house.start();
    house.publish(&task, "architect", "design");
    until(&mut lines, "2 design by architect");
    until(&mut lines, "implementing, version 2, waits for agent:executor");
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[test]
fn a_watch_that_follows_ends_with_2_when_the_task_is_closed() {
    let house = House::open();
    let task = house.task("open");
    let (mut watch, mut lines) = house.watch(&format!("task watch {task} --follow --json --since-version 1"));
    for (role, content_type) in [("architect", "design"), ("executor", "code_changes")] {
        house.publish(&task, role, content_type);
        let record: Value = serde_json::from_str(&until(&mut lines, content_type)).unwrap();
        assert_eq!((&record["event"], &record["record"]["role"]), (&"record".into(), &role.into()));
    }
    house.type_in(&format!("task decide {task} close"));
    let over: Value = serde_json::from_str(&until(&mut lines, "\"over\"")).unwrap();
    assert_eq!(over["task"]["status"], "closed");
    assert_eq!(watch.wait().unwrap().code(), Some(2));
    let (mut late, _lines) = house.watch(&format!("task watch {task}"));
    assert_eq!(late.wait().unwrap().code(), Some(2));
}

#[test]
fn a_watch_for_a_role_ends_when_its_turn_comes() {
    let house = House::open();
    let task = house.task("open");
    let (mut now, _lines) = house.watch(&format!("task watch {task} --role architect"));
    assert_eq!(now.wait().unwrap().code(), Some(0));
    let (mut watch, mut lines) = house.watch(&format!("task watch {task} --role executor"));
    until(&mut lines, "designing");
    house.publish(&task, "architect", "design");
    until(&mut lines, "1 design by architect");
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

/// Runs a command with settings of its own, and no terminal.
fn with_settings(folder: &Path, words: &str) -> Output {
    let words: Vec<_> = words.split_whitespace().collect();
    // The data folder comes first, since all that follows --start is of the program.
    let mut command = turnroom(&folder.join("data"), &[]);
    command.env("XDG_CONFIG_HOME", folder.join("settings")).current_dir(folder);
    command.args(words).output().expect("the binary starts")
}

#[test]
fn mode_and_assign_write_the_settings_of_the_user_and_need_a_person() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings/turnroom/config.toml");
    let run = |words: &str| with_settings(folder.path(), words);
    assert!(out(&run("task mode")).starts_with("mode  manual  (default)\n"), "{}", out(&run("task mode")));

    for words in ["task mode auto", "task assign executor @Bob", "task assign executor --start my-agent"] {
        let refused = run(words);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
        assert!(err(&refused).contains("--yes"), "{}", err(&refused));
    }
    assert!(!file.exists(), "nothing was written");

    let set = out(&run("task mode auto --yes"));
    let origin = format!("mode  auto  ({})", file.display());
    assert!(set.starts_with(&origin) && set.contains("The hub starts nobody"), "{set}");
    std::fs::write(&file, "# Mine.\n[tasks]\nmode = \"auto\" # for now\n").unwrap();
    let assigned = out(&run("task assign executor @Bob --yes --auto --start my-agent --go --yes"));
    assert_eq!(assigned, "executor  @Bob  my-agent --go --yes  (started by the hub)\n");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Mine.\n[tasks]\nmode = \"auto\" # for now\n"), "{text}");

    let json: Value = serde_json::from_str(&out(&run("task mode manual --yes --json"))).unwrap();
    assert_eq!((&json["mode"], &json["auto_roles"][0]), (&"manual".into(), &"executor".into()));
    assert_eq!(json["start"]["executor"]["command"], serde_json::json!(["my-agent", "--go", "--yes"]));
    assert_eq!(json["file"], file.display().to_string());
    assert!(!folder.path().join("data").exists(), "no hub is needed");

    let refused = run("task assign executor --no-start");
    assert_eq!(refused.status.code(), Some(1), "that changes settings, too");
    let taken = out(&run("task assign executor --no-start --no-cast --no-auto --yes"));
    assert_eq!(taken, "executor  @Executor  comes by itself\n");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "# Mine.\n[tasks]\nmode = \"manual\" # for now\nauto_roles = []\n");

    let before = std::fs::read_to_string(&file).unwrap();
    let wrong = run("task assign executor nobody! --yes");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(err(&wrong).contains("nothing was changed"), "{}", err(&wrong));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn an_agent_without_a_command_is_not_started_and_the_answer_says_how_to_set_one() {
    let house = House::open();
    let task = house.task("human");
    let refused = run(&house.data(), &["task", "start-next", &task]);
    assert_eq!(refused.status.code(), Some(1));
    let told = err(&refused);
    assert!(
        told.contains("not_startable") && told.contains("turnroom task assign architect --start"),
        "{told}"
    );
    let at_gate = house.task_at_its_gate("human");
    assert!(err(&run(&house.data(), &["task", "start-next", &at_gate])).contains("waits for a person"));
}

#[test]
fn a_task_that_is_not_there_cannot_be_watched() {
    let house = House::open();
    let none = run(&house.data(), &["task", "watch", "nowhere"]);
    assert_eq!((none.status.code(), out(&none).as_str()), (Some(1), ""));
    assert!(err(&none).contains("task_not_found") && err(&none).contains("turnroom task new"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(folder.path(), &["task", "watch", "nowhere"]).status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_hub_whose_files_may_not_grow_says_so_and_keeps_what_it_has_answered() {
    let mut house = House::open();
    let task = house.task("human");
    house.stop();
    house.start_with_files_of(2_000);
    let file = house.folder().join("payload.json");
    std::fs::write(&file, format!(r#"{{"summary": "s", "body": "{}"}}"#, "b".repeat(100_000))).unwrap();
    let file = file.to_str().expect("a path of text");
    let words = ["task", "publish", &task, "--role=human", "--content-type=note", "--payload-file", file];
    let mut published = 0;
    let refused = loop {
        let output = run(&house.data(), &words);
        if !output.status.success() {
            break err(&output);
        }
        published += 1;
        assert!(published < 100, "no limit is met");
    };
    assert!(refused.contains("journal_unavailable"), "{refused}");
    let status = house.json(&format!("task status {task} --json"));
    assert_eq!(status["version"], published, "it lives, and has stored what it has answered");
}
