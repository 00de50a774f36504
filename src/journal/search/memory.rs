//! A search index in memory, which looks at every text: for tests.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{Document, SearchError, SearchIndex, Words, fold};
use crate::journal::StreamId;

type Texts = HashMap<StreamId, BTreeMap<u64, String>>;

/// A search index in memory.
#[derive(Debug, Default)]
pub struct MemorySearch {
    /// Folded.
    texts: Mutex<Texts>,
}

impl MemorySearch {
    /// An empty index.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SearchIndex for MemorySearch {
    async fn add(&self, documents: Vec<Document>) -> Result<(), SearchError> {
        let mut texts = self.texts();
        for document in documents {
            texts.entry(document.stream).or_default().insert(document.seq, fold(&document.text));
        }
        Ok(())
    }

    async fn indexed(&self, stream: &StreamId) -> Result<u64, SearchError> {
        let texts = self.texts();
        Ok(texts.get(stream).and_then(|texts| texts.keys().next_back()).copied().unwrap_or(0))
    }

    async fn forget(&self, stream: &StreamId) -> Result<(), SearchError> {
        self.texts().remove(stream);
        Ok(())
    }

    async fn find(
        &self,
        stream: &StreamId,
        query: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<u64>, SearchError> {
        let words = Words::of(query);
        let texts = self.texts();
        let Some(texts) = texts.get(stream).filter(|_| !words.is_empty()) else { return Ok(Vec::new()) };
        Ok(texts
            .range(..before.unwrap_or(u64::MAX))
            .rev()
            .filter(|(_, text)| words.occur_in(text))
            .map(|(seq, _)| *seq)
            .take(limit)
            .collect())
    }
}
