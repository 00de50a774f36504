//! The way from a bridge to the hub: its socket; if nobody listens there, a hub is started, by one bridge for all.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{self, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::BufReader;
use tokio::time::{Instant, sleep, timeout};

use super::BridgeError;
use super::hello::{self, Hello, Welcome};
use super::relay::{Link, Need, Way};
use crate::paths::DataFolder;
use crate::platform::process::outlive_us;
use crate::platform::socket;

/// Somebody who restarts the hub by hand gets so long before a bridge starts one.
const RESTART: Duration = Duration::from_secs(3);
/// A hub that does not listen for so long after it was started will not.
const START: Duration = Duration::from_secs(20);
/// A hub that listens greets at once, unless the machine is very busy.
const GREETING: Duration = Duration::from_secs(5);
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// A hub that a bridge started ends so long after its last client.
const IDLE_EXIT_SECONDS: &str = "60";
/// A log that is longer is begun anew.
const MAX_LOG: u64 = 1024 * 1024;
const TAIL: u64 = 600;

/// Finds the hub of one data folder.
#[derive(Debug)]
pub(super) struct Finder {
    folder: DataFolder,
    hello: Hello,
    starter: Starter,
    /// When the present search began.
    since: Option<Instant>,
    /// How long to wait for others to start a hub.
    patience: Duration,
}

enum Miss {
    /// Nobody listens.
    Nobody,
    /// The hub does not want us.
    Refused(String),
}

impl Finder {
    /// For the hub of `folder`. A hub that has to be started gets `transcripts` as its own folders.
    pub(super) fn new(folder: DataFolder, transcripts: Vec<PathBuf>, hello: Hello) -> Self {
        let starter = Starter { folder: folder.clone(), transcripts, program: None, lock: None, child: None };
        Self { folder, hello, starter, since: None, patience: Duration::ZERO }
    }

    async fn greet(&self) -> Result<Link, Miss> {
        let attempt = timeout(GREETING, self.try_greet()).await;
        match attempt {
            Ok(Ok((welcome, link))) => welcome.refused.map_or(Ok(link), |why| Err(Miss::Refused(why))),
            Ok(Err(error)) => {
                tracing::debug!(%error, "no hub yet");
                Err(Miss::Nobody)
            }
            Err(_) => Err(Miss::Nobody),
        }
    }

    async fn try_greet(&self) -> io::Result<(Welcome, Link)> {
        let (reader, mut writer) = socket::connect(&self.folder.bridge_socket()).await?.into_split();
        let mut reader = BufReader::new(reader);
        hello::write(&mut writer, &self.hello).await?;
        let line = hello::read(&mut reader).await?;
        Ok((serde_json::from_slice(&line)?, Link { reader, writer }))
    }

    /// What is to be done while nobody listens.
    fn press(&mut self, need: Need, waited: Duration) -> Result<(), BridgeError> {
        if need == Need::Later && self.patience > Duration::ZERO {
            return Ok(());
        }
        if waited > self.patience + START {
            return Err(BridgeError::Silent { log: self.starter.log() });
        }
        if waited >= self.patience { self.starter.step() } else { Ok(()) }
    }
}

impl Way for Finder {
    async fn connect(&mut self, need: Need) -> Result<Link, BridgeError> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let mut pause = FIRST_PAUSE;
        loop {
            match self.greet().await {
                Ok(link) => {
                    self.starter.finished();
                    self.hello.is_back = true;
                    self.since = None;
                    self.patience = RESTART;
                    return Ok(link);
                }
                Err(Miss::Refused(why)) => return Err(BridgeError::Refused(why)),
                Err(Miss::Nobody) => self.press(need, since.elapsed())?,
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Starts one hub, under a lock that all bridges of the folder share.
#[derive(Debug)]
struct Starter {
    folder: DataFolder,
    transcripts: Vec<PathBuf>,
    /// What is started; this program, if nothing else is said.
    program: Option<PathBuf>,
    lock: Option<File>,
    child: Option<Child>,
}

impl Starter {
    /// One step nearer to a hub: the lock first, so that the caller looks once more; then the start.
    fn step(&mut self) -> Result<(), BridgeError> {
        if let Some(child) = &mut self.child {
            match child.try_wait().map_err(BridgeError::Start)? {
                None => return Ok(()),
                Some(status) => {
                    self.child = None;
                    if self.lock.is_some() && !status.success() {
                        return Err(BridgeError::Ended { log: self.log(), tail: self.tail() });
                    }
                }
            }
        }
        if self.lock.is_some() {
            self.child = Some(self.start().map_err(BridgeError::Start)?);
        } else {
            self.lock = self.try_lock().map_err(BridgeError::Start)?;
        }
        Ok(())
    }

    /// There is a hub; others may start the next one.
    fn finished(&mut self) {
        self.lock = None;
    }

    fn try_lock(&self) -> io::Result<Option<File>> {
        let path = self.folder.path().join("start.lock");
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error),
        }
    }

    fn start(&self) -> io::Result<Child> {
        let log = self.open_log()?;
        let program = self.program.clone().map_or_else(std::env::current_exe, Ok)?;
        let mut command = Command::new(program);
        command.args(["serve", "--auto", "--idle-exit", IDLE_EXIT_SECONDS]);
        command.arg("--data-dir").arg(path::absolute(self.folder.path())?);
        for folder in &self.transcripts {
            command.arg("--transcripts").arg(path::absolute(folder)?);
        }
        // Not the folder of the client: it may be removed while the hub runs.
        command.current_dir(self.folder.path());
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        outlive_us(&mut command);
        command.spawn()
    }

    fn open_log(&self) -> io::Result<File> {
        let path = self.log();
        if fs::metadata(&path).is_ok_and(|log| log.len() > MAX_LOG) {
            fs::remove_file(&path)?;
        }
        File::options().create(true).append(true).open(path)
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("hub.log")
    }

    /// The end of the log, for a message.
    fn tail(&self) -> String {
        let read = || -> io::Result<String> {
            let mut log = File::open(self.log())?;
            let start = log.metadata()?.len().saturating_sub(TAIL);
            log.seek(SeekFrom::Start(start))?;
            let mut bytes = Vec::new();
            log.read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
        };
        read().unwrap_or_default()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
