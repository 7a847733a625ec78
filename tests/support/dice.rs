//! Numbers that look like chance and are the same in every run.

/// A generator of numbers that gives the same ones for the same seed (xorshift64*, Vigna 2016).
pub struct Dice(u64);

impl Dice {
    /// Seeds it. Zero would give nothing but zeros, and is taken as one.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// A number from 0 up to but without `bound`; 0 where the bound is.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap() % bound.max(1)
    }

    /// One of these.
    pub fn pick<'all>(&mut self, all: &[&'all str]) -> &'all str {
        all[self.below(all.len())]
    }
}
