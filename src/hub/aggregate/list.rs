//! Which ones there are of a kind: a stream of its own in the journal, as the list of rooms is one.
//!
//! One that is over never changes how it stands, so the list tells the open ones from the others, and a look at the open
//! ones costs the same however many are over.

mod lost;

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Aggregate;
use crate::hub::codec::{self, Stored};
use crate::hub::pages;
use crate::hub::slug::{is_letter, slug};
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};
use crate::room::event::kinds;

/// Damaged entries that are passed over.
const MAX_DAMAGED: u64 = 1_000;
/// What older logs say for the kinds of today.
const OLD_KINDS: [&str; 2] = ["task_listed", "task_closed"];
/// How many characters an id may have.
const ID_CHARS: usize = 64;
/// How many of them a title gives at most, so that a number fits behind.
const SLUG_CHARS: usize = 56;

/// Which ones there are of a kind.
#[derive(Debug)]
pub(in crate::hub) struct List<A> {
    all: BTreeMap<String, Listed>,
    /// Those that are not over, by their numbers.
    open: BTreeMap<u64, String>,
    /// By what tells the requests by which they were made from all others.
    requests: BTreeMap<String, String>,
    version: Version,
    /// The number of the newest.
    newest: u64,
    /// Whether it names all that there are, as far as is known.
    is_whole: bool,
    of: PhantomData<fn() -> A>,
}

/// One of them.
#[derive(Clone, Debug)]
pub(in crate::hub) struct Listed {
    pub id: String,
    pub stream: StreamId,
    /// Whether it is not over.
    pub is_open: bool,
    /// Its place among all that were ever listed.
    pub number: u64,
}

/// What the list says. Older logs name a task where this says an id.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Event {
    /// There is this one from now on.
    #[serde(alias = "task_listed")]
    Listed {
        #[serde(alias = "task")]
        id: String,
        stream: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
    },
    /// It is over.
    #[serde(alias = "task_closed")]
    Closed {
        #[serde(alias = "task")]
        id: String,
    },
}

kinds!(Event {
    Self::Listed { .. } => "listed",
    Self::Closed { .. } => "closed",
});

impl Stored for Event {
    fn kind(&self) -> &'static str {
        self.kind()
    }

    fn is_known(kind: &str) -> bool {
        Self::is_known(kind) || OLD_KINDS.contains(&kind)
    }
}

impl<A> Default for List<A> {
    fn default() -> Self {
        let (all, open, requests) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { all, open, requests, version: Version::EMPTY, newest: 0, is_whole: false, of: PhantomData }
    }
}

impl<A: Aggregate> List<A> {
    pub(super) fn stream() -> StreamId {
        StreamId::parse(A::LIST).expect("the name is plain")
    }

    /// Whether nothing of the journal was read yet, or something may be in no entry. Whoever appends finds what others
    /// have appended.
    pub(in crate::hub) fn is_unread(&self) -> bool {
        self.version == Version::EMPTY || !self.is_whole
    }

    /// Reads what is new in the journal. What is in no entry is found by its own log.
    pub(in crate::hub) async fn catch_up(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        self.read_entries(journal).await?;
        if !self.is_whole {
            self.find_lost(journal).await?;
            self.is_whole = true;
        }
        Ok(())
    }

    /// Reads the entries that are new. One that is damaged hides no other.
    pub(super) async fn read_entries(&mut self, journal: &dyn Journal) -> Result<(), JournalError> {
        for _ in 0..=MAX_DAMAGED {
            match self.read_on(journal).await {
                Err(JournalError::Damaged { version, detail, .. }) => {
                    tracing::error!(what = A::WHAT, %version, %detail, "a list is damaged; see `turnroom doctor`");
                    self.take_before(journal, version).await;
                    self.version = version;
                    self.is_whole = false;
                }
                read => return read,
            }
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

    pub(super) fn apply(&mut self, event: Event, version: Version) {
        self.version = version;
        match event {
            Event::Listed { id, stream, request_id } => {
                let Ok(stream) = StreamId::parse(&stream) else { return };
                if let Some(request) = request_id {
                    self.requests.insert(request, id.clone());
                }
                // One that could not be stored has no version of its own.
                self.newest = version.0.max(self.newest + 1);
                let listed = Listed { id: id.clone(), stream, is_open: true, number: self.newest };
                self.open.insert(self.newest, id.clone());
                if let Some(before) = self.all.insert(id, listed) {
                    self.open.remove(&before.number);
                }
            }
            Event::Closed { id } => {
                if let Some(listed) = self.all.get_mut(&id) {
                    listed.is_open = false;
                    self.open.remove(&listed.number);
                }
            }
        }
    }

    /// Stores an entry that was missing. Nobody needs the list before it is whole.
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
                    if self.read_entries(journal).await.is_err() || self.version == before {
                        return Err(conflict);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// How far it was read.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// The entry of a new one.
    pub(super) fn entry(id: &str, stream: &StreamId, request: Option<String>) -> Event {
        Event::Listed { id: id.to_owned(), stream: stream.to_string(), request_id: request }
    }

    /// The entry of one that is over.
    pub(super) fn end(id: &str) -> Event {
        Event::Closed { id: id.to_owned() }
    }

    pub(in crate::hub) fn get(&self, id: &str) -> Option<&Listed> {
        self.all.get(id)
    }

    /// The one that was made by this request.
    pub(in crate::hub) fn requested(&self, request: &str) -> Option<&Listed> {
        self.all.get(self.requests.get(request)?)
    }

    /// Those that are not over, in the order in which they were made. It costs the same however many are over.
    pub(in crate::hub) fn open(&self) -> impl Iterator<Item = &Listed> {
        self.open.values().filter_map(|id| self.all.get(id))
    }

    pub(in crate::hub) fn all(&self) -> impl Iterator<Item = &Listed> {
        self.all.values()
    }

    /// An id for one with this title, which no other has.
    pub(in crate::hub) fn free_id(&self, title: &str, is_kept: impl Fn(&String) -> bool) -> String {
        let wish = slug(title, SLUG_CHARS, A::WHAT);
        let is_free =
            |id: &String| !A::TAKEN.contains(&id.as_str()) && !self.all.contains_key(id) && !is_kept(id);
        let numbered = (2_u64..).map(|number| format!("{wish}-{number}"));
        let mut ids = std::iter::once(wish.clone()).chain(numbered);
        ids.find(is_free).expect("there are more numbers than ids")
    }
}

/// Whether a stream is the list of a kind. Its events stand each for itself.
pub(in crate::hub) fn is_list<A: Aggregate>(stream: &StreamId) -> bool {
    *stream == List::<A>::stream()
}

/// Reads a whole stream that belongs to a kind: the log of one, or the list of them; nothing for any other stream.
pub(in crate::hub) async fn check_log<A: Aggregate>(
    journal: &dyn Journal,
    stream: &StreamId,
) -> Option<Result<(), JournalError>> {
    if is_list::<A>(stream) {
        Some(check::<Event>(journal, stream).await)
    } else if A::owns(stream) {
        Some(check::<A::Event>(journal, stream).await)
    } else {
        None
    }
}

/// Reads a whole stream.
pub(in crate::hub) async fn check<E: Stored>(
    journal: &dyn Journal,
    stream: &StreamId,
) -> Result<(), JournalError> {
    pages::read_on(journal, stream, Version::EMPTY, |page| {
        codec::decode::<E>(stream, page).map(|_| ControlFlow::Continue(()))
    })
    .await
}

/// Whether a text may be an id.
pub(in crate::hub) fn is_id(text: &str) -> bool {
    let is_plain = |c: char| is_letter(c) || c == '-';
    (1..=ID_CHARS).contains(&text.chars().count()) && text.chars().all(is_plain) && !text.starts_with('-')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn id(title: &str) -> String {
        slug(title, SLUG_CHARS, "task")
    }

    #[test]
    fn a_title_of_any_script_gives_a_readable_id() {
        for (title, expected) in [
            ("The new Parser!", "the-new-parser"),
            ("Zusammenfassung für Grüße", "zusammenfassung-für-grüße"),
            ("新しい パーサ", "新しい-パーサ"),
            ("हिन्दी में लिखो", "हिन्दी-में-लिखो"),
            ("e\u{301}te\u{301} a\u{300} faire", "été-à-faire"),
            ("𝐏𝐥𝐚𝐧 B", "plan-b"),
            ("🅰 plan", "🅰-plan"),
            ("İstanbul", "i\u{307}stanbul"),
            ("??", "task"),
            (
                "A longer title whose words are many, and of which the last one is not cut in half",
                "a-longer-title-whose-words-are-many-and-of-which-the",
            ),
        ] {
            assert_eq!(id(title), expected, "{title}");
        }
    }

    proptest! {
        #[test]
        fn every_title_gives_an_id(title in "\\PC*", more in any::<String>()) {
            for title in [title.clone(), more.clone(), format!("{title} {more}").repeat(20)] {
                prop_assert!(is_id(&id(&title)), "{:?}", id(&title));
            }
        }
    }

    /// Its stored form never changes again, and that of older lists is understood.
    #[test]
    fn the_stored_form_of_each_event_is_fixed() {
        let listed = |request_id| {
            let (id, stream) = ("parser".to_owned(), "task-1".to_owned());
            Event::Listed { id, stream, request_id }
        };
        let events = [listed(None), listed(Some("r".to_owned())), Event::Closed { id: "parser".to_owned() }];
        let kinds: BTreeSet<_> = events.iter().map(Event::kind).collect();
        assert_eq!(kinds, Event::KINDS.iter().copied().collect(), "each kind is there");
        let lines = events.map(|event| serde_json::to_string(&event).unwrap());
        let old = lines
            .clone()
            .map(|line| line.replace(r#""kind":""#, r#""kind":"task_"#).replace(r#""id":"#, r#""task":"#));
        for (line, old) in lines.iter().zip(&old) {
            let read: Event = serde_json::from_str(old).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), *line);
        }
        insta::assert_snapshot!([lines.join("\n"), old.join("\n")].join("\n"));
    }

    #[test]
    fn a_title_gives_no_id_that_leads_elsewhere() {
        let list = List::<crate::task::Task>::default();
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
