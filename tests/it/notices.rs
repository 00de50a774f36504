//! A running hub tells a person what waits, as the settings of the user say; those of a project count for nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{err, out, turnroom};

/// A hub with the settings of a user, below one folder.
struct House {
    root: TempDir,
    hub: Option<Child>,
}

impl House {
    fn new(settings: &str) -> Self {
        let root = TempDir::new().expect("a folder");
        let folder = root.path().join("settings/turnroom");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), settings).expect("a file");
        std::fs::create_dir(root.path().join("work")).expect("a folder");
        Self { root, hub: None }
    }

    fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = turnroom(&self.root.path().join("data"), words);
        command.env("XDG_CONFIG_HOME", self.root.path().join("settings"));
        command.current_dir(self.work());
        command
    }

    fn work(&self) -> std::path::PathBuf {
        self.root.path().join("work")
    }

    /// Comes back when the hub listens.
    fn start(&mut self) {
        self.start_as(&["serve", "--port", "0"]);
    }

    fn start_as(&mut self, words: &[&str]) {
        let mut hub = self.command(words).spawn().expect("the binary starts");
        let mut lines = BufReader::new(hub.stdout.take().expect("it has one")).lines();
        let first = lines.next().expect("it says something").expect("text");
        assert!(first.contains("listens"), "{first}");
        self.hub = Some(hub);
    }

    /// The user's own file, which gets this text.
    fn set(&self, settings: &str) -> std::path::PathBuf {
        let file = self.root.path().join("settings/turnroom/config.toml");
        std::fs::write(&file, settings).expect("a file");
        file
    }

    /// Follows the inbox, as a person at a terminal does.
    fn follow_inbox(&self) -> Followed {
        let mut child = self.command(&["inbox", "--watch"]).spawn().expect("the binary starts");
        let lines = BufReader::new(child.stdout.take().expect("it has one")).lines();
        Followed { child, lines }
    }

    fn run(&self, words: &[&str]) {
        let output = self.command(words).output().expect("the binary starts");
        assert!(output.status.success(), "{words:?}: {}{}", out(&output), err(&output));
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(mut hub) = self.hub.take() {
            let _ = hub.kill();
            let _ = hub.wait();
        }
    }
}

/// A command that tells what waits, for as long as it is read.
struct Followed {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Followed {
    /// Reads on to a line with these words.
    fn until(&mut self, words: &str) -> String {
        let mut lines = (&mut self.lines).map(|line| line.expect("text"));
        lines.find(|line| line.contains(words)).expect("such a line comes")
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for one request, and takes it.
fn take_one(server: &TcpListener) -> Value {
    let (stream, _) = server.accept().expect("a connection");
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a head");
        match line.trim().split_once(": ") {
            Some(("content-length", text)) => length = text.parse().expect("a number"),
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
    reader.into_inner().write_all(answer).expect("it still listens");
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn a_hub_tells_a_question_to_a_webhook() {
    let server = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = server.local_addr().unwrap().port();
    let mut house = House::new(&format!(
        "[notices]\ndesktop = false\n[notices.webhook]\nurl = \"http://127.0.0.1:{port}/\"\n"
    ));
    house.start();
    house.run(&["new", "design.md", "@Alice", "@user"]);
    house.run(&["join", "--room", "design", "--as", "@Alice"]);
    house.run(&["send", "@user, which port?", "--room", "design", "--as", "@Alice", "--no-wait"]);
    let notice = take_one(&server);
    assert_eq!((&notice["kind"], &notice["count"]), (&"question".into(), &1.into()), "{notice}");
    assert_eq!(notice["text"], "@user, which port?");
    assert!(notice["url"].as_str().unwrap().ends_with("/rooms/design"), "{notice}");
}

#[test]
fn a_hub_does_not_start_where_a_project_names_a_program() {
    let house = House::new("");
    project(&house.work(), "[notices.command]\nprogram = \"/bin/true\"\n");
    for words in [&["serve", "--port", "0"][..], &["notify", "--test"]] {
        let output = house.command(words).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = err(&output);
        assert!(
            text.contains("sets `notices.command.program`, which the file of a project may not"),
            "{text}"
        );
        assert!(text.contains("settings/turnroom/config.toml"), "{text}");
    }
}

#[test]
fn settings_that_make_no_sense_are_in_the_inbox_until_they_are_mended() {
    let mut house = House::new("[notices]\ndesktop = false\n");
    house.start();
    let mut inbox = house.follow_inbox();
    let file = house.set("[notices]\ndesktop = false\n\n[tasks]\nmode = \"a secret\"\n");
    inbox.until("your settings have a fault");
    let told = inbox.until("config.toml");
    let place = format!("{}, line 5: `tasks.mode` must be \"manual\" or \"auto\".", file.display());
    assert!(told.contains(&place) && !told.contains("secret"), "{told}");
    inbox.until("turnroom config show");
    // Another fault is another thing.
    house.set("[notices]\ndesktop = false\n[task]\n");
    assert!(inbox.until("config.toml").contains("line 3: there is no setting `task`; did you mean"));
    house.set("[notices]\ndesktop = false\n");
    inbox.until("settled: your settings have a fault");
}

#[test]
fn of_settings_that_make_no_sense_a_person_is_told_at_the_start_of_a_hub() {
    let mut house = House::new("[notices]\ndesktop = false\n[tasks\n");
    let refused = house.command(&["serve", "--port", "0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("config.toml` is no valid TOML: line 3: "), "{}", err(&refused));
    house.start_as(&["serve", "--auto", "--port", "0"]);
    let mut inbox = house.follow_inbox();
    assert!(inbox.until("config.toml").contains("line 3: it is no valid TOML"));
    house.set("[tasks]\n");
    inbox.until("settled: your settings have a fault");
}

#[test]
fn a_trial_ends_with_1_if_a_way_does_not_work() {
    let house = House::new("[notices]\ndesktop = false\n[notices.command]\nprogram = \"/nowhere\"\n");
    let output = house.command(&["notify", "--test"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).starts_with("desktop  off\nwebhook  off\ncommand  failed: `/nowhere` cannot be"));
}

fn project(folder: &Path, settings: &str) {
    std::fs::create_dir(folder.join(".turnroom")).expect("a folder");
    std::fs::write(folder.join(".turnroom/config.toml"), settings).expect("a file");
}
