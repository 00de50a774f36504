//! Where the records of a task lie in its log: beside them there are other events.

use crate::journal::Version;

/// Where the records of a task lie in its log.
#[derive(Debug, Default)]
pub(in crate::hub) struct Places {
    /// Records from which on all lie so far behind their own number.
    shifts: Vec<(u64, u64)>,
    newest: u64,
}

impl Places {
    /// A record lies here.
    pub(super) fn add(&mut self, record: u64, place: Version) {
        // Of a log that was damaged, what does not count on is not found by its number.
        let Some(shift) = place.0.checked_sub(record).filter(|_| record > self.newest) else { return };
        self.newest = record;
        if self.shifts.last().map(|(_, last)| *last) != Some(shift) {
            self.shifts.push((record, shift));
        }
    }

    /// The place just before a record, or, if there is none of this number, after all records.
    pub(super) fn before(&self, record: u64) -> Version {
        let record = record.clamp(1, self.newest + 1);
        let after = self.shifts.partition_point(|(first, _)| *first <= record);
        // The first event tells that the task was made.
        let shift = after.checked_sub(1).map_or(1, |at| self.shifts[at].1);
        Version(record + shift - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_found_whatever_lies_between() {
        let mut places = Places::default();
        assert_eq!(places.before(1), Version(1));
        let lie = [(1, 2), (2, 3), (3, 7), (4, 8), (5, 10)];
        for (record, place) in lie {
            places.add(record, Version(place));
        }
        for (record, place) in lie {
            assert_eq!(places.before(record), Version(place - 1));
        }
        assert_eq!((places.before(0), places.before(6)), (Version(1), Version(10)));
        assert_eq!(places.before(u64::MAX), Version(10));
    }

    #[test]
    fn what_does_not_count_on_moves_nothing() {
        let mut places = Places::default();
        for (record, place) in [(1, 2), (3, 3), (3, 4), (1, 5), (9, 6)] {
            places.add(record, Version(place));
        }
        assert_eq!(
            (places.before(1), places.before(2), places.before(3)),
            (Version(1), Version(2), Version(2))
        );
    }
}
