//! A program of the user that is started for each notice, without a shell. What people said reaches it on its standard
//! input only, as JSON.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::channel::{BadChannel, Channel, Failure};
use super::notice::Notice;
use crate::config::NoticeCommand;
use crate::paths::home_folder;
use crate::platform::process;

/// A killed program is gone after less.
const END: Duration = Duration::from_secs(1);

/// A program of the user.
#[derive(Debug)]
pub(super) struct CommandChannel {
    program: PathBuf,
    args: Vec<String>,
    limit: Duration,
    folder: PathBuf,
}

impl CommandChannel {
    pub(super) const NAME: &str = "command";

    /// The program that the settings name, if they do. It runs in `folder`.
    pub(super) fn new(settings: &NoticeCommand, folder: &Path) -> Result<Option<Self>, BadChannel> {
        if settings.program.is_empty() {
            return Ok(None);
        }
        let program = match settings.program.strip_prefix("~/") {
            None => PathBuf::from(&settings.program),
            Some(rest) => home_folder()
                .ok_or_else(|| BadChannel("this user has no home folder; write the whole path".to_owned()))?
                .join(rest),
        };
        Ok(Some(Self {
            program,
            args: settings.args.clone(),
            limit: Duration::from_secs(settings.timeout_seconds.get().into()),
            folder: folder.to_owned(),
        }))
    }

    fn start(&self) -> Result<Running, Failure> {
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        process::lead_group(&mut command);
        let started = Command::from(command).kill_on_drop(true).spawn();
        let child = started.map_err(|error| {
            Failure::Refused(format!("`{}` cannot be started: {error}", self.program.display()))
        })?;
        Ok(Running(child))
    }
}

#[async_trait]
impl Channel for CommandChannel {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn tell(&self, notice: &Notice) -> Result<(), Failure> {
        let mut running = self.start()?;
        let Ok(ended) = timeout(self.limit, running.feed(notice.json().to_string())).await else {
            running.kill().await;
            let (program, limit) = (self.program.display(), self.limit.as_secs());
            return Err(Failure::Refused(format!("`{program}` took more than {limit} s and was killed")));
        };
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::Refused(format!("`{}` ended with {status}", self.program.display()))),
            Err(error) => Err(Failure::Refused(error.to_string())),
        }
    }
}

/// A program that runs. If it is dropped before its end, it is killed with its children.
#[derive(Debug)]
struct Running(Child);

impl Running {
    /// Gives it the JSON and waits for its end.
    async fn feed(&mut self, json: String) -> std::io::Result<ExitStatus> {
        let input = self.0.stdin.take();
        let written = async {
            if let Some(mut input) = input {
                // A program need not read what it is given.
                let _ = input.write_all(json.as_bytes()).await;
            }
        };
        let ((), ended) = tokio::join!(written, self.0.wait());
        ended
    }

    async fn kill(&mut self) {
        self.kill_group();
        let _ = timeout(END, self.0.wait()).await;
    }

    fn kill_group(&self) {
        // No number: it has ended, and was waited for.
        if let Some(leader) = self.0.id() {
            process::kill_group(leader);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill_group();
    }
}
