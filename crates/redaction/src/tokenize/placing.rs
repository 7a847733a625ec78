//! Where the words of the lexicon stand: at places that a hash leads to, no two at one, so that a word is looked for at a
//! single place. The compiler finds out how (R. Pagh, "Hash and displace", 1999): words whose hashes begin alike move on
//! together, the largest groups first, until each is at a place that is free.
#![expect(clippy::cast_possible_truncation, reason = "keys are cut on purpose, places fit by the size of the table")]
#![expect(clippy::large_stack_arrays, reason = "they are on the compiler's stack only")]

use super::lexicon::{Entry, Lexicon, key_of, slice};

/// How many places there are; nothing stands at the first.
pub(crate) const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 12;
/// Groups of words that move together.
const GROUPS: usize = 1 << GROUP_BITS;
const GROUP_BITS: u32 = 10;

/// A hash of a word by its letters.
#[inline]
pub(super) const fn slot(head: u64, tail: u64) -> u64 {
    (head ^ tail.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

const fn group_of(hash: u64) -> usize {
    (hash >> (64 - GROUP_BITS)) as usize
}

/// How far each group of words is moved.
pub(super) struct Placing {
    steps: [u16; GROUPS],
}

impl Placing {
    /// The place of the word with a hash.
    #[inline]
    pub(super) const fn of(&self, hash: u64) -> usize {
        let from = hash >> (64 - GROUP_BITS - PLACE_BITS);
        (from as usize).wrapping_add(self.steps[group_of(hash)] as usize) % PLACES
    }
}

/// Words as they are gathered, before each has its place.
pub(super) struct Gathered {
    slots: [u16; 4 * PLACES],
    keys: [u128; PLACES],
    flags: [u32; PLACES],
    values: [u8; PLACES],
    count: usize,
}

impl Gathered {
    pub(super) const fn none() -> Self {
        Self { slots: [0; 4 * PLACES], keys: [0; PLACES], flags: [0; PLACES], values: [0; PLACES], count: 0 }
    }

    pub(super) const fn add(&mut self, word: &str, flags: u32, value: u8) {
        let key = key_of(word.as_bytes());
        if key == 0 {
            return;
        }
        let mut at = slot(key as u64, (key >> 64) as u64) as usize % self.slots.len();
        while self.slots[at] != 0 && self.keys[self.slots[at] as usize] != key {
            at = (at + 1) % self.slots.len();
        }
        if self.slots[at] == 0 {
            self.count += 1;
            self.slots[at] = self.count as u16;
            self.keys[self.count] = key;
        }
        let id = self.slots[at] as usize;
        self.flags[id] |= flags;
        if value != 0 {
            self.values[id] = value;
        }
    }

    /// Adds each word of a phrase; the first gets other flags than the rest.
    pub(super) const fn add_phrase(&mut self, phrase: &str, first: u32, rest: u32) {
        let bytes = phrase.as_bytes();
        let (mut at, mut flags) = (0, first);
        while at < bytes.len() {
            let from = at;
            while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                at += 1;
            }
            if at > from {
                self.add(slice(phrase, from, at), flags, 0);
                flags = rest;
            }
            at += 1;
        }
    }

    const fn hash(&self, id: usize) -> u64 {
        slot(self.keys[id] as u64, (self.keys[id] >> 64) as u64)
    }

    /// The words at their places.
    pub(super) const fn placed(&self) -> Lexicon {
        let placing = self.placing();
        let none = Entry { head: u64::MAX, flags: 0, value: 0 };
        let mut lexicon = Lexicon { placing, entries: [none; PLACES], tails: [0; PLACES] };
        let mut id = 1;
        while id <= self.count {
            let place = lexicon.placing.of(self.hash(id));
            lexicon.entries[place] =
                Entry { head: self.keys[id] as u64, flags: self.flags[id], value: self.values[id] };
            lexicon.tails[place] = (self.keys[id] >> 64) as u64;
            id += 1;
        }
        lexicon
    }

    const fn placing(&self) -> Placing {
        let mut groups = Groups { first: [0; GROUPS], next: [0; PLACES], sizes: [0; GROUPS], largest: 0 };
        let mut id = 1;
        while id <= self.count {
            groups.add(id, group_of(self.hash(id)));
            id += 1;
        }
        let mut placing = Placing { steps: [0; GROUPS] };
        let mut taken = [false; PLACES];
        taken[0] = true;
        let mut size = groups.largest;
        while size > 0 {
            let mut group = 0;
            while group < GROUPS {
                if groups.sizes[group] == size {
                    self.place(&groups, group, &mut placing, &mut taken);
                }
                group += 1;
            }
            size -= 1;
        }
        placing
    }

    /// Moves a group on until every word of it is at a place that is free.
    const fn place(&self, groups: &Groups, group: usize, placing: &mut Placing, taken: &mut [bool; PLACES]) {
        while !self.take(groups.first[group], groups, placing, taken) {
            placing.steps[group] += 1;
            assert!((placing.steps[group] as usize) < PLACES, "two words of the lexicon have the same hash");
        }
    }

    /// Takes the places of a word and of those after it in its group; none of them where one is not free.
    const fn take(&self, id: u16, groups: &Groups, placing: &Placing, taken: &mut [bool; PLACES]) -> bool {
        if id == 0 {
            return true;
        }
        let place = placing.of(self.hash(id as usize));
        if taken[place] {
            return false;
        }
        taken[place] = true;
        let all = self.take(groups.next[id as usize], groups, placing, taken);
        taken[place] = all;
        all
    }
}

/// The words of each group, as lists.
struct Groups {
    first: [u16; GROUPS],
    next: [u16; PLACES],
    sizes: [u8; GROUPS],
    largest: u8,
}

impl Groups {
    const fn add(&mut self, id: usize, group: usize) {
        self.next[id] = self.first[group];
        self.first[group] = id as u16;
        self.sizes[group] += 1;
        if self.sizes[group] > self.largest {
            self.largest = self.sizes[group];
        }
    }
}
