//! A program of the user that is started for each notice, without a shell. What people said reaches it on its standard
//! input only, as JSON.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::channel::{BadChannel, Channel, Failure};
use super::notice::Notice;
use crate::config::NoticeCommand;
use crate::paths::home_folder;
use crate::platform::group::Group;

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

    fn start(&self) -> Result<Group, Failure> {
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Group::start(command).map_err(|error| {
            Failure::Refused(format!("`{}` cannot be started: {error}", self.program.display()))
        })
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
