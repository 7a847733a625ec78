//! The lists and the class of a word: one table over all words that the tagger knows, so that a lookup takes one hash.
#![expect(clippy::cast_possible_truncation, reason = "halves of a key and bits of a hash are taken on purpose")]

use super::word_class::{CLASSES, WordClass};
use crate::tables::english_common::COMMON_WORDS;
use crate::tables::given_names::{GIVEN_NAMES, ORDINARY_WORD_GIVEN_NAMES};
use crate::tables::surnames::SURNAMES;
use crate::tokenize::lexicon::word_key;

/// The lists that have a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Lexical {
    Unknown,
    Common,
    GivenName,
    Surname,
    GivenAndSurname,
    /// A given name or surname that is also a common word.
    CommonName,
}

impl Lexical {
    /// Whether the word is in a list of names.
    pub(super) fn is_listed(self) -> bool {
        !matches!(self, Self::Unknown | Self::Common)
    }
}

/// Number of slots of the table, a power of two.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 14;

/// Lists that have a word, one bit each.
const COMMON: u8 = 1;
const GIVEN_NAME: u8 = 1 << 1;
const SURNAME: u8 = 1 << 2;
/// Given names that are also ordinary words.
const ORDINARY: u8 = 1 << 3;

/// A word with its lists and its class. Both halves of its key are zero if the slot is free.
#[derive(Clone, Copy)]
struct Slot {
    head: u64,
    tail: u64,
    lists: u8,
    class: WordClass,
}

/// The words, each in the slot of its hash or the next free slot.
static TABLE: [Slot; SLOTS] = {
    let mut table = [Slot { head: 0, tail: 0, lists: 0, class: WordClass::Other }; SLOTS];
    add_list(&mut table, COMMON_WORDS, COMMON);
    add_list(&mut table, GIVEN_NAMES, GIVEN_NAME);
    add_list(&mut table, SURNAMES, SURNAME);
    add_list(&mut table, ORDINARY_WORD_GIVEN_NAMES, ORDINARY);
    add_classes(&mut table);
    table
};

const fn add_list(table: &mut [Slot; SLOTS], words: &[&str], list: u8) {
    let mut at = 0;
    while at < words.len() {
        table[place(table, words[at])].lists |= list;
        at += 1;
    }
}

/// A word in two classes gets the first of them.
const fn add_classes(table: &mut [Slot; SLOTS]) {
    let mut group = 0;
    while group < CLASSES.len() {
        let (class, words) = CLASSES[group];
        let mut at = 0;
        while at < words.len() {
            let slot = place(table, words[at]);
            if matches!(table[slot].class, WordClass::Other) {
                table[slot].class = class;
            }
            at += 1;
        }
        group += 1;
    }
}

/// The slot of a word, which is taken for it if it has none.
const fn place(table: &mut [Slot; SLOTS], word: &str) -> usize {
    assert!(word.is_ascii());
    let key = word_key(word.as_bytes());
    assert!(key != 0, "a word has too many letters");
    let (head, tail) = (key as u64, (key >> 64) as u64);
    let mut slot = slot_of(head, tail);
    while table[slot].head != 0 && !(table[slot].head == head && table[slot].tail == tail) {
        slot = (slot + 1) % SLOTS;
    }
    table[slot].head = head;
    table[slot].tail = tail;
    slot
}

#[inline]
const fn slot_of(head: u64, tail: u64) -> usize {
    let hash = (head ^ tail.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (hash >> (64 - SLOT_BITS)) as usize
}

/// The lists of the word with this key, as [`word_key`] makes it, and its class. A word without a key is in no list.
#[inline]
pub(super) fn look_up(key: u128) -> (Lists, WordClass) {
    let (head, tail) = (key as u64, (key >> 64) as u64);
    let mut slot = slot_of(head, tail);
    loop {
        let known = &TABLE[slot];
        if known.head == 0 {
            return (Lists(0), WordClass::Other);
        }
        if known.head == head && known.tail == tail {
            return (Lists(known.lists), known.class);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// The lists that have a word.
#[derive(Clone, Copy)]
pub(super) struct Lists(u8);

impl Lists {
    /// What a word with these lists is.
    #[inline]
    pub(super) fn lexical(self) -> Lexical {
        LEXICAL[usize::from(self.0) % LEXICAL.len()]
    }

    /// What the word is if no list of names has it.
    pub(super) fn lexical_outside_names(self) -> Lexical {
        if self.0 & COMMON != 0 { Lexical::Common } else { Lexical::Unknown }
    }
}

/// What a word is, by the bits of its lists.
static LEXICAL: [Lexical; 16] = {
    let mut lexical = [Lexical::Unknown; 16];
    let mut lists = 0;
    while lists < lexical.len() {
        let bits = lists as u8;
        lexical[lists] = match (bits & GIVEN_NAME != 0, bits & SURNAME != 0) {
            (false, false) if bits & COMMON != 0 => Lexical::Common,
            (false, false) => Lexical::Unknown,
            _ if bits & (COMMON | ORDINARY) != 0 => Lexical::CommonName,
            (true, true) => Lexical::GivenAndSurname,
            (true, false) => Lexical::GivenName,
            (false, true) => Lexical::Surname,
        };
        lists += 1;
    }
    lexical
};

#[cfg(test)]
mod tests {
    use super::*;

    fn found(word: &str) -> (Lexical, WordClass) {
        let (lists, class) = look_up(word_key(word.as_bytes()));
        (lists.lexical(), class)
    }

    #[test]
    fn each_word_has_the_first_of_its_classes() {
        for (class, words) in CLASSES {
            for word in *words {
                let first = CLASSES.iter().find(|(_, words)| words.contains(word)).map(|(class, _)| *class);
                assert_eq!(Some(found(word).1), first, "{word} {class:?}");
            }
        }
        assert_eq!(found("zebra").1, WordClass::Other);
    }

    #[test]
    fn each_word_has_its_lists() {
        for word in COMMON_WORDS.iter().chain(GIVEN_NAMES).chain(SURNAMES) {
            let is_common = COMMON_WORDS.contains(word);
            let (given, surname) = (GIVEN_NAMES.contains(word), SURNAMES.contains(word));
            let lexical = match (given, surname) {
                (false, false) => Lexical::Common,
                _ if is_common || ORDINARY_WORD_GIVEN_NAMES.contains(word) => Lexical::CommonName,
                (true, true) => Lexical::GivenAndSurname,
                (true, false) => Lexical::GivenName,
                (false, true) => Lexical::Surname,
            };
            assert_eq!(found(word).0, lexical, "{word}");
        }
        assert_eq!(found("qzxqzx").0, Lexical::Unknown);
        assert_eq!(found("").0, Lexical::Unknown);
    }
}
