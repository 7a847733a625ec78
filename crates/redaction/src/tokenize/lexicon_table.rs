//! The table of the lexicon: its entries, the keys of words, and the lookup of a key.
#![expect(clippy::cast_possible_truncation, reason = "keys are truncated on purpose; slot numbers fit the table size")]

use super::perfect_hash::{PerfectHash, SLOT_COUNT, word_hash};

/// Letters of the longest word that has a key.
pub(crate) const MAX_KEY_LETTERS: usize = 16;

/// The flags and value of a word.
#[derive(Clone, Copy)]
pub(crate) struct LexiconEntry {
    /// First eight letters of the word. The next eight are in [`Lexicon::tails`]: most lookups need only the first.
    pub(super) head: u64,
    /// [`flag`](super::words::flag)s.
    pub(crate) flags: u32,
    /// Number, month or mark that the word means.
    pub(crate) value: u8,
}

/// The words, each in the slot that its hash determines.
pub(super) struct Lexicon {
    pub(super) perfect_hash: PerfectHash,
    pub(super) entries: [LexiconEntry; SLOT_COUNT],
    pub(super) tails: [u64; SLOT_COUNT],
}

/// The result of a lookup.
#[derive(Clone, Copy)]
pub(super) struct LexiconMatch {
    /// Slot of the word; 0 if the lexicon does not have it.
    pub(super) code: u16,
    pub(super) flags: u32,
}

/// The letters of a word in lower case, as a number; 0 if the word is empty or longer than [`MAX_KEY_LETTERS`].
pub(crate) const fn word_key(word: &[u8]) -> u128 {
    if word.len() > MAX_KEY_LETTERS {
        return 0;
    }
    let (mut key, mut at) = (0u128, word.len());
    while at > 0 {
        at -= 1;
        key = key << 8 | (word[at] | 0x20) as u128;
    }
    key
}

impl Lexicon {
    #[inline]
    pub(super) const fn find(&self, key: u128) -> LexiconMatch {
        let (head, tail) = (key as u64, (key >> 64) as u64);
        let slot = self.perfect_hash.slot(word_hash(head, tail));
        let entry = &self.entries[slot];
        entry.match_if(slot, entry.head == head && self.tails[slot] == tail)
    }

    /// Finds a word of up to seven letters by its first eight bytes. Branch-free: whether the lexicon has a word is
    /// unpredictable.
    #[inline]
    pub(super) fn find_short(&self, key: u64) -> LexiconMatch {
        let slot = self.perfect_hash.slot(word_hash(key, 0));
        let LexiconEntry { head, flags, .. } = self.entries[slot];
        let mask = u32::from(head == key).wrapping_neg();
        LexiconMatch { code: slot as u16 & mask as u16, flags: flags & mask }
    }
}

impl LexiconEntry {
    #[inline]
    const fn match_if(&self, slot: usize, matches: bool) -> LexiconMatch {
        if matches { LexiconMatch { code: slot as u16, flags: self.flags } } else { LexiconMatch { code: 0, flags: 0 } }
    }
}

pub(crate) const fn const_substr(text: &str, from: usize, to: usize) -> &str {
    let (_, tail) = text.split_at(from);
    let (head, _) = tail.split_at(to - from);
    head
}
