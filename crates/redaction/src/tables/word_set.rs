//! Hash sets of words over the word lists.
#![expect(clippy::cast_possible_truncation, reason = "a list has fewer words than the table has slots")]

use super::english_common::COMMON_WORDS;
use super::given_names::{GIVEN_NAMES, ORDINARY_WORD_GIVEN_NAMES};
use super::surnames::SURNAMES;
use super::tld::TOP_LEVEL_DOMAINS;

pub(crate) static COMMON_WORD_SET: WordSet<8192> = WordSet::build(COMMON_WORDS);
pub(crate) static GIVEN_NAME_SET: WordSet<8192> = WordSet::build(GIVEN_NAMES);
pub(crate) static ORDINARY_GIVEN_NAME_SET: WordSet<1024> = WordSet::build(ORDINARY_WORD_GIVEN_NAMES);
pub(crate) static SURNAME_SET: WordSet<8192> = WordSet::build(SURNAMES);
pub(crate) static TOP_LEVEL_DOMAIN_SET: WordSet<8192> = WordSet::build(TOP_LEVEL_DOMAINS);

/// Maximum bytes of a word in a list.
pub(super) const MAX_WORD_BYTES: usize = 48;

/// A constant hash set over a list of lower-case words. Open addressing with linear probing.
pub(crate) struct WordSet<const SLOTS: usize> {
    list: &'static [&'static str],
    /// The index of a word in the list plus one, in the slot of its hash or the next free slot. Zero if the slot is
    /// free.
    slots: [u16; SLOTS],
}

/// A word with its hash, for lookups in several sets.
#[derive(Clone, Copy)]
pub(crate) struct HashedWord<'w> {
    word: &'w [u8],
    hash: u32,
}

impl<'w> HashedWord<'w> {
    pub(crate) fn new(word: &'w [u8]) -> Self {
        Self { word, hash: if word.len() > MAX_WORD_BYTES { 0 } else { hash(word) } }
    }

    /// The bytes of the word.
    pub(crate) fn bytes(self) -> &'w [u8] {
        self.word
    }

    /// The hash of the word.
    pub(crate) fn hash(self) -> u32 {
        self.hash
    }
}

impl<const SLOTS: usize> WordSet<SLOTS> {
    const fn build(list: &'static [&'static str]) -> Self {
        assert!(SLOTS.is_power_of_two() && 2 * list.len() < SLOTS);
        let mut slots = [0; SLOTS];
        let mut at = 0;
        while at < list.len() {
            let mut slot = hash(list[at].as_bytes()) as usize % SLOTS;
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = at as u16 + 1;
            at += 1;
        }
        Self { list, slots }
    }

    /// Whether the set contains a word. The case of ASCII letters is ignored.
    pub(crate) fn contains_hashed(&self, sought: HashedWord<'_>) -> bool {
        let mut slot = sought.hash as usize % SLOTS;
        while let Some(at) = self.slots[slot].checked_sub(1) {
            if self.list[at as usize].as_bytes().eq_ignore_ascii_case(sought.word) {
                return true;
            }
            slot = (slot + 1) % SLOTS;
        }
        false
    }

    /// Same as [`Self::contains_hashed`], for a lookup in one set only.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.contains_hashed(HashedWord::new(word.as_bytes()))
    }
}

/// A hash that ignores the case of ASCII letters.
pub(crate) const fn hash(word: &[u8]) -> u32 {
    let (mut hash, mut at) = (0_u32, 0);
    while at < word.len() {
        hash = (hash.rotate_left(5) ^ (word[at] | 0x20) as u32).wrapping_mul(0x9E37_79B1);
        at += 1;
    }
    hash ^ hash >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_contains_exactly_its_words_in_either_case() {
        for word in COMMON_WORDS {
            assert!(COMMON_WORD_SET.contains(word) && COMMON_WORD_SET.contains(&word.to_ascii_uppercase()));
            assert_eq!(
                COMMON_WORD_SET.contains(&format!("{word}q")),
                COMMON_WORDS.contains(&format!("{word}q").as_str())
            );
        }
        assert!(SURNAMES.iter().all(|word| SURNAME_SET.contains(word)));
        assert!(!COMMON_WORD_SET.contains("") && !COMMON_WORD_SET.contains(&"a".repeat(MAX_WORD_BYTES + 1)));
    }
}
