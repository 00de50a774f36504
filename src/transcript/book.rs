//! The entries that are in the note itself, and where they are cut into parts. Pure.
//!
//! The cut depends on the entries alone, one after the other, so that a note which is rebuilt from the log has
//! the same parts as one which grew.

use std::collections::VecDeque;

use super::render::{Chunk, Span};

/// When entries move to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of entries in a note.
    pub bytes: usize,
    /// Most entries in a note.
    pub entries: usize,
    /// How many of the newest entries stay; fewer, if they are long.
    pub keep: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 256 * 1024, entries: 300, keep: 30 }
    }
}

/// The newest entries, and the spans of the parts before them.
#[derive(Clone, Debug)]
pub(super) struct Book {
    limits: Limits,
    chunks: VecDeque<Chunk>,
    bytes: usize,
    spans: Vec<Span>,
    last_seq: u64,
}

impl Book {
    pub(super) fn new(limits: Limits) -> Self {
        // Else nothing would leave, or a part would be cut for each entry.
        let limits = Limits { keep: limits.keep.min(limits.entries / 2), ..limits };
        Self { limits, chunks: VecDeque::new(), bytes: 0, spans: Vec::new(), last_seq: 0 }
    }

    /// Adds an entry. Gives the entries of a part that is full now.
    pub(super) fn push(&mut self, chunk: Chunk) -> Option<Vec<Chunk>> {
        self.last_seq = chunk.seq();
        self.bytes += chunk.text().len();
        self.chunks.push_back(chunk);
        if self.chunks.len() <= self.limits.entries && self.bytes <= self.limits.bytes {
            return None;
        }
        let mut moved = Vec::new();
        while self.chunks.len() > 1
            && (self.chunks.len() > self.limits.keep || self.bytes > self.limits.bytes / 2)
        {
            let chunk = self.chunks.pop_front().expect("more than one chunk is here");
            self.bytes -= chunk.text().len();
            moved.push(chunk);
        }
        let (first, last) = (moved.first()?.seq(), moved.last()?.seq());
        self.spans.push(Span { first, last });
        Some(moved)
    }

    /// Number of the newest entry.
    pub(super) fn last_seq(&self) -> u64 {
        self.last_seq
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter()
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Language;
    use crate::transcript::body::VaultLinks;
    use crate::transcript::render;
    use crate::transcript::sample::{head, message};
    use proptest::prelude::*;

    fn chunk(seq: u64, length: usize) -> Chunk {
        render::entry(&message(seq, &"x".repeat(length)), &head(Language::En), VaultLinks::Alive)
    }

    fn filled(limits: Limits, lengths: &[usize]) -> (Book, Vec<u64>) {
        let mut book = Book::new(limits);
        let mut moved = Vec::new();
        for (seq, length) in (1..).zip(lengths) {
            moved.extend(book.push(chunk(seq, *length)).into_iter().flatten().map(|chunk| chunk.seq()));
        }
        (book, moved)
    }

    #[test]
    fn the_newest_entries_stay_when_a_part_is_cut() {
        let limits = Limits { entries: 10, keep: 3, ..Limits::default() };
        let (book, moved) = filled(limits, &[1; 11]);
        assert_eq!(moved, (1..=8).collect::<Vec<_>>());
        assert_eq!(book.spans(), [Span { first: 1, last: 8 }]);
        assert_eq!(book.chunks().map(Chunk::seq).collect::<Vec<_>>(), [9, 10, 11]);
    }

    #[test]
    fn one_entry_stays_however_long() {
        let limits = Limits { bytes: 1_000, ..Limits::default() };
        let (book, moved) = filled(limits, &[5_000, 5_000, 5_000]);
        assert_eq!(moved, [1, 2]);
        assert_eq!(book.spans().len(), 2);
        assert_eq!(book.chunks().count(), 1);
    }

    proptest! {
        /// Every entry is in a part or in the note, once and in order, and the note stays small.
        #[test]
        fn parts_and_note_partition_the_log(
            lengths in prop::collection::vec(0_usize..600, 0..80),
            entries in 1_usize..12,
            keep in 0_usize..14,
        ) {
            let limits = Limits { bytes: 2_000, entries, keep };
            let (book, mut all) = filled(limits, &lengths);
            prop_assert!(book.chunks().count() <= entries.max(1));
            all.extend(book.chunks().map(Chunk::seq));
            prop_assert_eq!(all, (1..=lengths.len() as u64).collect::<Vec<_>>());
            prop_assert!(book.spans().windows(2).all(|pair| pair[0].last + 1 == pair[1].first));
        }
    }
}
