//! The task of one folder: it hears of changes, looks at the notes when they have settled, and does what the hub orders.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::future::pending;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, oneshot};

use super::desk::Pace;
use super::file;
use super::note::{Again, Note};
use super::watch::{News, Touched, Watcher};
use super::{ReplyEvent, ReplyHead, ReplyPlace};
use crate::platform::disk::{FileSystem, file_system};
use crate::transcript::writer::Now;

/// What the hub wants.
pub(super) enum Order {
    Watch(ReplyPlace),
    Show(ReplyPlace, ReplyHead, Option<oneshot::Sender<bool>>),
    Posted { name: OsString, request_id: String, seq: u64 },
    Refused { name: OsString, request_id: String, reason: String },
    Leave { name: OsString, key: String },
}

/// Where the news of a folder comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Not known yet.
    Unknown,
    /// The system tells.
    System,
    /// The system does not tell all: the files are looked at from time to time.
    Looks,
}

pub(super) struct Folder {
    path: PathBuf,
    pace: Pace,
    now: Now,
    events: mpsc::UnboundedSender<ReplyEvent>,
    watcher: Arc<Watcher>,
    touched: Arc<Touched>,
    source: Source,
    /// The notes, by the names of their files.
    notes: HashMap<OsString, Note>,
    /// Notes that are looked at when their time comes.
    due: FuturesUnordered<BoxFuture<'static, OsString>>,
    is_due: BTreeSet<OsString>,
    /// Versions that were replaced are let go of when this is over.
    lingering: Option<BoxFuture<'static, ()>>,
    /// The next look around, where the system does not tell all.
    polling: Option<BoxFuture<'static, ()>>,
}

impl Folder {
    pub(super) fn new(
        path: &Path,
        pace: Pace,
        now: Now,
        events: mpsc::UnboundedSender<ReplyEvent>,
        watcher: Arc<Watcher>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            pace,
            now,
            events,
            watcher,
            touched: Arc::default(),
            source: Source::Unknown,
            notes: HashMap::new(),
            due: FuturesUnordered::new(),
            is_due: BTreeSet::new(),
            lingering: None,
            polling: None,
        }
    }

    /// Works until nobody can give orders any more.
    pub(super) async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        self.begin().await;
        loop {
            if self.source == Source::Looks && self.polling.is_none() {
                self.polling = Some(Box::pin(tokio::time::sleep(self.pace.poll)));
            }
            let touched = Arc::clone(&self.touched);
            tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => self.obey(order).await,
                    None => break,
                },
                () = touched.changed() => self.hear(touched.take()),
                Some(name) = self.due.next() => {
                    self.is_due.remove(&name);
                    self.look(&name).await;
                }
                () = waited(&mut self.lingering) => {
                    self.lingering = None;
                    self.let_go().await;
                }
                () = waited(&mut self.polling) => {
                    self.polling = None;
                    self.look_around().await;
                }
            }
        }
        self.let_go().await;
    }

    /// Begins to watch, then takes what a crash has left.
    async fn begin(&mut self) {
        self.watch().await;
        let (path, now) = (self.path.clone(), (self.now)());
        let left = tokio::task::spawn_blocking(move || file::sweep(&path, now)).await.unwrap_or_default();
        for (file, _) in left {
            tracing::warn!(file = %file.display(), "words that a crash had left beside a reply note are kept");
        }
    }

    async fn watch(&mut self) {
        let (path, watcher) = (self.path.clone(), Arc::clone(&self.watcher));
        let touched = Arc::clone(&self.touched);
        let source = tokio::task::spawn_blocking(move || source(&path, &watcher, &touched)).await;
        self.source = source.unwrap_or(Source::Looks);
    }

    async fn obey(&mut self, order: Order) {
        match order {
            Order::Watch(place) => {
                let name = self.note(place);
                self.look(&name).await;
            }
            Order::Show(place, head, told) => {
                let name = self.note(place);
                if let Some(note) = self.notes.get_mut(&name) {
                    note.show(head);
                }
                self.look(&name).await;
                if let Some(told) = told {
                    // Who has gone does not want to know.
                    let _ = told.send(self.notes.get(&name).is_some_and(Note::is_there));
                }
            }
            Order::Posted { name, request_id, seq } => {
                let again = self.notes.get_mut(&name).map(|note| note.posted(&request_id, seq));
                self.go_on(&name, again).await;
            }
            Order::Refused { name, request_id, reason } => {
                let again = self.notes.get_mut(&name).map(|note| note.refused(&request_id, reason));
                self.go_on(&name, again).await;
            }
            Order::Leave { name, key } => {
                if self.notes.get(&name).is_some_and(|note| note.place().key == key) {
                    self.notes.remove(&name);
                }
            }
        }
    }

    async fn go_on(&mut self, name: &OsString, again: Option<Again>) {
        self.tell(name);
        if again == Some(Again::Soon) {
            self.look(name).await;
        }
    }

    /// The name of a place; a note that another room had there is no longer looked after.
    fn note(&mut self, place: ReplyPlace) -> OsString {
        let note = super::reply_path(&place.transcript);
        let name = note.file_name().unwrap_or_default().to_owned();
        if self.notes.get(&name).is_none_or(|note| *note.place() != place) {
            self.notes.insert(name.clone(), Note::new(place));
        }
        name
    }

    fn hear(&mut self, news: News) {
        if news.is_lost {
            self.source = Source::Looks;
        }
        let touched: Vec<OsString> = if news.is_incomplete || news.is_lost {
            self.notes.keys().cloned().collect()
        } else {
            news.names.into_iter().filter(|name| self.notes.contains_key(name)).collect()
        };
        for name in touched {
            self.look_after(name, self.pace.settle);
        }
    }

    /// Looks at a note when it has settled.
    fn look_after(&mut self, name: OsString, pause: Duration) {
        if self.is_due.insert(name.clone()) {
            self.due.push(Box::pin(async move {
                tokio::time::sleep(pause).await;
                name
            }));
        }
    }

    /// Looks at the files that have changed, where the system does not tell.
    async fn look_around(&mut self) {
        self.watch().await;
        let notes = std::mem::take(&mut self.notes);
        let looked = tokio::task::spawn_blocking(move || {
            let touched: Vec<OsString> =
                notes.iter().filter(|(_, note)| note.is_touched()).map(|(name, _)| name.clone()).collect();
            (notes, touched)
        });
        if let Ok((notes, touched)) = looked.await {
            self.notes = notes;
            for name in touched {
                self.look_after(name, self.pace.settle);
            }
        }
    }

    async fn look(&mut self, name: &OsString) {
        let now = (self.now)();
        match self.at(name, move |note| note.look(now)).await {
            Some(Ok(Again::No)) | None => {}
            Some(Ok(Again::Soon)) => self.look_after(name.clone(), self.pace.again),
            Some(Err(error)) => {
                tracing::debug!(folder = %self.path.display(), %error, "a reply note cannot be read or written");
                self.look_after(name.clone(), self.pace.retry);
            }
        }
        if self.lingering.is_none() && self.notes.get(name).is_some_and(Note::holds_old) {
            self.lingering = Some(Box::pin(tokio::time::sleep(self.pace.linger)));
        }
    }

    async fn let_go(&mut self) {
        let now = (self.now)();
        let holding = self.notes.iter().filter(|(_, note)| note.holds_old()).map(|(name, _)| name.clone());
        for name in holding.collect::<Vec<_>>() {
            if let Some(Err(error)) = self.at(&name, move |note| note.let_go(0, now)).await {
                tracing::warn!(%error, "what was typed late into a reply note is not kept");
            }
        }
    }

    /// Lets a note do something that blocks.
    async fn at<T: Send + 'static>(
        &mut self,
        name: &OsString,
        work: impl FnOnce(&mut Note) -> io::Result<T> + Send + 'static,
    ) -> Option<io::Result<T>> {
        let mut note = self.notes.remove(name)?;
        let (place, wish) = (note.place().clone(), note.wish().cloned());
        let worked = tokio::task::spawn_blocking(move || {
            let result = work(&mut note);
            (note, result)
        });
        let Ok((note, result)) = worked.await else {
            // It begins anew; what stands in the file tells the rest.
            let mut note = Note::new(place);
            if let Some(head) = wish {
                note.show(head);
            }
            self.notes.insert(name.clone(), note);
            return None;
        };
        self.notes.insert(name.clone(), note);
        self.tell(name);
        Some(result)
    }

    fn tell(&mut self, name: &OsString) {
        let events = self.notes.get_mut(name).map(Note::take_events).unwrap_or_default();
        for event in events {
            // Without a listener there is nobody to tell.
            let _ = self.events.send(event);
        }
    }
}

/// Watches a folder as well as the system can.
fn source(path: &Path, watcher: &Watcher, touched: &Arc<Touched>) -> Source {
    let system = file_system(path);
    // A machine that does not answer would hold up all folders, and what others write there is not told.
    let is_remote = matches!(system, Some(FileSystem::Network(_)));
    let is_told = !is_remote && watcher.watch(path, touched);
    // A program may serve what lies on another machine.
    let is_all = !matches!(system, Some(FileSystem::Program(_)));
    if is_told && is_all { Source::System } else { Source::Looks }
}

async fn waited(sleep: &mut Option<BoxFuture<'static, ()>>) {
    match sleep {
        Some(sleep) => sleep.await,
        None => pending().await,
    }
}
