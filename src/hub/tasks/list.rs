//! Which tasks there are: a stream of its own in the journal, as the list of rooms is one.
//!
//! A task that is over never changes how it stands, so the list tells the open ones from the others, and a look at the
//! open ones costs the same however many are over.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::hub::codec::{self, Stored};
use crate::hub::pages;
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};
use crate::task::{self, PROJECT};

/// Streams of tasks begin so.
pub(super) const TASKS: &str = "task-";
/// Streams of what was started for a task end so.
pub(super) const STARTS: &str = "-starts";
/// Damaged entries that are passed over.
const MAX_DAMAGED: u64 = 1_000;
/// How many characters an id may have.
const ID_CHARS: usize = 64;
/// How many of them a title gives at most, so that a number fits behind.
const SLUG_CHARS: usize = 56;
/// Ids that no title gives: the notes of the project, and where the page makes a task.
const TAKEN: [&str; 2] = [PROJECT, "new"];

/// Which tasks there are.
#[derive(Debug, Default)]
pub(super) struct List {
    tasks: BTreeMap<String, Listed>,
    /// By the ids of their creators, and marks of what was asked.
    requests: BTreeMap<String, String>,
    version: Version,
}

/// One task.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub task: String,
    pub stream: StreamId,
    /// Whether it is not over.
    pub is_open: bool,
    /// Its place among all that were ever listed.
    pub number: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Event {
    /// There is this task from now on.
    TaskListed {
        task: String,
        stream: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
    },
    /// The task is over.
    TaskClosed { task: String },
}

impl Stored for Event {
    fn kind(&self) -> &'static str {
        match self {
            Self::TaskListed { .. } => "task_listed",
            Self::TaskClosed { .. } => "task_closed",
        }
    }

    fn is_known(kind: &str) -> bool {
        ["task_listed", "task_closed"].contains(&kind)
    }
}

impl List {
    fn stream() -> StreamId {
        StreamId::parse("tasks").expect("the name is plain")
    }

    /// Whether nothing of the journal was read yet. Whoever appends finds what others have appended.
    pub(super) fn is_unread(&self) -> bool {
        self.version == Version::EMPTY
    }

    /// Reads what is new in the journal. An entry that is damaged hides no other; tasks that it may have named are
    /// found by their own logs.
    pub(super) async fn catch_up(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let mut has_gaps = false;
        for _ in 0..=MAX_DAMAGED {
            match self.read_on(journal).await {
                Err(JournalError::Damaged { version, detail, .. }) => {
                    tracing::error!(%version, %detail, "the list of tasks is damaged; see `turnroom doctor`");
                    self.take_before(journal, version).await;
                    self.version = version;
                    has_gaps = true;
                }
                read => {
                    read?;
                    break;
                }
            }
        }
        if has_gaps {
            self.find_lost(journal).await?;
        }
        Ok(())
    }

    async fn read_on(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        let (stream, after) = (Self::stream(), self.version);
        pages::read_on(journal, &stream, after, |page| {
            for (event, version) in codec::decode::<Event>(&stream, page)? {
                self.apply(event, version);
            }
            self.version = page.last().map_or(self.version, |last| last.version);
            Ok(ControlFlow::Continue(()))
        })
        .await
    }

    /// Takes the entries before a damaged one, which a read of a whole page holds back.
    async fn take_before(&mut self, journal: &dyn Journal, damaged: Version) {
        let sound = usize::try_from(damaged.0.saturating_sub(self.version.0 + 1)).unwrap_or(usize::MAX);
        let stream = Self::stream();
        if sound > 0
            && let Ok(page) = journal.read(&stream, self.version, sound).await
            && let Ok(events) = codec::decode::<Event>(&stream, &page)
        {
            for (event, version) in events {
                self.apply(event, version);
            }
        }
    }

    /// Lists tasks whose entries cannot be read, by their own logs, for this run of the hub.
    async fn find_lost(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        for stream in journal.streams().await? {
            let is_known = self.tasks.values().any(|listed| listed.stream == stream);
            let is_task = stream.as_str().starts_with(TASKS) && !stream.as_str().ends_with(STARTS);
            if is_known || !is_task {
                continue;
            }
            let Ok(page) = journal.read(&stream, Version::EMPTY, 1).await else { continue };
            let Ok(events) = codec::decode::<task::Event>(&stream, &page) else { continue };
            if let Some((task::Event::TaskCreated(made), _)) = events.into_iter().next() {
                let listed = Listed { task: made.task.clone(), stream, is_open: true, number: 0 };
                self.tasks.entry(made.task).or_insert(listed);
            }
        }
        Ok(())
    }

    fn apply(&mut self, event: Event, version: Version) {
        self.version = version;
        match event {
            Event::TaskListed { task, stream, request_id } => {
                let Ok(stream) = StreamId::parse(&stream) else { return };
                if let Some(id) = request_id {
                    self.requests.insert(id, task.clone());
                }
                let listed = Listed { task: task.clone(), stream, is_open: true, number: version.0 };
                self.tasks.insert(task, listed);
            }
            Event::TaskClosed { task } => {
                if let Some(listed) = self.tasks.get_mut(&task) {
                    listed.is_open = false;
                }
            }
        }
    }

    async fn store(
        &mut self,
        journal: &dyn Journal,
        event: Event,
        at: DateTime<Utc>,
    ) -> Result<(), AppendError> {
        loop {
            let encoded = vec![codec::encode(&event)];
            match journal.append(&Self::stream(), self.version, encoded, at).await {
                Ok(version) => {
                    self.apply(event, version);
                    return Ok(());
                }
                Err(conflict @ AppendError::Conflict { .. }) => {
                    let before = self.version;
                    if self.catch_up(journal).await.is_err() || self.version == before {
                        return Err(conflict);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Lists a task.
    pub(super) async fn add(
        &mut self,
        journal: &dyn Journal,
        (task, stream): (&str, &StreamId),
        request_id: Option<String>,
        at: DateTime<Utc>,
    ) -> Result<(), AppendError> {
        let event = Event::TaskListed { task: task.to_owned(), stream: stream.to_string(), request_id };
        self.store(journal, event, at).await
    }

    /// Marks a task as over.
    pub(super) async fn close(
        &mut self,
        journal: &dyn Journal,
        task: &str,
        at: DateTime<Utc>,
    ) -> Result<(), AppendError> {
        self.store(journal, Event::TaskClosed { task: task.to_owned() }, at).await
    }

    pub(super) fn get(&self, task: &str) -> Option<&Listed> {
        self.tasks.get(task)
    }

    /// The task that was made by this request.
    pub(super) fn requested(&self, request_id: &str) -> Option<&Listed> {
        self.tasks.get(self.requests.get(request_id)?)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Listed> {
        self.tasks.values()
    }

    /// An id for a task with this title, which no other has.
    pub(super) fn free_id(&self, title: &str, is_kept: impl Fn(&String) -> bool) -> String {
        let wish = slug(title);
        let is_free =
            |id: &String| !TAKEN.contains(&id.as_str()) && !self.tasks.contains_key(id) && !is_kept(id);
        let numbered = (2_u64..).map(|number| format!("{wish}-{number}"));
        let mut ids = std::iter::once(wish.clone()).chain(numbered);
        ids.find(is_free).expect("there are more numbers than tasks")
    }
}

/// Reads the whole log of a task, or the list of them; nothing for a stream that is neither.
pub(in crate::hub) async fn check_log(
    journal: &dyn Journal,
    stream: &StreamId,
) -> Option<Result<(), JournalError>> {
    let is_list = *stream == List::stream();
    if !is_list && !stream.as_str().starts_with(TASKS) {
        return None;
    }
    let read = pages::read_on(journal, stream, Version::EMPTY, |page| {
        if is_list {
            codec::decode::<Event>(stream, page)?;
        } else if !stream.as_str().ends_with(STARTS) {
            codec::decode::<task::Event>(stream, page)?;
        }
        Ok(ControlFlow::Continue(()))
    });
    Some(read.await)
}

/// Whether a text may be the id of a task.
pub(super) fn is_id(text: &str) -> bool {
    let is_plain = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || c == '-';
    (1..=ID_CHARS).contains(&text.chars().count()) && text.chars().all(is_plain) && !text.starts_with('-')
}

/// A title as an id: lower case, any script, words joined.
fn slug(title: &str) -> String {
    let lower: String = title.chars().flat_map(char::to_lowercase).collect();
    let words: Vec<_> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(SLUG_CHARS).collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "task".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_any_script_gives_a_readable_id() {
        assert_eq!(slug("The new Parser!"), "the-new-parser");
        assert_eq!(slug("Zusammenfassung für Grüße"), "zusammenfassung-für-grüße");
        assert_eq!(slug("新しい パーサ"), "新しい-パーサ");
        assert_eq!(slug("??"), "task");
        for title in ["x".repeat(500), "a b ".repeat(100), "İstanbul ÀB".to_owned()] {
            assert!(is_id(&slug(&title)), "{}", slug(&title));
        }
    }

    #[test]
    fn a_title_gives_no_id_that_leads_elsewhere() {
        let list = List::default();
        assert_eq!(
            (list.free_id("New", |_| false), list.free_id("Project", |_| false)),
            ("new-2".to_owned(), "project-2".to_owned())
        );
    }

    #[test]
    fn an_id_leads_nowhere() {
        for bad in ["", "../x", "A", "-x", "a b", "a/b", "a.b", &"x".repeat(65)] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
