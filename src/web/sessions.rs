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
        blocking(move || platform::files::replace(&path, &state)).await?;
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
mod tests {
    use rmcp::model::InitializeRequestParams;

    use super::*;

    const A: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    const B: &str = "67e55044-10b1-426f-9247-bb680e5fe0c9";
    const C: &str = "67e55044-10b1-426f-9247-bb680e5fe0ca";

    fn files() -> (tempfile::TempDir, SessionFiles) {
        let folder = tempfile::tempdir().unwrap();
        let files = SessionFiles::new(folder.path().join("sessions"));
        files.sweep(after(0), &HashSet::new()).unwrap();
        (folder, files)
    }

    fn noon() -> DateTime<Utc> {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    /// So many hours after noon, by both clocks.
    fn after(hours: u64) -> Now {
        now(hours, hours)
    }

    fn now(wall: u64, mono: u64) -> Now {
        Now { wall: noon() + Duration::from_hours(wall), mono: Duration::from_hours(mono) }
    }

    fn state() -> SessionState {
        SessionState::new(InitializeRequestParams::default())
    }

    async fn known(files: &SessionFiles) -> Vec<&'static str> {
        let mut known = Vec::new();
        for id in [A, B, C] {
            if files.load(id).await.unwrap().is_some() {
                known.push(id);
            }
        }
        known
    }

    #[tokio::test]
    async fn a_session_is_known_after_a_restart_until_it_is_deleted() {
        let (_folder, files) = files();
        files.store(A, &state()).await.unwrap();
        let after_restart = SessionFiles::new(files.folder.clone());
        assert_eq!(known(&after_restart).await, [A]);
        after_restart.delete(A).await.unwrap();
        after_restart.delete(A).await.unwrap();
        assert!(known(&after_restart).await.is_empty());
    }

    #[tokio::test]
    async fn what_a_session_has_subscribed_to_is_known_after_a_restart() {
        let (_folder, files) = files();
        files.store(A, &state()).await.unwrap();
        for uris in [vec!["turnroom://rooms".to_owned(), "turnroom://task/a".to_owned()], Vec::new()] {
            files.keep(A, uris.clone()).await;
            let after_restart = SessionFiles::new(files.folder.clone());
            assert!(!after_restart.is_restored(A));
            assert!(after_restart.load(A).await.unwrap().is_some());
            assert!(after_restart.is_restored(A));
            assert_eq!(after_restart.kept(A).await, uris);
        }
        files.delete(A).await.unwrap();
        files.keep(A, vec!["turnroom://rooms".to_owned()]).await;
        assert!(files.kept(A).await.is_empty(), "a session that is over keeps nothing");
        assert!(files.kept("../secret").await.is_empty());
    }

    #[tokio::test]
    async fn an_id_that_is_no_uuid_never_touches_a_path() {
        let (folder, files) = files();
        fs::write(folder.path().join("secret.json"), "{}").unwrap();
        for id in [
            "../secret",
            "..",
            "",
            "/etc/passwd",
            "a\0b",
            "67e55044-10b1-426f-9247-bb680e5fe0c8/../../secret",
        ] {
            files.store(id, &state()).await.unwrap();
            assert!(files.load(id).await.unwrap().is_none());
            files.delete(id).await.unwrap();
        }
        assert!(folder.path().join("secret.json").exists());
        assert_eq!(fs::read_dir(&files.folder).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_damaged_file_is_as_good_as_none() {
        let (_folder, files) = files();
        fs::write(files.path(A).unwrap(), "{\"half\":").unwrap();
        assert!(files.load(A).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn sessions_end_a_day_after_their_last_use() {
        let (_folder, files) = files();
        for id in [A, B, C] {
            files.store(id, &state()).await.unwrap();
            files.used(id, noon() - TimeDelta::hours(30));
        }
        files.used(B, noon() - TimeDelta::hours(1));
        files.sweep(after(0), &HashSet::from([C.to_owned()])).unwrap();
        assert_eq!(known(&files).await, [B, C]);
        files.sweep(after(24), &HashSet::new()).unwrap();
        assert_eq!(known(&files).await, [C]);
    }

    #[tokio::test]
    async fn a_clock_that_is_set_forward_ends_no_session() {
        let (_folder, files) = files();
        files.store(A, &state()).await.unwrap();
        files.used(A, noon());
        let years = 24 * 365 * 5;
        files.sweep(now(years, 1), &HashSet::new()).unwrap();
        assert_eq!(known(&files).await, [A]);
        files.sweep(now(years + 23, 24), &HashSet::new()).unwrap();
        assert_eq!(known(&files).await, [A]);
        files.sweep(now(years + 25, 26), &HashSet::new()).unwrap();
        assert!(known(&files).await.is_empty(), "a day without use is over");
    }

    #[tokio::test]
    async fn a_clock_that_is_set_back_keeps_no_session_for_ever() {
        let (_folder, files) = files();
        for id in [A, B] {
            files.store(id, &state()).await.unwrap();
        }
        files.used(A, noon());
        // As if written before a restart, by a clock that was years ahead.
        files.used(B, noon() + Duration::from_hours(24 * 365 * 5));
        files
            .sweep(
                Now { wall: noon() - TimeDelta::days(400), mono: Duration::from_hours(1) },
                &HashSet::new(),
            )
            .unwrap();
        assert_eq!(known(&files).await, [A, B]);
        let later = noon() - TimeDelta::days(400) + TimeDelta::hours(25);
        files.sweep(Now { wall: later, mono: Duration::from_hours(26) }, &HashSet::new()).unwrap();
        assert!(known(&files).await.is_empty());
    }

    #[tokio::test]
    async fn the_oldest_session_makes_room() {
        let (_folder, mut files) = files();
        files.max = 2;
        for (id, hours) in [(A, 1), (B, 3)] {
            files.store(id, &state()).await.unwrap();
            files.used(id, noon() - TimeDelta::hours(hours));
        }
        files.store(C, &state()).await.unwrap();
        assert_eq!(known(&files).await, [A, C]);
    }

    #[tokio::test]
    async fn one_session_too_many_takes_a_tenth_away() {
        let (_folder, mut files) = files();
        files.max = 20;
        let count = |files: &SessionFiles| fs::read_dir(&files.folder).unwrap().count();
        let mut ids = (0..).map(|number| Uuid::from_u128(number).to_string());
        for id in ids.by_ref().take(20) {
            files.store(&id, &state()).await.unwrap();
        }
        assert_eq!(count(&files), 20);
        for expected in [18, 19, 20, 18] {
            files.store(&ids.next().unwrap(), &state()).await.unwrap();
            assert_eq!(count(&files), expected);
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_this_user_can_read_a_session() {
        use std::os::unix::fs::PermissionsExt;

        let (_folder, files) = files();
        files.store(A, &state()).await.unwrap();
        let mode = fs::metadata(files.path(A).unwrap()).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}
