//! Lists of words with a table of hashes beside them, so that a word is found by one look instead of a search.
#![expect(clippy::cast_possible_truncation, reason = "places fit by the size of the table")]

use super::english_common::COMMON_WORDS;
use super::given_names::{GIVEN_NAMES, ORDINARY_WORD_GIVEN_NAMES};
use super::surnames::SURNAMES;
use super::tld::TOP_LEVEL_DOMAINS;

pub(crate) static COMMON: Index<8192> = Index::of(COMMON_WORDS);
pub(crate) static GIVEN: Index<8192> = Index::of(GIVEN_NAMES);
pub(crate) static ORDINARY_GIVEN: Index<1024> = Index::of(ORDINARY_WORD_GIVEN_NAMES);
pub(crate) static FAMILY: Index<8192> = Index::of(SURNAMES);
pub(crate) static DOMAINS: Index<8192> = Index::of(TOP_LEVEL_DOMAINS);

/// Bytes of the longest word of a list.
pub(super) const LONGEST: usize = 48;

/// A list of lower-case words that answers whether it holds a word.
pub(crate) struct Index<const SLOTS: usize> {
    list: &'static [&'static str],
    /// The place of a word in the list plus one, at the slot of its hash or, where that is taken, the next free one.
    slots: [u16; SLOTS],
}

/// A word to look up, in as many lists as wanted.
#[derive(Clone, Copy)]
pub(crate) struct Sought<'w> {
    word: &'w [u8],
    hash: u32,
}

impl<'w> Sought<'w> {
    pub(crate) fn new(word: &'w [u8]) -> Self {
        Self { word, hash: if word.len() > LONGEST { 0 } else { hash(word) } }
    }
}

impl<const SLOTS: usize> Index<SLOTS> {
    const fn of(list: &'static [&'static str]) -> Self {
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

    /// Whether the list holds a word, whatever the case of its ASCII letters.
    pub(crate) fn holds(&self, sought: Sought<'_>) -> bool {
        let mut slot = sought.hash as usize % SLOTS;
        while let Some(at) = self.slots[slot].checked_sub(1) {
            if self.list[at as usize].as_bytes().eq_ignore_ascii_case(sought.word) {
                return true;
            }
            slot = (slot + 1) % SLOTS;
        }
        false
    }

    /// The same for one list alone.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.holds(Sought::new(word.as_bytes()))
    }
}

/// The same for letters of either case.
const fn hash(word: &[u8]) -> u32 {
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
    fn every_word_is_found_in_either_case_and_no_other() {
        for word in COMMON_WORDS {
            assert!(COMMON.contains(word) && COMMON.contains(&word.to_ascii_uppercase()));
            assert_eq!(COMMON.contains(&format!("{word}q")), COMMON_WORDS.contains(&format!("{word}q").as_str()));
        }
        assert!(SURNAMES.iter().all(|word| FAMILY.contains(word)));
        assert!(!COMMON.contains("") && !COMMON.contains(&"a".repeat(LONGEST + 1)));
    }
}
