//! A room's log and folder, for tests of its writer.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use super::super::*;
use crate::room::Language;
use crate::transcript::sample::{at, head, message};

/// A log in memory, which can be stopped, broken and counted.
pub(super) struct Log {
    entries: StdMutex<Vec<Entry>>,
    pub(super) gate: Semaphore,
    pub(super) is_broken: AtomicBool,
    pub(super) pages: AtomicUsize,
}

#[async_trait]
impl History for Log {
    async fn page(&self, after: u64, limit: usize) -> Result<Vec<Entry>, HistoryError> {
        let _pass = self.gate.acquire().await.unwrap();
        if self.is_broken.load(Ordering::SeqCst) {
            return Err(HistoryError("no disk".into()));
        }
        self.pages.fetch_add(1, Ordering::SeqCst);
        let entries = self.entries.lock().unwrap();
        Ok(entries.iter().filter(|entry| entry.seq() > after).take(limit).cloned().collect())
    }
}

pub(super) struct House {
    folder: tempfile::TempDir,
    pub(super) log: Arc<Log>,
    pub(super) settings: Settings,
    pub(super) events: mpsc::UnboundedReceiver<ScribeEvent>,
    sender: mpsc::UnboundedSender<ScribeEvent>,
}

impl House {
    pub(super) fn new() -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let log = Log {
            entries: StdMutex::default(),
            gate: Semaphore::new(1),
            is_broken: AtomicBool::new(false),
            pages: AtomicUsize::new(0),
        };
        let limits = Limits { entries: 10, keep: 3, ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        Self { folder: tempfile::tempdir().unwrap(), log: Arc::new(log), settings, events, sender }
    }

    pub(super) fn folder(&self) -> PathBuf {
        // As a place that was resolved: without links.
        self.folder.path().canonicalize().unwrap().join("notes")
    }

    pub(super) fn note(&self) -> PathBuf {
        self.folder().join("room.md")
    }

    pub(super) fn head(&self) -> Head {
        let mut head = head(Language::En);
        head.last_seq = self.log.entries.lock().unwrap().len() as u64;
        head
    }

    /// Waits until the note was written again after trouble.
    pub(super) async fn until_writable(&mut self) {
        while self.events.recv().await != Some(ScribeEvent::Writable) {}
    }

    pub(super) fn start(&self) -> Scribe {
        Scribe::start(Start {
            path: self.note(),
            settings: self.settings,
            head: self.head(),
            history: self.log.clone(),
            now: Arc::new(|| at("10:22:03")),
            events: self.sender.clone(),
        })
    }

    /// Stores a message; gives it, and its number.
    pub(super) fn store(&self) -> (Entry, u64) {
        let mut entries = self.log.entries.lock().unwrap();
        let seq = entries.len() as u64 + 1;
        entries.push(message(seq, &format!("words of {seq}")));
        (entries.last().unwrap().clone(), seq)
    }

    /// The log loses its newest messages, as on a broken disk.
    pub(super) fn lose_the_last(&self, count: usize) {
        let mut entries = self.log.entries.lock().unwrap();
        let left = entries.len() - count;
        entries.truncate(left);
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.log.entries.lock().unwrap().clone()
    }

    pub(super) fn post(&self, scribe: &Scribe) -> u64 {
        let (entry, seq) = self.store();
        scribe.update(self.head(), vec![entry]);
        seq
    }

    pub(super) async fn post_and_wait(&self, scribe: &Scribe) {
        let seq = self.post(scribe);
        scribe.written(seq).await.unwrap();
    }

    /// A writer whose note holds `count` messages.
    pub(super) async fn started(&self, count: usize) -> Scribe {
        (0..count).for_each(|_| drop(self.store()));
        let scribe = self.start();
        scribe.written(count as u64).await.unwrap();
        scribe
    }

    pub(super) fn text(&self) -> String {
        fs::read_to_string(self.note()).unwrap()
    }

    /// All files and their texts, by their path in the folder.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        collect(&self.folder(), "", &mut files);
        files.sort();
        files
    }

    /// The files, if there are no more than a note that is built anew has.
    pub(super) fn assert_equals_the_log(&self) {
        let names: Vec<String> = self.files().into_iter().map(|(name, _)| name).collect();
        assert_eq!(seen(&self.note()), (1..=self.head().last_seq).collect(), "{names:?}");
    }

    pub(super) fn kept(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.events.try_recv().ok())
            .filter_map(|event| match event {
                ScribeEvent::Kept(path) => Some(fs::read_to_string(path).unwrap()),
                _ => None,
            })
            .collect()
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// The numbers of the messages in a text.
pub(super) fn numbers(text: &str) -> BTreeSet<u64> {
    let headings = text.lines().filter(|line| line.starts_with("### "));
    headings.map(|line| line.rsplit_once(" · ").unwrap().1.parse().unwrap()).collect()
}

/// What a reader sees who reads the note first, and then the parts.
pub(super) fn seen(note: &Path) -> BTreeSet<u64> {
    let text = fs::read_to_string(note).unwrap();
    assert!(text.starts_with("---\nroom: ") && text.contains("\n## Conversation\n"), "torn: {text}");
    let mut all = numbers(&text);
    for number in 1.. {
        let part = note.with_extension("").join(crate::transcript::render::part_file(number));
        let Ok(text) = fs::read_to_string(part) else { break };
        all.extend(numbers(&text));
    }
    all
}
