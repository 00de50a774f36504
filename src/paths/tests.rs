//! Rules of the data folder.

use std::fs;
use std::process::{Child, Command, Stdio};

use chrono::DateTime;
use tempfile::TempDir;

use super::*;

fn environment(root: &Path) -> Environment {
    Environment {
        data_dir: None,
        data_home: Some(root.join("home")),
        config_home: None,
        runtime_dir: Some(root.join("run")),
        short_temporary_dir: root.to_owned(),
    }
}

fn open(root: &TempDir) -> DataFolder {
    DataFolder::open(Some(&root.path().join("data")), &environment(root.path())).unwrap()
}

fn address() -> HubAddress {
    HubAddress {
        pid: 42,
        url: Some("http://127.0.0.1:8000".to_owned()),
        socket: PathBuf::from("/run/hub.sock"),
        started: DateTime::UNIX_EPOCH,
    }
}

#[test]
fn the_folder_is_the_one_asked_for_then_that_of_the_variable_then_the_usual_one() {
    let mut environment = environment(Path::new("/r"));
    environment.data_dir = Some(PathBuf::from("/variable"));
    let asked = environment.data_folder(Some(Path::new("/asked"))).unwrap();
    let variable = environment.data_folder(None).unwrap();
    environment.data_dir = None;
    let usual = environment.data_folder(None).unwrap();
    environment.data_home = None;
    assert_eq!([asked, variable, usual], ["/asked", "/variable", "/r/home/turnroom"].map(PathBuf::from));
    assert!(matches!(environment.data_folder(None), Err(PathError::NoHome)));
}

#[test]
fn a_missing_folder_is_made_for_this_user_only_and_may_be_opened_again() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    assert!(platform::is_private_folder(folder.path()).unwrap());
    assert_eq!(folder, open(&root));
    assert_eq!(folder.journal(), folder.path().join("journal.db"));
}

#[test]
fn a_folder_that_is_a_file_is_refused_by_name() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = DataFolder::open(Some(&file), &environment(root.path())).unwrap_err();
    assert!(matches!(&error, PathError::Unusable { path, .. } if *path == file), "{error}");
}

#[test]
fn sockets_lie_in_the_data_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    assert_eq!(folder.socket(), folder.path().join("hub.sock"));
    assert_eq!(folder.bridge_socket(), folder.path().join("bridge.sock"));
}

#[cfg(unix)]
#[test]
fn sockets_of_a_long_path_lie_in_a_short_private_folder_always_the_same() {
    let root = tempfile::tempdir().unwrap();
    let long = root.path().join("x".repeat(100));
    let folder = DataFolder::open(Some(&long), &environment(root.path())).unwrap();
    let sockets = folder.socket().parent().unwrap().to_owned();
    assert!(sockets.starts_with(root.path().join("run")), "{}", sockets.display());
    assert!(platform::is_private_folder(&sockets).unwrap());
    std::os::unix::net::UnixListener::bind(folder.bridge_socket()).unwrap();
    assert_eq!(folder, DataFolder::open(Some(&long), &environment(root.path())).unwrap());
    let other = root.path().join("y".repeat(100));
    assert_ne!(folder.socket(), DataFolder::open(Some(&other), &environment(root.path())).unwrap().socket());
}

#[cfg(unix)]
#[test]
fn sockets_lie_in_the_temporary_folder_when_the_runtime_folder_is_long_too() {
    let root = tempfile::tempdir().unwrap();
    let mut environment = environment(root.path());
    environment.runtime_dir = Some(root.path().join("r".repeat(100)));
    let long = root.path().join("x".repeat(100));
    let folder = DataFolder::open(Some(&long), &environment).unwrap();
    assert!(folder.socket().to_str().unwrap().len() <= platform::MAX_SOCKET_PATH_BYTES);
    assert!(folder.socket().parent().unwrap().parent() == Some(root.path()), "{folder:?}");
}

#[cfg(unix)]
#[test]
fn sockets_do_not_lie_in_a_folder_that_others_may_enter() {
    use std::os::unix::fs::PermissionsExt;

    let root = tempfile::tempdir().unwrap();
    let data = root.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = DataFolder::open(Some(&data), &environment(root.path())).unwrap();
    let sockets = folder.socket().parent().unwrap().to_owned();
    assert_ne!(sockets, data);
    // Somebody has opened that folder, too: no socket is better than one that others reach.
    fs::set_permissions(&sockets, fs::Permissions::from_mode(0o777)).unwrap();
    let error = DataFolder::open(Some(&data), &environment(root.path())).unwrap_err();
    assert!(matches!(&error, PathError::NotPrivate { path } if *path == sockets), "{error}");
}

#[test]
fn an_address_reads_back_as_it_was_written_and_is_for_this_user_only() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    assert_eq!(folder.read_address().unwrap(), None);
    folder.write_address(&HubAddress { pid: 1, ..address() }).unwrap();
    folder.write_address(&address()).unwrap();
    assert_eq!(folder.read_address().unwrap(), Some(address()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = folder.address_file().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    folder.remove_address().unwrap();
    folder.remove_address().unwrap();
    assert_eq!(folder.read_address().unwrap(), None);
}

#[test]
fn an_address_of_a_newer_hub_is_understood_and_rubbish_is_an_error_that_names_the_file() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    let newer = r#"{"pid":7,"url":null,"socket":"/s","started":"2026-08-18T10:20:00Z","more":1}"#;
    fs::write(folder.address_file(), newer).unwrap();
    assert_eq!(folder.read_address().unwrap().unwrap().pid, 7);
    for rubbish in ["", "{", "[]", "\0\u{1}", r#"{"pid":-1}"#] {
        fs::write(folder.address_file(), rubbish).unwrap();
        let error = folder.read_address().unwrap_err();
        assert!(error.to_string().contains("hub.json"), "{error}");
    }
}

#[test]
fn a_second_hub_is_refused_and_told_the_process_of_the_first() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    let lock = folder.lock().unwrap();
    let error = folder.lock().unwrap_err();
    assert!(matches!(error, LockError::Held { pid } if pid == Some(std::process::id())), "{error}");
    assert!(error.to_string().contains(&std::process::id().to_string()), "{error}");
    drop(lock);
    folder.lock().unwrap();
}

#[test]
fn whether_a_hub_holds_the_folder_can_be_seen_without_taking_it() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    assert_eq!(folder.lock_state().unwrap(), LockState::Free);
    assert!(!folder.path().join("hub.lock").exists(), "looking makes no file");
    let lock = folder.lock().unwrap();
    assert_eq!(folder.lock_state().unwrap(), LockState::Held { pid: Some(std::process::id()) });
    drop(lock);
    assert_eq!(folder.lock_state().unwrap(), LockState::Free);
}

#[test]
fn a_try_to_write_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    let before = fs::read_dir(folder.path()).unwrap().count();
    folder.try_to_write().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
}

#[test]
fn a_lock_file_with_rubbish_in_it_harms_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    fs::write(folder.path().join("hub.lock"), vec![0xff; 1 << 20]).unwrap();
    let lock = folder.lock().unwrap();
    fs::write(folder.path().join("hub.lock"), "no number").unwrap();
    assert!(matches!(folder.lock(), Err(LockError::Held { pid: None })));
    drop(lock);
}

/// Stands for another hub: this very test program, started again to run nothing but the helper below.
fn spawn_holder(data: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "paths::tests::hold_the_lock_until_killed", "--ignored", "--nocapture"])
        .env("TURNROOM_TEST_LOCK", data)
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "a helper process of the_lock_dies_with_its_holder"]
fn hold_the_lock_until_killed() {
    let Some(data) = std::env::var_os("TURNROOM_TEST_LOCK").map(PathBuf::from) else { return };
    let _lock = HubLock::take(&data.join("hub.lock")).unwrap();
    println!("\nlocked");
    // Ends when the parent does, should that not kill it.
    let _ = io::stdin().read_line(&mut String::new());
}

#[test]
fn the_lock_dies_with_its_holder() {
    use std::io::{BufRead, BufReader};

    let root = tempfile::tempdir().unwrap();
    let folder = open(&root);
    let mut holder = spawn_holder(folder.path());
    let output = BufReader::new(holder.stdout.take().unwrap());
    assert!(output.lines().any(|line| line.unwrap() == "locked"));
    let error = folder.lock().unwrap_err();
    assert!(matches!(error, LockError::Held { pid } if pid == Some(holder.id())), "{error}");
    holder.kill().unwrap();
    holder.wait().unwrap();
    folder.lock().unwrap();
}

#[test]
fn a_folder_may_be_where_no_file_is_in_the_way() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("file"), "").unwrap();
    for path in ["", "new", "new/deeper"] {
        assert!(may_be_folder(&root.path().join(path)), "{path}");
    }
    assert!(may_be_folder(Path::new("a-new-folder-of-no-test")));
    for path in ["file", "file/deeper"] {
        assert!(!may_be_folder(&root.path().join(path)), "{path}");
    }
    assert!(!may_be_folder(Path::new("/dev/null")));
}
