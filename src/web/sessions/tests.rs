//! The files of sessions, over restarts and jumps of the clock.

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
async fn the_first_session_needs_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let files = SessionFiles::new(folder.path().join("sessions"));
    files.store(A, &state()).await.unwrap();
    assert_eq!(known(&files).await, [A]);
}

#[tokio::test]
async fn an_id_that_is_no_uuid_never_touches_a_path() {
    let (folder, files) = files();
    fs::write(folder.path().join("secret.json"), "{}").unwrap();
    for id in
        ["../secret", "..", "", "/etc/passwd", "a\0b", "67e55044-10b1-426f-9247-bb680e5fe0c8/../../secret"]
    {
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
        .sweep(Now { wall: noon() - TimeDelta::days(400), mono: Duration::from_hours(1) }, &HashSet::new())
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
