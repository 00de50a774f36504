//! Rules of the start and the end of a hub.

use chrono::DateTime;

use super::*;

fn folder() -> (tempfile::TempDir, DataFolder) {
    let root = tempfile::tempdir().unwrap();
    let environment = crate::paths::Environment {
        data_dir: None,
        data_home: None,
        config_home: None,
        runtime_dir: None,
        short_temporary_dir: root.path().to_owned(),
    };
    let folder = DataFolder::open(Some(&root.path().join("data")), &environment).unwrap();
    (root, folder)
}

#[tokio::test(start_paused = true)]
async fn one_hub_per_folder() {
    let (_root, folder) = folder();
    let first = lock(&folder, false).await.unwrap();
    for is_patient in [false, true] {
        assert!(matches!(lock(&folder, is_patient).await, Err(LockError::Held { .. })));
    }
    drop(first);
    lock(&folder, false).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_only_looks_whether_a_hub_runs_keeps_none_from_starting() {
    let (_root, folder) = folder();
    drop(lock(&folder, false).await.unwrap());
    let looking = std::fs::File::open(folder.path().join("hub.lock")).unwrap();
    looking.try_lock_shared().unwrap();
    let look_away = async {
        tokio::time::sleep(LOCK_PAUSE * 2).await;
        looking.unlock().unwrap();
    };
    let (taken, ()) = tokio::join!(lock(&folder, false), look_away);
    taken.unwrap();
}

#[test]
fn only_a_terminal_is_shown_a_link() {
    let file = tempfile::tempfile().unwrap();
    assert_eq!(link(&Access::new("a token".into()), "http://127.0.0.1:8000", &file), None);
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_ends_does_not_write_how_to_reach_it() {
    let (root, folder) = folder();
    let address = HubAddress { pid: 42, url: None, socket: folder.socket(), started: DateTime::UNIX_EPOCH };
    // As on a full disk: it cannot be written yet.
    let aside = root.path().join("aside");
    std::fs::rename(folder.path(), &aside).unwrap();
    let mut doors = Doors::closed();
    doors.write_later(address, folder.clone());
    tokio::time::sleep(Duration::from_secs(5)).await;
    doors.write_no_more().await;
    std::fs::rename(&aside, folder.path()).unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(folder.read_address().unwrap(), None);
}
