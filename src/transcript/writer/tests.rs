//! A writer, its files, and all that can happen to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use super::*;
use crate::room::Language;
use crate::transcript::sample::{at, head, message};

/// A log in memory, which can be stopped, broken and counted.
struct Log {
    entries: StdMutex<Vec<Entry>>,
    gate: Semaphore,
    is_broken: AtomicBool,
    pages: AtomicUsize,
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

struct House {
    folder: tempfile::TempDir,
    log: Arc<Log>,
    settings: Settings,
    events: mpsc::UnboundedReceiver<ScribeEvent>,
    sender: mpsc::UnboundedSender<ScribeEvent>,
}

impl House {
    fn new() -> Self {
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

    fn folder(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    fn note(&self) -> PathBuf {
        self.folder().join("room.md")
    }

    fn head(&self) -> Head {
        let mut head = head(Language::En);
        head.last_seq = self.log.entries.lock().unwrap().len() as u64;
        head
    }

    fn start(&self) -> Scribe {
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
    fn store(&self) -> (Entry, u64) {
        let mut entries = self.log.entries.lock().unwrap();
        let seq = entries.len() as u64 + 1;
        entries.push(message(seq, &format!("words of {seq}")));
        (entries.last().unwrap().clone(), seq)
    }

    fn post(&self, scribe: &Scribe) -> u64 {
        let (entry, seq) = self.store();
        scribe.update(self.head(), vec![entry]);
        seq
    }

    async fn post_and_wait(&self, scribe: &Scribe) {
        let seq = self.post(scribe);
        scribe.written(seq).await.unwrap();
    }

    /// A writer whose note holds `count` messages.
    async fn started(&self, count: usize) -> Scribe {
        (0..count).for_each(|_| drop(self.store()));
        let scribe = self.start();
        scribe.written(count as u64).await.unwrap();
        scribe
    }

    fn text(&self) -> String {
        fs::read_to_string(self.note()).unwrap()
    }

    /// All files and their texts, by their path in the folder.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        collect(&self.folder(), "", &mut files);
        files.sort();
        files
    }

    /// The files, if there are no more than a note that is built anew has.
    fn assert_equals_the_log(&self) {
        let names: Vec<String> = self.files().into_iter().map(|(name, _)| name).collect();
        assert_eq!(seen(&self.note()), (1..=self.head().last_seq).collect(), "{names:?}");
    }

    fn kept(&mut self) -> Vec<String> {
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
fn numbers(text: &str) -> BTreeSet<u64> {
    let headings = text.lines().filter(|line| line.starts_with("### "));
    headings.map(|line| line.rsplit_once(" · ").unwrap().1.parse().unwrap()).collect()
}

/// What a reader sees who reads the note first, and then the parts.
fn seen(note: &Path) -> BTreeSet<u64> {
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

#[tokio::test]
async fn a_note_follows_its_room() {
    let house = House::new();
    let scribe = house.start();
    scribe.written(0).await.unwrap();
    for _ in 0..3 {
        house.post_and_wait(&scribe).await;
    }
    assert!(house.text().ends_with("· 3\n\n> words of 3\n"));
    assert_eq!(scribe.warning(), None);
    scribe.close().await;
    assert_eq!(scribe.written(4).await, Err(Unwritable::Ended));
}

#[tokio::test]
async fn ten_posts_during_one_write_cost_one_more() {
    let house = House::new();
    house.store();
    let pass = house.log.gate.acquire().await.unwrap();
    let scribe = house.start();
    let first = tokio::spawn({
        let scribe = scribe.clone();
        async move { scribe.written(1).await }
    });
    tokio::task::yield_now().await;
    let last = (0..10).map(|_| house.post(&scribe)).last().unwrap();
    drop(pass);
    first.await.unwrap().unwrap();
    scribe.written(last).await.unwrap();
    assert_eq!(scribe.writes(), 2);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn writes_are_spaced_while_nobody_waits_for_one() {
    let mut house = House::new();
    house.settings.pause = Duration::from_secs(3_600);
    let scribe = house.started(1).await;
    for _ in 0..100 {
        house.post(&scribe);
        tokio::task::yield_now().await;
    }
    assert_eq!(scribe.writes(), 1);
    scribe.written(101).await.unwrap();
    assert_eq!(scribe.writes(), 2);
    house.assert_equals_the_log();
    house.post(&scribe);
    scribe.close().await;
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_note_that_grew_equals_one_that_was_rebuilt() {
    let mut house = House::new();
    let scribe = house.started(0).await;
    for _ in 0..45 {
        house.post_and_wait(&scribe).await;
    }
    scribe.close().await;
    house.assert_equals_the_log();
    let grown = house.files();
    assert!(grown.len() > 4 && grown.iter().all(|(_, text)| numbers(text).len() <= 10));
    fs::remove_dir_all(house.folder()).unwrap();
    house.start().written(45).await.unwrap();
    assert_eq!(house.files(), grown);
    assert_eq!(house.kept(), [""; 0]);
}

#[tokio::test]
async fn a_note_that_is_up_to_date_is_not_written_again() {
    let house = House::new();
    house.started(25).await.close().await;
    let stamps = || {
        let files = house.files();
        let changed = |name: &str| fs::metadata(house.folder().join(name)).unwrap().modified().unwrap();
        files.iter().map(|(name, _)| (name.clone(), changed(name))).collect::<Vec<_>>()
    };
    let before = stamps();
    let scribe = house.start();
    scribe.written(25).await.unwrap();
    assert_eq!(scribe.writes(), 0);
    assert_eq!(stamps(), before);
}

/// **Invariant (counts only grow).**
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_only_grow() {
    let house = House::new();
    let scribe = house.started(1).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let (note, is_over) = (house.note(), Arc::clone(&is_over));
        move || {
            let mut before = BTreeSet::new();
            while !is_over.load(Ordering::SeqCst) {
                let now = seen(&note);
                assert!(now.is_superset(&before), "{before:?} then {now:?}");
                before = now;
            }
        }
    });
    for _ in 0..150 {
        house.post_and_wait(&scribe).await;
    }
    is_over.store(true, Ordering::SeqCst);
    reader.join().unwrap();
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_a_person_typed_is_kept_and_told_once() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    let edited = house.text() + "\nmy words\n";
    fs::write(house.note(), &edited).unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), [edited.clone()]);
    house.assert_equals_the_log();
    fs::write(house.note(), house.text() + "\nmore words\n").unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), [""; 0], "one file in ten minutes");
    let kept = house.folder().join("room (edited 2026-08-18 10.22.03).md");
    assert_eq!(fs::read_to_string(kept).unwrap(), edited + "\n\n2026-08-18 10:22:03 UTC\n\nmore words\n");
}

#[tokio::test]
async fn a_plugin_that_stamps_front_matter_is_left_alone() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::write(house.note(), house.text().replace("part: 1\n", "part: 1\nmodified: 2026-01-01\n")).unwrap();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.kept(), [""; 0]);
    assert_eq!(house.files().len(), 1);
}

/// After a crash the note may be older than the log, and hidden files may be left.
#[tokio::test]
async fn after_a_crash_the_note_is_rebuilt_and_nothing_is_taken_for_foreign() {
    let mut house = House::new();
    let scribe = house.started(8).await;
    let older = house.text();
    for _ in 0..10 {
        house.post_and_wait(&scribe).await;
    }
    drop(scribe);
    fs::write(house.note(), older).unwrap();
    fs::write(house.folder().join(".room.md.abc.new"), "half a no").unwrap();
    fs::remove_file(house.folder().join("room/part-001.md")).unwrap();
    let scribe = house.start();
    scribe.written(18).await.unwrap();
    house.assert_equals_the_log();
    assert_eq!(house.kept(), [""; 0]);
    assert_eq!(house.files().len(), 2);
}

#[tokio::test]
async fn what_a_crash_left_of_a_person_is_kept() {
    let mut house = House::new();
    fs::create_dir_all(house.folder().join("room")).unwrap();
    fs::write(house.folder().join(".room.md.abc.new.old"), "typed").unwrap();
    fs::write(house.folder().join("room/.part-001.md.abc.new.old"), "typed too").unwrap();
    let scribe = house.started(1).await;
    scribe.close().await;
    let mut kept = house.kept();
    kept.sort();
    assert_eq!(kept, ["typed", "typed too"]);
    assert!(house.folder().join("room/part-001 (edited 2026-08-18 10.22.03).md").exists());
}

#[tokio::test]
async fn a_part_that_a_person_changed_is_kept_when_it_is_rebuilt() {
    let mut house = House::new();
    house.started(25).await.close().await;
    let part = house.folder().join("room/part-001.md");
    fs::write(&part, "my part").unwrap();
    house.start().written(25).await.unwrap();
    assert_eq!(house.kept(), ["my part"]);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_deleted_folder_is_made_again_with_its_parts() {
    let house = House::new();
    let scribe = house.started(25).await;
    fs::remove_dir_all(house.folder()).unwrap();
    house.post_and_wait(&scribe).await;
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_cannot_be_written_is_a_warning_and_is_tried_again() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::remove_dir_all(house.folder()).unwrap();
    fs::write(house.folder(), "a file").unwrap();
    let seq = house.post(&scribe);
    assert!(matches!(scribe.written(seq).await, Err(Unwritable::Trouble(_))));
    let why = scribe.warning().unwrap();
    assert!(why.contains("room.md") && why.contains("cannot be written"), "{why}");
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Unwritable(why)));
    fs::remove_file(house.folder()).unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    assert_eq!(scribe.warning(), None);
    house.assert_equals_the_log();
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_folder_is_a_warning() {
    use std::os::unix::fs::PermissionsExt;
    let mut house = House::new();
    let scribe = house.started(2).await;
    let set_mode = |mode| fs::set_permissions(house.folder(), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o555);
    let root_writes_anyway = fs::write(house.folder().join("x"), "").is_ok();
    let seq = house.post(&scribe);
    let written = scribe.written(seq).await;
    set_mode(0o755);
    if root_writes_anyway {
        assert_eq!(written, Ok(()));
        return;
    }
    assert!(matches!(written, Err(Unwritable::Trouble(_))));
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_folder_in_the_place_of_the_note_is_left_alone() {
    let mut house = House::new();
    let scribe = house.started(2).await;
    fs::remove_file(house.note()).unwrap();
    fs::create_dir_all(house.note().join("theirs")).unwrap();
    let seq = house.post(&scribe);
    assert!(scribe.written(seq).await.is_err());
    assert!(house.note().join("theirs").exists());
    fs::remove_dir_all(house.note()).unwrap();
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

#[tokio::test]
async fn a_log_that_cannot_be_read_is_a_warning_too() {
    let mut house = House::new();
    house.store();
    house.log.is_broken.store(true, Ordering::SeqCst);
    let scribe = house.start();
    assert!(scribe.written(1).await.is_err());
    house.log.is_broken.store(false, Ordering::SeqCst);
    house.events.recv().await.unwrap();
    assert_eq!(house.events.recv().await, Some(ScribeEvent::Writable));
    house.assert_equals_the_log();
}

/// Posts come from memory; the log is read only for what was missed.
#[tokio::test]
async fn a_post_does_not_read_the_log() {
    let house = House::new();
    let scribe = house.started(30).await;
    let before = house.log.pages.load(Ordering::SeqCst);
    for _ in 0..30 {
        house.post_and_wait(&scribe).await;
    }
    assert_eq!(house.log.pages.load(Ordering::SeqCst), before);
    house.store();
    house.post_and_wait(&scribe).await;
    assert_eq!(house.log.pages.load(Ordering::SeqCst), before + 1, "one was not told");
    house.assert_equals_the_log();
}

#[tokio::test]
async fn what_does_not_fit_in_memory_is_read_from_the_log() {
    let house = House::new();
    let scribe = house.started(0).await;
    let entries: Vec<Entry> = (0..1_500).map(|_| house.store().0).collect();
    scribe.update(house.head(), entries);
    scribe.written(1_500).await.unwrap();
    assert!(house.log.pages.load(Ordering::SeqCst) > 1);
    house.assert_equals_the_log();
}

#[tokio::test]
async fn the_task_ends_with_the_last_handle() {
    let house = House::new();
    let scribe = house.started(1).await;
    let other = scribe.clone();
    drop(scribe);
    house.post_and_wait(&other).await;
    drop(other);
    while Arc::strong_count(&house.log) > 1 {
        tokio::task::yield_now().await;
    }
}
