//! Search over texts of the log: a projection, which may be lost and made again.
//!
//! What is found is decided here, once, for every index: a text matches when each word of the query occurs in
//! it somewhere, in any order, whatever the case. A word is what stands between white space; it may be a part
//! of a longer one, and it may be short, so that scripts written without spaces work as well.

mod memory;
mod sqlite;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

use async_trait::async_trait;
use icu_casemap::CaseMapper;
use unicode_normalization::UnicodeNormalization;

use super::{Cause, StreamId};

pub use memory::MemorySearch;
pub use sqlite::{SqliteSearch, discard};

/// A text that can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The stream it is from.
    pub stream: StreamId,
    /// Its number in the stream.
    pub seq: u64,
    /// The text.
    pub text: String,
}

/// Why the index could not be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SearchError {
    /// The index was damaged, and is empty now.
    #[error("the search index was damaged and has been emptied; add the texts again")]
    Emptied,
    /// The index cannot be read or written now.
    #[error("the search index cannot be used; see that its disk has space and its folder can be written to")]
    Unavailable {
        /// What happened.
        source: Cause,
    },
}

/// Finds texts by their words.
#[async_trait]
pub trait SearchIndex: Debug + Send + Sync {
    /// Adds texts; one that is there under the same number is replaced. Add those of a stream in order, and
    /// from [`SearchIndex::indexed`] on: after [`SearchError::Emptied`] that is the beginning again.
    async fn add(&self, documents: Vec<Document>) -> Result<(), SearchError>;

    /// The highest number of a stream that is in the index; 0: none.
    async fn indexed(&self, stream: &StreamId) -> Result<u64, SearchError>;

    /// Removes all texts of a stream for good.
    async fn forget(&self, stream: &StreamId) -> Result<(), SearchError>;

    /// The numbers of texts of a stream in which all words of the query occur, the newest first: at most
    /// `limit`, and only those before number `before`, if one is given. A query without words finds nothing.
    async fn find(
        &self,
        stream: &StreamId,
        query: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<u64>, SearchError>;
}

/// What is looked for.
#[derive(Clone, Debug)]
struct Words(Vec<String>);

impl Words {
    fn of(query: &str) -> Self {
        let mut words: Vec<String> = fold(query).split_whitespace().map(str::to_owned).collect();
        // Long words are rare: they come first, so that most texts are dismissed at once.
        words.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        words.dedup();
        Self(words)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of them occur in a text that was folded.
    fn occur_in(&self, folded: &str) -> bool {
        self.0.iter().all(|word| folded.contains(word.as_str()))
    }
}

/// Makes texts equal that differ only in case, width or composition. Zeros become spaces: they end a text
/// early in C.
fn fold(text: &str) -> String {
    let composed: String = text.nfkc().map(|c| if c == '\0' { ' ' } else { c }).collect();
    CaseMapper::new().fold_string(&composed).nfkc().collect()
}
