//! A perfect hash of the lexicon, built at compile time: each word has a slot of its own, so a lookup reads one slot.

/// Number of slots. The first slot stays empty.
pub(crate) const SLOT_COUNT: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 12;
/// Number of buckets.
pub(super) const BUCKET_COUNT: usize = 1 << BUCKET_BITS;
const BUCKET_BITS: u32 = 10;

/// The hash of a word with this key.
#[inline]
pub(super) const fn word_hash(head: u64, tail: u64) -> u64 {
    (head ^ tail.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

pub(super) const fn bucket_of(hash: u64) -> usize {
    (hash >> (64 - BUCKET_BITS)) as usize
}

/// The displacement of each bucket.
pub(super) struct PerfectHash {
    pub(super) displacements: [u16; BUCKET_COUNT],
}

impl PerfectHash {
    /// The slot of the word with this hash.
    #[inline]
    pub(super) const fn slot(&self, hash: u64) -> usize {
        let from = hash >> (64 - BUCKET_BITS - SLOT_BITS);
        (from as usize).wrapping_add(self.displacements[bucket_of(hash)] as usize) % SLOT_COUNT
    }
}
