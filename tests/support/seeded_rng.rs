//! A pseudo-random number generator with a fixed seed, so that every run uses the same numbers.

/// A pseudo-random number generator. The same seed gives the same numbers (xorshift64*, Vigna 2016).
pub struct SeededRng(u64);

impl SeededRng {
    /// A generator with this seed. The seed 0 is replaced by 1, because it would give only zeros.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    /// A number in `0..bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap() % bound.max(1)
    }

    /// A random element.
    pub fn pick<'text>(&mut self, texts: &[&'text str]) -> &'text str {
        texts[self.below(texts.len())]
    }
}
