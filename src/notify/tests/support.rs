//! A house for tests: a data folder that outlives the notifier, ways that note what they are told, and a server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::clock::Clock;
use crate::config::{Config, Notices};
use crate::notify::channel::{Channel, Failure};
use crate::notify::notice::Notice;
use crate::notify::pace::Pace;
use crate::notify::{News, Notifier};
use crate::paths::{DataFolder, Environment};
use crate::room::Handle;

/// Something that waits in the room that its id begins with.
pub(in crate::notify) fn news(id: &str) -> News {
    News {
        id: id.to_owned(),
        kind: "question".to_owned(),
        title: format!("title of {id}"),
        body: format!("body of {id}"),
        is_private: false,
        room: id.split('/').next().unwrap_or_default().to_owned(),
        to: Handle::user(),
        since: chrono::DateTime::UNIX_EPOCH,
        url: None,
        command: String::new(),
    }
}

pub(super) fn all(ids: &[&str]) -> Vec<News> {
    ids.iter().map(|id| news(id)).collect()
}

/// Nothing is told but by what a test adds.
pub(super) fn silent() -> Notices {
    Notices { desktop: false, ..Config::default().notices }
}

/// Fast enough for a test that waits in real time.
pub(super) fn quick() -> Pace {
    let (moment, delay) = (Duration::from_millis(20), Duration::from_millis(20));
    Pace { moment, first_delay: delay, longest_delay: delay, grace: Duration::from_secs(5) }
}

pub(super) struct House {
    root: tempfile::TempDir,
    pub(super) clock: Clock,
}

impl House {
    pub(super) fn new() -> Self {
        Self { root: tempfile::tempdir().expect("a folder"), clock: Clock::start() }
    }

    pub(super) fn folder(&self) -> DataFolder {
        let environment = Environment {
            data_dir: None,
            data_home: None,
            config_home: None,
            runtime_dir: None,
            short_temporary_dir: self.root.path().to_owned(),
        };
        DataFolder::open(Some(&self.root.path().join("data")), &environment).expect("a data folder")
    }

    pub(super) async fn open(
        &self,
        channels: Vec<Box<dyn Channel>>,
        settings: &Notices,
        pace: Pace,
    ) -> Notifier {
        Notifier::with(channels, settings, &self.folder(), self.clock, pace).await
    }
}

/// How a way behaves next; when none is left, well.
pub(super) enum Mood {
    Later,
    Refuses,
    /// For ever.
    Hangs,
}

/// A way that notes what it is told.
#[derive(Debug)]
pub(super) struct Noted {
    name: &'static str,
    moods: Mutex<Vec<Mood>>,
    told: UnboundedSender<Notice>,
}

impl std::fmt::Debug for Mood {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("mood")
    }
}

/// What a way was told.
pub(super) struct Heard(UnboundedReceiver<Notice>);

impl Noted {
    pub(super) fn named(name: &'static str, moods: Vec<Mood>) -> (Box<dyn Channel>, Heard) {
        let (told, heard) = unbounded_channel();
        (Box::new(Self { name, moods: Mutex::new(moods), told }), Heard(heard))
    }
}

#[async_trait]
impl Channel for Noted {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn tell(&self, notice: &Notice) -> Result<(), Failure> {
        let mood = {
            let mut moods = self.moods.lock().expect("no panic under the lock");
            (!moods.is_empty()).then(|| moods.remove(0))
        };
        match mood {
            Some(Mood::Later) => Err(Failure::Later { reason: "later".to_owned(), after: None }),
            Some(Mood::Refuses) => Err(Failure::Refused("no".to_owned())),
            Some(Mood::Hangs) => std::future::pending().await,
            None => {
                self.told.send(notice.clone()).expect("the test listens");
                Ok(())
            }
        }
    }
}

impl Heard {
    /// What was told, when so much time has passed. With paused time, it passes at once.
    pub(super) async fn after(&mut self, time: Duration) -> Vec<String> {
        tokio::time::sleep(time).await;
        std::iter::from_fn(|| self.0.try_recv().ok()).map(|notice| notice.title()).collect()
    }
}

/// A server that gives each request the next one of these answers, and then 200.
pub(super) struct Server {
    pub(super) url: String,
    pub(super) requests: UnboundedReceiver<String>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(super) async fn answering(statuses: &'static [u16]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let (requested, requests) = unbounded_channel();
        let statuses = Arc::new(Mutex::new(statuses.to_vec()));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let next = || {
                    let mut left = statuses.lock().expect("no panic under the lock");
                    if left.is_empty() { 200 } else { left.remove(0) }
                };
                if answer(stream, next, &requested).await.is_none() {
                    return;
                }
            }
        });
        Self { url, requests, task }
    }

    pub(super) async fn next(&mut self) -> String {
        self.requests.recv().await.expect("the server runs")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(
    mut stream: TcpStream,
    status: impl Fn() -> u16,
    requested: &UnboundedSender<String>,
) -> Option<()> {
    let (mut text, mut part) = (String::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut part).await.ok()?;
        text.push_str(std::str::from_utf8(&part[..count]).ok()?);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
            if body.len() >= length.parse().ok()? {
                break;
            }
        }
    }
    requested.send(text).ok()?;
    let answer = format!("HTTP/1.1 {} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", status());
    stream.write_all(answer.as_bytes()).await.ok()
}
