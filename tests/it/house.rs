//! A real hub with folders of its own, and the terminal commands at it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::{err, out, run, turnroom};

/// A data folder, a folder for notes, and the hub while it runs.
pub(crate) struct House {
    folder: TempDir,
    hub: Option<Child>,
}

impl House {
    /// Its hub runs.
    pub(crate) fn open() -> Self {
        let mut house = Self { folder: TempDir::new().expect("a folder"), hub: None };
        house.start();
        house
    }

    /// On a copy of a journal, as a person would put it back.
    pub(crate) fn restored(copy: &Path) -> Self {
        let mut house = Self { folder: TempDir::new().expect("a folder"), hub: None };
        std::fs::create_dir(house.data()).expect("a data folder");
        std::fs::copy(copy, house.data().join("journal.db")).expect("a copy");
        house.start();
        house
    }

    /// Starts a room that is open at once.
    pub(crate) fn room(&self, room: &str) {
        let note = self.notes().join(format!("{room}.md"));
        self.ok(&["new", note.to_str().expect("text"), "@Alice", "@Bob", "--barrier", "0"]);
    }

    /// The folder that holds both others.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder for notes.
    pub(crate) fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    /// Starts the hub, and waits until it listens.
    pub(crate) fn start(&mut self) {
        let command = self.serve();
        self.run(command);
    }

    /// Starts the hub where the system lets no file grow beyond so many blocks.
    #[cfg(unix)]
    pub(crate) fn start_with_files_of(&mut self, blocks: u32) {
        let serve = self.serve();
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -f {blocks}; exec \"$0\" \"$@\""));
        command.arg(serve.get_program()).args(serve.get_args()).stdin(Stdio::null()).stdout(Stdio::piped());
        for (name, value) in serve.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.run(command);
    }

    fn serve(&self) -> Command {
        let notes = self.notes();
        let words = ["serve", "--port", "0", "--transcripts", notes.to_str().expect("text")];
        turnroom(&self.data(), &words)
    }

    fn run(&mut self, mut command: Command) {
        let mut hub = command.stderr(Stdio::null()).spawn().expect("the binary starts");
        let mut lines = BufReader::new(hub.stdout.take().expect("a pipe")).lines();
        assert!(lines.any(|line| line.is_ok_and(|line| line.contains("listens"))), "the hub does not start");
        self.hub = Some(hub);
    }

    /// Stops the hub, and waits until it has ended.
    pub(crate) fn stop(&mut self) {
        self.ok(&["stop"]);
        self.hub.take().expect("a hub").wait().expect("it ends");
    }

    /// Runs a command that must do what it should; gives what it prints.
    pub(crate) fn ok(&self, words: &[&str]) -> String {
        let output = run(&self.data(), words);
        assert!(output.status.success(), "{words:?}: {}{}", err(&output), out(&output));
        out(&output)
    }

    /// Kills the hub, as a crash would.
    pub(crate) fn kill(&mut self) {
        let mut hub = self.hub.take().expect("a hub");
        hub.kill().expect("it runs");
        hub.wait().expect("it ends");
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(mut hub) = self.hub.take() {
            // It may have ended.
            let _ = hub.kill();
            let _ = hub.wait();
        }
    }
}
