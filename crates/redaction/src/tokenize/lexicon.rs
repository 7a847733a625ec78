//! The lexicon: one table of all words of the engine, built at compile time. A lookup takes one hash and one
//! comparison.
#![expect(clippy::cast_possible_truncation, reason = "keys are truncated on purpose; slot numbers fit the table size")]

use super::foreign_words::{FOREIGN_CONNECTORS, FOREIGN_WORDS};
use super::lexicon_builder::LexiconBuilder;
use super::lexicon_table::{Lexicon, LexiconEntry, LexiconMatch};
use super::words::{WORDS, flag};
use crate::cues::{CODE_VERBS, GRAMMAR_HEADS, PHRASES, WORD_VALUED};
use crate::entity::Entity;
use crate::tables;

pub(crate) use super::lexicon_table::{MAX_KEY_LETTERS, const_substr, word_key};
pub(crate) use super::perfect_hash::SLOT_COUNT;

pub(super) static LEXICON: Lexicon = LEXICON_BUILT;

const LEXICON_BUILT: Lexicon = {
    let mut builder = LexiconBuilder::new();
    let mut at = 0;
    while at < WORDS.len() + FOREIGN_WORDS.len() {
        let group = if at < WORDS.len() { &WORDS[at] } else { &FOREIGN_WORDS[at - WORDS.len()] };
        let mut nth = 0;
        while nth < group.words.len() {
            let offset = if group.consecutive_values { nth as u8 } else { 0 };
            builder.add(group.words[nth], group.flags, group.value + offset);
            nth += 1;
        }
        at += 1;
    }
    at = 0;
    while at < PHRASES.len() {
        let entities = PHRASES[at].entities;
        let word_value = if entities.intersects(WORD_VALUED) { flag::WORD_VALUE_CUE } else { 0 };
        let age = if entities.contains(Entity::AGE) { flag::AGE_CUE } else { 0 };
        builder.add_phrase(PHRASES[at].words, flag::CUE_HEAD | word_value | age, flag::CUE_TAIL);
        at += 1;
    }
    at = 0;
    while at < FOREIGN_CONNECTORS.len() {
        builder.add(FOREIGN_CONNECTORS[at], 0, 0);
        at += 1;
    }
    at = 0;
    while at < CODE_VERBS.len() {
        let mut nth = 0;
        while nth < CODE_VERBS[at].len() {
            builder.add(CODE_VERBS[at][nth], 0, 0);
            nth += 1;
        }
        at += 1;
    }
    at = 0;
    while at < GRAMMAR_HEADS.len() {
        let mut nth = 0;
        while nth < GRAMMAR_HEADS[at].len() {
            builder.add(GRAMMAR_HEADS[at][nth], flag::CUE_HEAD, 0);
            nth += 1;
        }
        at += 1;
    }
    at = 0;
    while at < tables::street_types::STREET_TYPES.len() {
        builder.add(tables::street_types::STREET_TYPES[at], flag::STREET, 0);
        at += 1;
    }
    at = 0;
    while at < tables::profanity::PROFANITY.len() {
        let phrase = tables::profanity::PROFANITY[at];
        if is_one_word(phrase) {
            builder.add(phrase, flag::PROFANITY, 0);
        } else {
            builder.add_phrase(phrase, flag::PROFANITY_HEAD, 0);
        }
        at += 1;
    }
    builder.build()
};

const fn is_one_word(phrase: &str) -> bool {
    let mut at = 0;
    while at < phrase.len() {
        if !phrase.as_bytes()[at].is_ascii_alphabetic() {
            return false;
        }
        at += 1;
    }
    true
}

/// The slot of a word, at compile time; 0 if the lexicon does not have it.
pub(crate) const fn word_id(word: &str) -> u16 {
    LEXICON_BUILT.find(word_key(word.as_bytes())).code
}

/// The slots of words, at compile time; 0 for each that the lexicon does not have.
pub(crate) const fn word_ids<const N: usize>(words: [&str; N]) -> [u16; N] {
    let (mut ids, mut at) = ([0; N], 0);
    while at < N {
        ids[at] = word_id(words[at]);
        at += 1;
    }
    ids
}

/// The slot of the ASCII word at `start..end`; 0 if the lexicon does not have it.
#[inline]
pub(crate) fn look_up(bytes: &[u8], start: usize, end: usize) -> u16 {
    let length = end - start;
    let key = match bytes[start..].first_chunk::<MAX_KEY_LETTERS>() {
        Some(chunk) if (1..=MAX_KEY_LETTERS).contains(&length) => {
            let unused = 8 * (MAX_KEY_LETTERS - length);
            (u128::from_le_bytes(*chunk) | u128::from_le_bytes([0x20; MAX_KEY_LETTERS])) << unused >> unused
        }
        _ => word_key(&bytes[start..end]),
    };
    LEXICON.find(key).code
}

/// Looks up an ASCII word.
pub(super) fn find_word(word: &[u8]) -> LexiconMatch {
    LEXICON.find(word_key(word))
}

/// The first eight letters of a word in lower case, as a number.
pub(crate) const fn word_key_head(word: &[u8]) -> u64 {
    word_key(word) as u64
}

/// The entry in a slot.
#[inline]
pub(crate) fn entry(code: u16) -> LexiconEntry {
    LEXICON.entries[code as usize % SLOT_COUNT]
}

/// The slots of [`FOREIGN_CONNECTORS`], one bit each.
static FOREIGN_CONNECTOR_SLOTS: [u64; SLOT_COUNT / 64] = {
    let (mut slots, mut at) = ([0; SLOT_COUNT / 64], 0);
    while at < FOREIGN_CONNECTORS.len() {
        let slot = word_id(FOREIGN_CONNECTORS[at]) as usize;
        slots[slot / 64] |= 1 << (slot % 64);
        at += 1;
    }
    slots
};

/// Whether a slot has a word of another language than English that may be between a cue and its value.
pub(crate) fn is_foreign_connector(slot: u16) -> bool {
    let slot = usize::from(slot) % SLOT_COUNT;
    FOREIGN_CONNECTOR_SLOTS[slot / 64] >> (slot % 64) & 1 != 0
}

/// Cue words in which typing errors are common, each with its slot. No two begin with the same letter.
const TYPO_PRONE_WORDS: [(&str, u16); 5] = [
    ("password", word_id("password")),
    ("account", word_id("account")),
    ("confirmation", word_id("confirmation")),
    ("number", word_id("number")),
    ("booking", word_id("booking")),
];

/// Whether mistyped words share this slot with the word that they are meant to be.
pub(crate) const fn has_typos(slot: u16) -> bool {
    let mut at = 0;
    while at < TYPO_PRONE_WORDS.len() {
        if TYPO_PRONE_WORDS[at].1 == slot {
            return true;
        }
        at += 1;
    }
    false
}

/// For each first letter, two bit sets about the word of [`TYPO_PRONE_WORDS`] with that letter: the lengths that a
/// mistyped form can have, and the word's second and third letter.
const TYPO_TRAITS: [(u32, u32); 256] = {
    let mut table = [(0, 0); 256];
    let mut at = 0;
    while at < TYPO_PRONE_WORDS.len() {
        let word = TYPO_PRONE_WORDS[at].0.as_bytes();
        let traits = (0b111 << (word.len() - 1), letter_bit(word[1]) | letter_bit(word[2]));
        table[word[0] as usize] = traits;
        table[word[0] as usize - 32] = traits;
        at += 1;
    }
    table
};

/// The bit of an ASCII letter of either case.
const fn letter_bit(byte: u8) -> u32 {
    1 << (byte & 0x1f)
}

/// Whether a word may be a mistyped form of one of [`TYPO_PRONE_WORDS`], by its first letters and its length. One
/// typing error leaves the second or third letter in second or third position. Lengths are compared modulo 32.
#[inline]
pub(crate) fn may_be_typo(head: u64, length: usize) -> bool {
    let (lengths, letters) = TYPO_TRAITS[head as u8 as usize];
    let second_and_third = letter_bit((head >> 8) as u8) | letter_bit((head >> 16) as u8);
    lengths.wrapping_shr(length as u32) & 1 != 0 && letters & second_and_third != 0
}

/// The slot of the word of [`TYPO_PRONE_WORDS`] that is one typing error away from this word; 0 if there is none.
pub(crate) fn correct_typo(word: &[u8]) -> u16 {
    let first = word.first().map_or(0, |b| b | 0x20);
    TYPO_PRONE_WORDS
        .iter()
        .find(|(target, _)| target.as_bytes()[0] == first && is_one_typo(word, target.as_bytes()))
        .map_or(0, |(_, id)| *id)
}

/// Whether one letter is added, missing or replaced, or two adjacent letters are swapped.
fn is_one_typo(word: &[u8], target: &[u8]) -> bool {
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    let head = word.iter().zip(target).take_while(|(a, b)| same(a, b)).count();
    let (word, target) = (&word[head..], &target[head..]);
    let tail = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
    match (word, target) {
        ([a, b, rest @ ..], [c, d, other @ ..]) if same(a, d) && same(b, c) && tail(rest, other) => true,
        ([_, rest @ ..], [_, other @ ..]) if tail(rest, other) => true,
        ([_, rest @ ..], target) if tail(rest, target) => true,
        (word, [_, other @ ..]) => tail(word, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_with_its_flags_in_either_case() {
        for group in WORDS {
            for word in group.words.iter().filter(|word| word.len() <= MAX_KEY_LETTERS) {
                let code = look_up(word.as_bytes(), 0, word.len());
                assert!(code != 0 && entry(code).flags & group.flags == group.flags, "{word}");
                assert_eq!(code, look_up(word.to_uppercase().as_bytes(), 0, word.len()));
            }
        }
    }

    #[test]
    fn words_outside_the_lexicon_are_not_found() {
        for word in ["", "qzx", "onetwothree", "onex", "incomprehensiblyly"] {
            assert_eq!(look_up(word.as_bytes(), 0, word.len()), 0, "{word}");
        }
    }
}
