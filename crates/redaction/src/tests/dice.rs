//! Numbers without order, the same each time, for tests that go through many texts.

use crate::EntitySet;

/// A linear congruential generator (the multiplier of Knuth's MMIX).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new() -> Self {
        Self(1)
    }

    /// A number from nought to below another.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    pub(crate) fn digit(&mut self) -> u8 {
        b'0' + u8::try_from(self.below(10)).unwrap()
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// Fewer than so many of these pieces, with a space or nothing behind each.
    pub(crate) fn text(&mut self, pieces: &[&str], fewer_than: usize) -> String {
        let count = self.below(fewer_than);
        (0..count).flat_map(|_| [*self.one_of(pieces), *self.one_of(&["", " ", " "])]).collect()
    }

    /// One in so many entities.
    pub(crate) fn entities(&mut self, one_in: usize) -> EntitySet {
        EntitySet::all().iter().filter(|_| self.below(one_in) == 0).collect()
    }
}
