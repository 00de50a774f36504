//! Starts the programs that are agents of tasks, as `[tasks]` of the settings says, which are read again when a file
//! has changed.
//!
//! What a program writes on its standard error goes into a file that stays locked as long as the program, or a child of
//! it that has not closed it, runs: so this hub and the next one know whether it still works.

#[cfg(test)]
#[cfg(unix)]
mod tests;

use std::convert::Infallible;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use serde_json::json;

use super::repositories;
use crate::config::{Config, ConfigError, Mode, Places, Starter as Program, Tasks};
use crate::hub::{SettingsFault, Start, Starter, TaskSettings};
use crate::paths::home_folder;
use crate::platform;
use crate::platform::group::Group;
use crate::room::Handle;
use crate::task::Role;

/// How often is looked whether something still runs that an ended program has left.
const LOOK: Duration = Duration::from_millis(200);
/// So much of what a running program says is kept, up to twice as much.
const MAX_SAID: u64 = 1 << 20;
/// So much of what a program said last is kept.
const LAST_WORDS: u64 = 2_000;
/// So many lines of it.
const LAST_LINES: usize = 10;

/// Starts the programs that are agents of tasks.
#[derive(Debug)]
pub(super) struct Agents {
    places: Places,
    /// The data folder of the hub.
    data: PathBuf,
    /// Where the programs leave what they say.
    folder: PathBuf,
    /// Where the hub listens.
    url: String,
    known: Mutex<Known>,
}

/// The settings as they were read last.
#[derive(Debug)]
struct Known {
    /// None: they are read at the first look.
    stamps: Option<[Option<Stamp>; 2]>,
    tasks: Tasks,
    settings: Arc<TaskSettings>,
    /// What is wrong with the files.
    fault: Option<SettingsFault>,
}

type Stamp = (u64, Option<SystemTime>);

impl Agents {
    /// Those that the settings name.
    pub(super) fn new(places: Places, tasks: &Tasks, (data, folder): (&Path, PathBuf), url: &str) -> Self {
        // What was said while no hub looked may be long.
        for said in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            shorten(&said.path());
        }
        let settings = Arc::new(settings(tasks));
        let known = Known { stamps: None, tasks: tasks.clone(), settings, fault: None };
        Self { places, data: data.to_owned(), folder, url: url.to_owned(), known: Mutex::new(known) }
    }

    /// What is known of the settings, which are read again if a file has changed. One that makes no sense changes
    /// nothing; until it is mended, it is looked at each time, since not every way to mend it leaves a stamp.
    fn read(&self) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = Some(stamps(&self.places));
        if stamps != known.stamps || known.fault.is_some() {
            known.stamps = stamps;
            match Config::read(&self.places) {
                Ok(config) => known.take(config.tasks),
                Err(error) => known.keep(&error),
            }
        }
        known
    }

    /// The folders in which commits that tasks name are looked for.
    pub(super) fn repositories(&self) -> Vec<PathBuf> {
        let tasks = self.read().tasks.clone();
        let of_agents = [&tasks.start.executor, &tasks.start.architect, &tasks.start.reviewer];
        let of_agents = of_agents.into_iter().map(|program| &program.folder);
        let of_agents =
            of_agents.filter(|folder| !folder.as_os_str().is_empty()).map(|folder| in_home(folder));
        let named: Vec<_> = tasks.repositories.iter().map(|folder| in_home(folder)).collect();
        repositories::folders(&named, of_agents)
    }

    fn file(&self, place: &str) -> PathBuf {
        self.folder.join(format!("{place}.log"))
    }

    fn start(&self, program: &Program, start: &Start) -> io::Result<Group> {
        let [first, args @ ..] = program.command.as_slice() else {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the settings name no program for it any more",
            ));
        };
        platform::create_private_folder(&self.folder)?;
        let file = self.file(&start.place);
        // What an earlier program left running may still write into the file before.
        std::fs::remove_file(&file).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let said = platform::create_private_log(&file)?;
        said.lock()?;
        let mut command = Command::new(in_home(Path::new(first)));
        if !program.folder.as_os_str().is_empty() {
            command.current_dir(in_home(&program.folder));
        }
        command.args(args).envs(self.environment(start));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said.try_clone()?);
        Group::start_holding(command, &said)
    }

    fn environment(&self, start: &Start) -> Vec<(&'static str, String)> {
        vec![
            ("TURNROOM_HANDLE", start.handle.to_string()),
            ("TURNROOM_ROOM", start.room.clone().unwrap_or_default()),
            ("TURNROOM_DATA_DIR", self.data.display().to_string()),
            ("TURNROOM_TASK", start.task.clone()),
            ("TURNROOM_ROLE", start.role.to_string()),
        ]
    }

    fn input(&self, start: &Start) -> String {
        let read = format!(
            "call context_read with task_id `{}`, or run `turnroom task read {}`; publish with context_publish as \
             role `{}`",
            start.task, start.task, start.role
        );
        let input = json!({
            "task_id": start.task,
            "title": start.title,
            "description": start.description,
            "role": start.role.as_str(),
            "handle": start.handle.as_str(),
            "room": start.room,
            "version": start.version,
            "attempt": start.attempt,
            "url": self.url,
            "data_dir": self.data,
            "how_to_read": read,
        });
        input.to_string()
    }
}

impl Known {
    fn take(&mut self, tasks: Tasks) {
        if self.fault.take().is_some() {
            tracing::info!("the settings make sense again");
        }
        if tasks != self.tasks {
            tracing::info!("the settings of tasks have changed");
            self.settings = Arc::new(settings(&tasks));
            self.tasks = tasks;
        }
    }

    fn keep(&mut self, error: &ConfigError) {
        let fault = error.fault().map(|fault| SettingsFault {
            file: fault.file,
            line: fault.line,
            problem: fault.words,
        });
        if fault != self.fault {
            tracing::warn!(%error, "the settings of tasks stay as they were");
            self.fault = fault;
        }
    }
}

#[async_trait]
impl Starter for Agents {
    fn settings(&self) -> Arc<TaskSettings> {
        Arc::clone(&self.read().settings)
    }

    fn fault(&self) -> Option<SettingsFault> {
        self.read().fault.clone()
    }

    async fn run(&self, start: &Start) -> String {
        let tasks = self.read().tasks.clone();
        let program = of(&tasks, start.role);
        let name = program.command.first().map_or("", String::as_str);
        let mut running = match self.start(program, start) {
            Ok(running) => running,
            Err(error) => return format!("`{name}` cannot be started: {error}"),
        };
        let limit = Duration::from_secs(u64::from(program.timeout_minutes.get()) * 60);
        let said = self.file(&start.place);
        let ended = tokio::time::timeout(limit, running.feed(self.input(start)));
        let ended = tokio::select! {
            ended = ended => ended,
            never = keep_short(&said) => match never {},
        };
        let ended = match ended {
            Ok(Ok(status)) => format!("`{name}` ended with {status}"),
            Ok(Err(error)) => format!("the end of `{name}` is not known: {error}"),
            Err(_) => {
                running.kill().await;
                format!("`{name}` took more than {} minutes and was killed", program.timeout_minutes)
            }
        };
        // What it has left running works for it.
        while self.is_running(&start.place) {
            tokio::time::sleep(LOOK).await;
        }
        let words = last_words(&said).unwrap_or_default();
        if words.is_empty() { ended } else { format!("{ended}\n{words}") }
    }

    fn is_running(&self, place: &str) -> bool {
        let said = self.file(place);
        shorten(&said);
        let file = File::open(said);
        file.is_ok_and(|file| platform::is_locked(&file).unwrap_or_default())
    }
}

fn of(tasks: &Tasks, role: Role) -> &Program {
    match role {
        Role::Architect => &tasks.start.architect,
        Role::Executor => &tasks.start.executor,
        Role::Reviewer => &tasks.start.reviewer,
    }
}

fn settings(tasks: &Tasks) -> TaskSettings {
    let handle = |role: Role| {
        let text = match role {
            Role::Architect => &tasks.cast.architect,
            Role::Executor => &tasks.cast.executor,
            Role::Reviewer => &tasks.cast.reviewer,
        };
        Some((role, Handle::parse(text).ok()?))
    };
    TaskSettings {
        is_auto: tasks.mode == Mode::Auto,
        auto_roles: tasks.auto_roles.iter().filter_map(|role| Role::of(role)).collect(),
        startable: Role::ALL.into_iter().filter(|role| !of(tasks, *role).command.is_empty()).collect(),
        stalled_after: Duration::from_secs(u64::from(tasks.stall_minutes.get()) * 60),
        max_auto_turns: tasks.max_auto_turns,
        cast: Role::ALL.into_iter().filter_map(handle).collect(),
    }
}

/// What tells whether the files have changed.
fn stamps(places: &Places) -> [Option<Stamp>; 2] {
    let stamp = |found: Metadata| (found.len(), found.modified().ok());
    [&places.user, &places.project].map(|path| Some(stamp(std::fs::metadata(path.as_ref()?).ok()?)))
}

/// A path with the folder of this user instead of `~`.
fn in_home(path: &Path) -> PathBuf {
    let rest = path.strip_prefix("~").ok();
    rest.and_then(|rest| Some(home_folder()?.join(rest))).unwrap_or_else(|| path.to_owned())
}

/// Keeps what a program says short, as long as this is waited for.
async fn keep_short(said: &Path) -> Infallible {
    loop {
        tokio::time::sleep(LOOK).await;
        shorten(said);
    }
}

/// Cuts off the beginning of what a program has said if it is long. What it says in this moment may be lost.
fn shorten(said: &Path) {
    let shortened = || -> io::Result<()> {
        let mut file = match File::options().read(true).write(true).open(said) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            file => file?,
        };
        if file.metadata()?.len() <= 2 * MAX_SAID {
            return Ok(());
        }
        let mut end = Vec::new();
        file.seek(SeekFrom::End(-MAX_SAID.cast_signed()))?;
        Read::by_ref(&mut file).take(MAX_SAID).read_to_end(&mut end)?;
        // There is always something to read.
        file.rewind()?;
        file.write_all(&end)?;
        file.set_len(MAX_SAID)
    };
    if let Err(error) = shortened() {
        tracing::debug!(said = %said.display(), %error, "what an agent says cannot be kept short");
    }
}

/// The last lines of what a program said.
fn last_words(said: &Path) -> io::Result<String> {
    let mut said = File::open(said)?;
    let length = said.metadata()?.len();
    said.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
    let mut bytes = Vec::new();
    said.take(LAST_WORDS).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    Ok(lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"))
}
