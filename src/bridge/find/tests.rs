//! How bridges find a hub or start one, with hubs that only greet and a program that only says that it was started.

use std::sync::Arc;

use futures::future::join_all;
use tokio::task::JoinHandle;

use super::*;
use crate::paths::Environment;

const RELUCTANT: Duration = Duration::from_hours(1);

struct Scene {
    root: tempfile::TempDir,
    folder: DataFolder,
}

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = DataFolder::open(Some(&root.path().join("data")), &Environment::read()).unwrap();
        Self { root, folder }
    }

    fn finder(&self) -> Finder {
        let hello = Hello::of_this_process(&[], None).unwrap();
        let mut finder = Finder::new(self.folder.clone(), Vec::new(), hello);
        finder.starter.program = Some(self.root.path().join("program"));
        finder
    }

    /// The program that is started as a hub. Another process writes it: what is open for writing here is so, too, for a
    /// moment, in each program that another test starts, and cannot be started itself.
    fn write_program(&self, text: &str) {
        let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0"; chmod 700 "$0""#;
        let path = self.root.path().join("program");
        let written = Command::new("sh").arg("-c").arg(write).arg(path).arg(text).status();
        assert!(written.unwrap().success());
    }

    /// Greets whoever comes.
    fn greet(&self, refused: Option<&'static str>) -> JoinHandle<()> {
        let listener = socket::bind(&self.folder.bridge_socket()).unwrap();
        tokio::spawn(async move {
            let mut kept = Vec::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (reader, mut writer) = stream.into_split();
                let mut reader = BufReader::new(reader);
                hello::read(&mut reader).await.unwrap();
                hello::write(&mut writer, &Welcome::new(refused.map(str::to_owned))).await.unwrap();
                kept.push((reader, writer));
            }
        })
    }
}

#[tokio::test]
async fn a_hub_that_runs_is_found_and_none_is_started() {
    let scene = Scene::new();
    let _hub = scene.greet(None);
    scene.finder().connect(Need::Now).await.unwrap();
    assert!(!scene.folder.path().join("start.lock").exists());
}

#[tokio::test]
async fn the_hub_may_refuse_a_bridge_and_its_words_are_passed_on() {
    let scene = Scene::new();
    let _hub = scene.greet(Some("too old"));
    let refused = scene.finder().connect(Need::Now).await.unwrap_err();
    assert_eq!(refused.to_string(), "too old");
}

#[tokio::test]
async fn twenty_bridges_that_start_at_once_start_one_hub() {
    let scene = Scene::new();
    let started = scene.root.path().join("started");
    let [starts, may_end] = ["starts", "may_end"].map(|name| scene.root.path().join(name));
    assert!(Command::new("mkfifo").args([&starts, &may_end]).status().unwrap().success());
    // It waits at each fifo until the test opens the other end.
    let [log, first, last] = [&started, &starts, &may_end].map(|path| path.display());
    scene.write_program(&format!("echo \"$@\" >> '{log}'\necho now > '{first}'\nread end < '{last}'"));
    let bridges = (0..20).map(|_| {
        let mut finder = scene.finder();
        tokio::spawn(async move { finder.connect(Need::Now).await.map(|link| (link, finder)) })
    });
    let bridges: Vec<_> = bridges.collect();
    tokio::task::spawn_blocking(move || fs::read(starts)).await.unwrap().unwrap();
    let _hub = scene.greet(None);
    let links = join_all(bridges).await;
    tokio::task::spawn_blocking(move || fs::write(may_end, "now\n")).await.unwrap().unwrap();
    assert!(links.iter().all(|link| link.as_ref().unwrap().is_ok()));
    let started = fs::read_to_string(started).unwrap();
    assert_eq!(started.lines().count(), 1, "{started}");
    assert!(started.starts_with("serve --auto --idle-exit 60 --data-dir /"), "{started}");
}

#[tokio::test]
async fn a_hub_that_cannot_start_is_an_error_with_its_last_words() {
    let scene = Scene::new();
    scene.write_program("echo 'the disk is full' >&2; exit 1");
    let error = scene.finder().connect(Need::Now).await.unwrap_err();
    assert!(matches!(error, BridgeError::Ended { .. }), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error() {
    let error = Scene::new().finder().connect(Need::Now).await.unwrap_err();
    assert!(matches!(error, BridgeError::Start(_)), "{error}");
}

/// Somebody may be restarting the hub by hand; and a hub that was stopped stays stopped while nobody asks anything.
#[tokio::test(start_paused = true)]
async fn after_a_hub_was_lost_the_next_one_is_started_late_and_only_if_it_is_needed() {
    let scene = Scene::new();
    let mut finder = scene.finder();
    let hub = scene.greet(None);
    finder.connect(Need::Now).await.unwrap();
    hub.abort();
    assert!(hub.await.unwrap_err().is_cancelled());

    let finder = Arc::new(tokio::sync::Mutex::new(finder));
    let idle = timeout(RELUCTANT, async { finder.lock().await.connect(Need::Later).await.map(drop) }).await;
    assert!(idle.is_err(), "nothing was asked");
    finder.lock().await.since = None;
    let started = Instant::now();
    let error = finder.lock().await.connect(Need::Now).await.unwrap_err();
    assert!(matches!(error, BridgeError::Start(_)), "{error}");
    assert!(started.elapsed() >= RESTART, "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_hub_that_never_listens_is_given_up() {
    let scene = Scene::new();
    // Another bridge is starting one.
    let lock = scene.finder().starter.try_lock().unwrap().unwrap();
    let error = scene.finder().connect(Need::Now).await.unwrap_err();
    assert!(matches!(error, BridgeError::Silent { .. }), "{error}");
    drop(lock);
}
