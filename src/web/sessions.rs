//! The sessions of older MCP clients, one small file each: an old session id works again after a restart of the hub,
//! and hears of what it has subscribed to.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::mcp::KeptSubscriptions;
use crate::platform;
use crate::room::Now;

/// A session that nobody has used for so long is forgotten.
const LIFE: Duration = Duration::from_hours(24);
/// Clocks are corrected by a little all the time; more than this is a jump.
const JUMP: TimeDelta = TimeDelta::minutes(1);
/// So many sessions are kept; the oldest make room.
const MAX_SESSIONS: usize = 10_000;
/// A client introduces itself in far fewer bytes.
const MAX_STATE: usize = 64 * 1024;
/// Where its subscriptions stand in the file of a session, beside what rmcp keeps.
const SUBSCRIPTIONS: &str = "subscriptions";

/// The folder of session files.
#[derive(Debug)]
pub(super) struct SessionFiles {
    folder: PathBuf,
    /// About how many there are; exact after a sweep.
    count: AtomicUsize,
    max: usize,
    /// Those that have come back since the start of the hub.
    restored: Mutex<HashSet<String>>,
    /// When files were last looked through.
    swept: Mutex<Option<Now>>,
}

impl SessionFiles {
    /// The files in `folder`, which must be private to this user.
    #[must_use]
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            count: AtomicUsize::new(0),
            max: MAX_SESSIONS,
            restored: Mutex::default(),
            swept: Mutex::default(),
        }
    }

    /// Removes what nobody has used for a day, and the oldest of too many. `in_use` are sessions in memory.
    ///
    /// The times of the files are those of the wall clock. When that was set since the last look, they are set with
    /// it, so that no session grows old at once; and what was used in the future was used now.
    pub(super) fn sweep(&self, now: Now, in_use: &HashSet<String>) -> io::Result<()> {
        let jump = self.jump_until(now);
        let present = SystemTime::from(now.wall);
        for (modified, path) in files(&self.folder)? {
            let id = path.file_stem().and_then(|id| id.to_str()).unwrap_or_default();
            let is_in_use = in_use.contains(id);
            let used = if is_in_use { present } else { shifted(modified, jump).min(present) };
            if present.duration_since(used).is_ok_and(|unused| unused > LIFE) {
                self.restored().remove(id);
                remove(&path)?;
            } else if used != modified {
                touch(&path, used)?;
            }
        }
        let left = trim(&self.folder, self.max)?;
        self.count.store(left, Ordering::Relaxed);
        Ok(())
    }

    /// By how much the wall clock was set since the last look.
    fn jump_until(&self, now: Now) -> TimeDelta {
        let last = self.swept.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        let jump = last.and_then(|last| {
            let went_by = TimeDelta::from_std(now.mono.saturating_sub(last.mono)).ok()?;
            Some(now.wall - last.wall - went_by)
        });
        jump.filter(|jump| jump.abs() > JUMP).unwrap_or_default()
    }

    /// The session was in use until now.
    pub(super) fn used(&self, session: &str, now: DateTime<Utc>) {
        let touched = self.path(session).map_or(Ok(()), |path| touch(&path, now.into()));
        if let Err(error) = touched {
            tracing::debug!(%error, session, "the session has no file");
        }
    }

    /// Whether a session was begun before the start of the hub: what it has seen of its stream has other numbers.
    pub(super) fn is_restored(&self, session: &str) -> bool {
        self.restored().contains(session)
    }

    fn restored(&self) -> MutexGuard<'_, HashSet<String>> {
        self.restored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id comes from a header: only a UUID, written anew, becomes a file name.
    fn path(&self, session: &str) -> Option<PathBuf> {
        Uuid::try_parse(session).ok().map(|id| self.folder.join(format!("{id}.json")))
    }

    /// Whether there are too many: then a tenth goes at once, so that not every new session looks through the folder.
    fn is_over_full(&self) -> bool {
        let is_more = |count| (count > self.max).then_some(self.after_a_trim());
        // Who comes next need not trim, too.
        self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_more).is_ok()
    }

    fn after_a_trim(&self) -> usize {
        self.max - self.max / 10
    }
}

#[async_trait]
impl SessionStore for SessionFiles {
    async fn load(&self, session: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(path) = self.path(session) else { return Ok(None) };
        match tokio::fs::read(path).await {
            // A damaged file is as good as none: the client is told to start a new session.
            Ok(state) => {
                self.restored().insert(session.to_owned());
                Ok(serde_json::from_slice(&state).ok())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn store(&self, session: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let state = serde_json::to_vec(state)?;
        let Some(path) = self.path(session) else { return Ok(()) };
        if state.len() > MAX_STATE {
            return Err(format!(
                "a client that introduces itself in {} bytes is not remembered",
                state.len()
            )
            .into());
        }
        let folder = self.folder.clone();
        let stored = move || {
            // The first session may come before the first sweep.
            fs::create_dir_all(folder)?;
            platform::files::replace(&path, &state)
        };
        blocking(stored).await?;
        self.count.fetch_add(1, Ordering::Relaxed);
        if self.is_over_full() {
            let (folder, most) = (self.folder.clone(), self.after_a_trim());
            let left = blocking(move || trim(&folder, most)).await?;
            self.count.store(left, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn delete(&self, session: &str) -> Result<(), SessionStoreError> {
        self.restored().remove(session);
        if let Some(path) = self.path(session) {
            remove(&path)?;
        }
        Ok(())
    }
}

#[async_trait]
impl KeptSubscriptions for SessionFiles {
    async fn keep(&self, session: &str, uris: Vec<String>) {
        let Some(path) = self.path(session) else { return };
        let kept = blocking(move || {
            let mut file: Map<String, Value> = serde_json::from_slice(&fs::read(&path)?)?;
            file.insert(SUBSCRIPTIONS.to_owned(), uris.into());
            platform::files::replace(&path, &serde_json::to_vec(&file)?)
        });
        if let Err(error) = kept.await {
            tracing::debug!(%error, session, "what a session has subscribed to is not kept");
        }
    }

    async fn kept(&self, session: &str) -> Vec<String> {
        let Some(path) = self.path(session) else { return Vec::new() };
        let read = tokio::fs::read(path).await.ok();
        let mut file: Map<String, Value> =
            read.and_then(|file| serde_json::from_slice(&file).ok()).unwrap_or_default();
        file.remove(SUBSCRIPTIONS).and_then(|uris| serde_json::from_value(uris).ok()).unwrap_or_default()
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

/// All files of a folder, and when each was last used.
fn files(folder: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    fs::create_dir_all(folder)?;
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Ok(modified) = fs::metadata(&path).and_then(|metadata| metadata.modified()) {
            files.push((modified, path));
        }
    }
    Ok(files)
}

/// Removes the oldest files beyond so many; gives how many are left.
fn trim(folder: &Path, most: usize) -> io::Result<usize> {
    let mut files = files(folder)?;
    files.sort_unstable();
    let surplus = files.len().saturating_sub(most);
    for (_, path) in files.drain(..surplus) {
        remove(&path)?;
    }
    Ok(files.len())
}

fn touch(path: &Path, used: SystemTime) -> io::Result<()> {
    File::options().write(true).open(path)?.set_modified(used)
}

fn shifted(time: SystemTime, by: TimeDelta) -> SystemTime {
    let distance = by.abs().to_std().unwrap_or_default();
    let shifted =
        if by < TimeDelta::zero() { time.checked_sub(distance) } else { time.checked_add(distance) };
    shifted.unwrap_or(time)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
