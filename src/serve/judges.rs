//! Runs the programs that judge guards of puzzles, as `[puzzles]` of the settings names them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::time::timeout;

use crate::config::Puzzles;
use crate::hub::{Judge, Ruling};
use crate::paths::home_folder;
use crate::platform::group::Group;
use crate::puzzle::Demand;

/// So many bytes of what a program says are its reason.
const REASON: usize = 2_000;

/// Runs the programs that judge guards of puzzles.
#[derive(Debug)]
pub(super) struct Judges {
    settings: Puzzles,
    /// In which folder they run.
    folder: PathBuf,
}

impl Judges {
    pub(super) fn new(settings: Puzzles, folder: PathBuf) -> Self {
        Self { settings, folder }
    }

    fn start(&self, words: &[String]) -> std::io::Result<Group> {
        let (program, args) = words.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let program = match program.strip_prefix("~/") {
            Some(rest) => home_folder().ok_or(std::io::ErrorKind::NotFound)?.join(rest),
            None => PathBuf::from(program),
        };
        let mut command = Command::new(program);
        command.args(args).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Group::start(command)
    }
}

#[async_trait]
impl Judge for Judges {
    fn names(&self) -> Vec<String> {
        self.settings.commands.keys().cloned().collect()
    }

    async fn rule(&self, name: &str, puzzle: &str, demand: &Demand) -> Ruling {
        let refused = |reason: String| Ruling { pass: false, reason: Some(reason) };
        let words = self.settings.commands.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut program = match self.start(words) {
            Ok(program) => program,
            Err(error) => return refused(format!("the program `{name}` cannot be started: {error}")),
        };
        let limit = Duration::from_secs(self.settings.command_timeout_seconds.get().into());
        let asked = format!("{}\n", asked(puzzle, demand));
        match timeout(limit, program.converse(asked, REASON)).await {
            Ok(Ok((ended, said))) => {
                let said = String::from_utf8_lossy(&said).trim().to_owned();
                let reason = (!said.is_empty()).then_some(said);
                match ended.code() {
                    Some(0) => Ruling { pass: true, reason },
                    Some(1) => Ruling { pass: false, reason },
                    _ => refused(format!("the program `{name}` failed ({ended})")),
                }
            }
            Ok(Err(error)) => refused(format!("the end of the program `{name}` is not known: {error}")),
            Err(_) => {
                program.kill().await;
                refused(format!("the program `{name}` has not answered in {} s", limit.as_secs()))
            }
        }
    }
}

/// What a program is told.
fn asked(puzzle: &str, demand: &Demand) -> serde_json::Value {
    json!({
        "puzzle": puzzle,
        "state": demand.state,
        "action": demand.action,
        "target": demand.target,
        "actor": demand.actor,
        "guard": demand.guard,
        "question": demand.question,
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::puzzle::Whom;

    async fn ruling_within(seconds: u32, script: &str) -> (bool, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        let settings = Puzzles {
            command_timeout_seconds: NonZeroU32::new(seconds).unwrap(),
            commands: [("lint".to_owned(), words)].into(),
        };
        let judges = Judges::new(settings, folder.path().to_owned());
        let Ruling { pass, reason } = judges.rule("lint", "release", &demand()).await;
        (pass, reason)
    }

    async fn ruling(script: &str) -> (bool, Option<String>) {
        ruling_within(60, script).await
    }

    fn demand() -> Demand {
        Demand {
            id: "d1".to_owned(),
            whom: Whom::Command("lint".to_owned()),
            question: "Is it clean?".to_owned(),
            guard: "the exit guard of `DRAFT`".to_owned(),
            state: "DRAFT".to_owned(),
            action: "publish".to_owned(),
            target: "OUT".to_owned(),
            actor: None,
            entered_version: 1,
        }
    }

    #[tokio::test]
    async fn a_program_judges_by_its_exit_code_and_says_why() {
        let reads = r#"grep -q '"question":"Is it clean?"' && echo clean"#;
        assert_eq!(ruling(reads).await, (true, Some("clean".to_owned())));
        assert_eq!(ruling("echo two faults; exit 1").await, (false, Some("two faults".to_owned())));
        assert_eq!(ruling("exit 0").await, (true, None));
    }

    #[tokio::test]
    async fn what_a_program_leaves_running_holds_up_no_verdict() {
        assert_eq!(ruling("sleep 600 & echo started").await, (true, Some("started".to_owned())));
    }

    #[tokio::test]
    async fn a_program_that_fails_hangs_or_is_not_there_refuses() {
        for (seconds, script, why) in
            [(60, "exit 7", "failed"), (60, "kill -9 $$", "failed"), (1, "sleep 600", "has not answered")]
        {
            let (pass, reason) = ruling_within(seconds, script).await;
            assert!(
                !pass && reason.as_ref().is_some_and(|reason| reason.contains(why)),
                "{script}: {reason:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_program_that_says_much_is_not_held_up() {
        let (pass, reason) = ruling("yes | head -c 10000000").await;
        assert!(pass && reason.is_some_and(|reason| reason.len() <= REASON));
    }
}
