//! Builds the lexicon at compile time: collects the words and finds the displacements of its perfect hash.
//!
//! The construction is "Hash and displace" (R. Pagh, 1999). Words whose hashes begin with the same bits form a bucket.
//! Starting with the largest, each bucket is displaced until every word of it has a free slot.
#![expect(clippy::cast_possible_truncation, reason = "keys are truncated on purpose; slot numbers fit the table size")]
#![expect(clippy::large_stack_arrays, reason = "the arrays are on the compiler's stack only")]

use super::lexicon_table::{Lexicon, LexiconEntry, const_substr, word_key};
use super::perfect_hash::{BUCKET_COUNT, PerfectHash, SLOT_COUNT, bucket_of, word_hash};

/// The words before they have slots. Words have ids from 1, in the order of their first addition.
pub(super) struct LexiconBuilder {
    /// Open-addressing hash table of ids; 0 is empty.
    table: [u16; 4 * SLOT_COUNT],
    keys: [u128; SLOT_COUNT],
    flags: [u32; SLOT_COUNT],
    values: [u8; SLOT_COUNT],
    count: usize,
}

impl LexiconBuilder {
    pub(super) const fn new() -> Self {
        Self {
            table: [0; 4 * SLOT_COUNT],
            keys: [0; SLOT_COUNT],
            flags: [0; SLOT_COUNT],
            values: [0; SLOT_COUNT],
            count: 0,
        }
    }

    pub(super) const fn add(&mut self, word: &str, flags: u32, value: u8) {
        let key = word_key(word.as_bytes());
        if key == 0 {
            return;
        }
        let mut at = word_hash(key as u64, (key >> 64) as u64) as usize % self.table.len();
        while self.table[at] != 0 && self.keys[self.table[at] as usize] != key {
            at = (at + 1) % self.table.len();
        }
        if self.table[at] == 0 {
            self.count += 1;
            self.table[at] = self.count as u16;
            self.keys[self.count] = key;
        }
        let id = self.table[at] as usize;
        self.flags[id] |= flags;
        if value != 0 {
            self.values[id] = value;
        }
    }

    /// Adds each word of a phrase. The first word gets the flags `first`, the others `rest`.
    pub(super) const fn add_phrase(&mut self, phrase: &str, first: u32, rest: u32) {
        let bytes = phrase.as_bytes();
        let (mut at, mut flags) = (0, first);
        while at < bytes.len() {
            let from = at;
            while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                at += 1;
            }
            if at > from {
                self.add(const_substr(phrase, from, at), flags, 0);
                flags = rest;
            }
            at += 1;
        }
    }

    const fn hash(&self, id: usize) -> u64 {
        word_hash(self.keys[id] as u64, (self.keys[id] >> 64) as u64)
    }

    /// Builds the lexicon.
    pub(super) const fn build(&self) -> Lexicon {
        let perfect_hash = self.perfect_hash();
        let none = LexiconEntry { head: u64::MAX, flags: 0, value: 0 };
        let mut lexicon = Lexicon { perfect_hash, entries: [none; SLOT_COUNT], tails: [0; SLOT_COUNT] };
        let mut id = 1;
        while id <= self.count {
            let slot = lexicon.perfect_hash.slot(self.hash(id));
            lexicon.entries[slot] =
                LexiconEntry { head: self.keys[id] as u64, flags: self.flags[id], value: self.values[id] };
            lexicon.tails[slot] = (self.keys[id] >> 64) as u64;
            id += 1;
        }
        lexicon
    }

    const fn perfect_hash(&self) -> PerfectHash {
        let mut buckets =
            Buckets { first: [0; BUCKET_COUNT], next: [0; SLOT_COUNT], sizes: [0; BUCKET_COUNT], largest: 0 };
        let mut id = 1;
        while id <= self.count {
            buckets.add(id, bucket_of(self.hash(id)));
            id += 1;
        }
        let mut perfect_hash = PerfectHash { displacements: [0; BUCKET_COUNT] };
        let mut occupied = [false; SLOT_COUNT];
        occupied[0] = true;
        let mut size = buckets.largest;
        while size > 0 {
            let mut bucket = 0;
            while bucket < BUCKET_COUNT {
                if buckets.sizes[bucket] == size {
                    self.displace(&buckets, bucket, &mut perfect_hash, &mut occupied);
                }
                bucket += 1;
            }
            size -= 1;
        }
        perfect_hash
    }

    /// Displaces a bucket until every word of it has a free slot.
    const fn displace(
        &self,
        buckets: &Buckets,
        bucket: usize,
        perfect_hash: &mut PerfectHash,
        occupied: &mut [bool; SLOT_COUNT],
    ) {
        while !self.occupy(buckets.first[bucket], buckets, perfect_hash, occupied) {
            perfect_hash.displacements[bucket] += 1;
            assert!(
                (perfect_hash.displacements[bucket] as usize) < SLOT_COUNT,
                "two words of the lexicon have the same hash"
            );
        }
    }

    /// Occupies the slots of a word and of the words after it in its bucket. Occupies none of them if one is not free.
    const fn occupy(
        &self,
        id: u16,
        buckets: &Buckets,
        perfect_hash: &PerfectHash,
        occupied: &mut [bool; SLOT_COUNT],
    ) -> bool {
        if id == 0 {
            return true;
        }
        let slot = perfect_hash.slot(self.hash(id as usize));
        if occupied[slot] {
            return false;
        }
        occupied[slot] = true;
        let all = self.occupy(buckets.next[id as usize], buckets, perfect_hash, occupied);
        occupied[slot] = all;
        all
    }
}

/// The words of each bucket, as linked lists of ids.
struct Buckets {
    first: [u16; BUCKET_COUNT],
    next: [u16; SLOT_COUNT],
    sizes: [u8; BUCKET_COUNT],
    largest: u8,
}

impl Buckets {
    const fn add(&mut self, id: usize, bucket: usize) {
        self.next[id] = self.first[bucket];
        self.first[bucket] = id as u16;
        self.sizes[bucket] += 1;
        if self.sizes[bucket] > self.largest {
            self.largest = self.sizes[bucket];
        }
    }
}
