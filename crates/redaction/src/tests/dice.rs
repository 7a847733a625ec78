//! A pseudorandom number generator with a fixed seed, for tests that try many texts.

use crate::EntitySet;

/// A linear congruential generator (the multiplier of Knuth's MMIX).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        Self(1)
    }

    /// A number from 0 to below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    pub(crate) fn digit(&mut self) -> u8 {
        b'0' + u8::try_from(self.below(10)).unwrap()
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A text of fewer than `fewer_than` random pieces, with a space or nothing behind each.
    pub(crate) fn text(&mut self, pieces: &[&str], fewer_than: usize) -> String {
        let count = self.below(fewer_than);
        (0..count).flat_map(|_| [*self.one_of(pieces), *self.one_of(&["", " ", " "])]).collect()
    }

    /// A random set of entities: each entity has the chance 1 in `one_in`.
    pub(crate) fn entities(&mut self, one_in: usize) -> EntitySet {
        EntitySet::all().iter().filter(|_| self.below(one_in) == 0).collect()
    }
}
