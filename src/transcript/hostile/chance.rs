//! Seeded chance: the same number makes the same room, on every machine.

/// A splitmix generator.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    pub(super) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A list of `least` to `most` things.
    pub(super) fn list<T>(
        &mut self,
        least: usize,
        most: usize,
        mut one: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| one(self)).collect()
    }

    /// Any character.
    pub(super) fn character(&mut self) -> char {
        loop {
            // Half of them from the first scripts, where most of what acts is.
            let limit = if self.percent(50) { 0x3100 } else { 0x11_0000 };
            if let Some(found) = u32::try_from(self.below(limit)).ok().and_then(char::from_u32) {
                return found;
            }
        }
    }
}
