//! Where an event stands in a table: stream and number in one integer.
//!
//! SQLite keeps a table in the order of its integer key. So the events of a stream lie side by side, the end
//! of a stream is found by one descent of the tree, and no second index needs to be written.

use std::ops::RangeInclusive;

const NUMBER_BITS: u32 = 32;
const LAST_NUMBER: u64 = (1 << NUMBER_BITS) - 1;

/// The rows of one stream, by the id of the stream in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    start: i64,
}

impl Rows {
    /// The rows of the stream with this id. `None`: no file of ours has such an id.
    pub(super) fn of(id: i64) -> Option<Self> {
        let is_possible = (1..1 << (i64::BITS - 1 - NUMBER_BITS)).contains(&id);
        is_possible.then_some(Self { start: id << NUMBER_BITS })
    }

    /// The key of event number `number`. `None`: no stream is that long.
    pub(super) fn key(self, number: u64) -> Option<i64> {
        (number <= LAST_NUMBER).then(|| self.start | number.cast_signed())
    }

    /// The keys of the events from `first` to the end.
    pub(super) fn keys_from(self, first: u64) -> Option<RangeInclusive<i64>> {
        Some(self.key(first)?..=self.last())
    }

    /// The keys of the events before number `end`.
    pub(super) fn keys_before(self, end: u64) -> RangeInclusive<i64> {
        let last = end.checked_sub(1).map_or(self.start - 1, |last| self.key(last).unwrap_or(self.last()));
        self.start..=last
    }

    /// The number of the event with this key, which is one of these rows.
    pub(super) fn number(self, key: i64) -> u64 {
        (key - self.start).cast_unsigned()
    }

    fn last(self) -> i64 {
        self.start | LAST_NUMBER.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_two_streams_never_overlap() {
        let (one, two) = (Rows::of(1).unwrap(), Rows::of(2).unwrap());
        assert!(one.key(LAST_NUMBER).unwrap() < two.key(0).unwrap());
        assert_eq!(one.number(one.key(7).unwrap()), 7);
        assert_eq!(one.keys_before(8), one.key(0).unwrap()..=one.key(7).unwrap());
        assert!(one.keys_before(0).is_empty());
        assert_eq!(one.keys_before(u64::MAX).end(), one.keys_from(1).unwrap().end());
    }

    #[test]
    fn ids_and_numbers_out_of_range_have_no_place() {
        for id in [i64::MIN, -1, 0, 1 << 31, i64::MAX] {
            assert!(Rows::of(id).is_none(), "{id}");
        }
        let rows = Rows::of((1 << 31) - 1).unwrap();
        assert!(rows.key(LAST_NUMBER).is_some());
        assert!(rows.key(LAST_NUMBER + 1).is_none());
        assert!(rows.keys_from(u64::MAX).is_none());
    }
}
