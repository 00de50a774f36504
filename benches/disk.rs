//! What a post costs on disk: an append to the journal, alone and in a group, and one more entry in a note.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::DateTime;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures::future::join_all;
use serde_json::json;
use tokio::runtime::Runtime;
use turnroom::journal::{Journal, NewEvent, SqliteJournal, StreamId, Version};
use turnroom::room::{Handle, Language};
use turnroom::transcript::{Entry, Head, History, HistoryError, Scribe, Settings, Stage, Start};

const START: DateTime<chrono::Utc> = DateTime::UNIX_EPOCH;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads can be started")
}

/// Appends one event to each of so many streams at a time.
fn appends(criterion: &mut Criterion) {
    let (runtime, folder) = (runtime(), tempfile::tempdir().expect("a folder can be made"));
    let journal = SqliteJournal::open(&folder.path().join("journal.db")).expect("it can be made");
    let mut group = criterion.benchmark_group("appends at a time");
    for writers in [1, 16, 128] {
        let streams: Vec<StreamId> = (0..writers)
            .map(|writer| StreamId::parse(&format!("room/{writers}-{writer}")).expect("it is plain"))
            .collect();
        let mut version = Version::EMPTY;
        group.throughput(Throughput::Elements(writers));
        group.bench_function(BenchmarkId::from_parameter(writers), |bencher| {
            bencher.iter(|| {
                let appends = streams.iter().map(|stream| {
                    let event =
                        NewEvent::new("said", &json!({ "text": "x".repeat(500) })).expect("it is JSON");
                    journal.append(stream, version, vec![event], START)
                });
                for stored in runtime.block_on(join_all(appends)) {
                    version = stored.expect("it is stored");
                }
            });
        });
    }
    runtime.block_on(journal.close());
}

/// A room without a past.
struct Nothing;

#[async_trait]
impl History for Nothing {
    async fn page(&self, _: u64, _: usize) -> Result<Vec<Entry>, HistoryError> {
        Ok(Vec::new())
    }
}

fn head(path: &std::path::Path, last_seq: u64) -> Head {
    Head {
        room: "bench".to_owned(),
        topic: "what a note costs".to_owned(),
        file: path.display().to_string(),
        started: START,
        language: Language::En,
        participants: Vec::new(),
        floor: None,
        puzzles: Vec::new(),
        queue: Vec::new(),
        stage: Stage::Open,
        waiting: Vec::new(),
        tasks: Vec::new(),
        puzzles_for_people: Vec::new(),
        latest: None,
        last_seq,
    }
}

fn message(seq: u64) -> Entry {
    let name = |name| Handle::parse(name).expect("it is a handle");
    Entry::Message {
        seq,
        at: START,
        sender: name("@Ann"),
        via: None,
        recipients: vec![name("@Ben")],
        is_private: false,
        content: "@Ben **look** at `this`, and at [that](https://example.org): \n\n- one\n- two\n".repeat(3),
    }
}

/// One more entry, until it is in the file. Parts are cut as in a long conversation.
fn notes(criterion: &mut Criterion) {
    let (runtime, folder) = (runtime(), tempfile::tempdir().expect("a folder can be made"));
    let path: PathBuf = folder.path().join("note.md");
    let (events, _told) = tokio::sync::mpsc::unbounded_channel();
    let start = Start {
        path: path.clone(),
        settings: Settings { pause: Duration::ZERO, ..Settings::default() },
        head: head(&path, 0),
        history: Arc::new(Nothing),
        now: Arc::new(|| START),
        events,
    };
    let scribe = runtime.block_on(async { Scribe::start(start) });
    let mut seq = 0;
    criterion.bench_function("one more entry in a note", |bencher| {
        bencher.iter(|| {
            seq += 1;
            scribe.update(head(&path, seq), vec![message(seq)]);
            runtime.block_on(scribe.written(seq)).expect("it can be written");
        });
    });
    runtime.block_on(scribe.close());
}

/// Short, because it is run often.
fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! {
    name = benches;
    config = short();
    targets = appends, notes
}
criterion_main!(benches);
