//! The words the engine knows, in one table built by the compiler: a word is found by one hash and one comparison.
#![expect(clippy::cast_possible_truncation, reason = "keys are cut on purpose, places fit by the size of the table")]

use super::placing::{Gathered, Placing, slot};
use super::words::{WORDS, flag};
use crate::cues;
use crate::entity::Entity;
use crate::tables;

pub(crate) use super::placing::PLACES;

/// A word is known by its first letters, at most this many, in lower case.
pub(super) const LONGEST: usize = 16;

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// First eight letters of the word; the eight after them stand apart, since most words are told by the first.
    pub(super) head: u64,
    /// [`flag`]s.
    pub(crate) flags: u32,
    /// Number, month, or mark the word stands for.
    pub(crate) value: u8,
}

/// The words, each at the place that its hash leads to.
pub(super) struct Lexicon {
    pub(super) placing: Placing,
    pub(super) entries: [Entry; PLACES],
    pub(super) tails: [u64; PLACES],
}

/// What a word is found to be.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    /// Its place; 0 when it is not in the lexicon.
    pub(super) code: u16,
    pub(super) flags: u32,
}

/// The letters of a word as a number, in lower case. Zero for a word that is empty or too long.
pub(crate) const fn key_of(word: &[u8]) -> u128 {
    if word.len() > LONGEST {
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
    pub(super) const fn find(&self, key: u128) -> Sought {
        let (head, tail) = (key as u64, (key >> 64) as u64);
        let place = self.placing.of(slot(head, tail));
        let entry = &self.entries[place];
        entry.sought(place, entry.head == head && self.tails[place] == tail)
    }

    /// Finds a word of up to seven letters, which its first eight bytes tell from every other. Without a branch, since no
    /// processor could foresee whether a word is known.
    #[inline]
    pub(super) fn find_short(&self, key: u64) -> Sought {
        let place = self.placing.of(slot(key, 0));
        let Entry { head, flags, .. } = self.entries[place];
        let known = u32::from(head == key).wrapping_neg();
        Sought { code: place as u16 & known as u16, flags: flags & known }
    }
}

impl Entry {
    #[inline]
    const fn sought(&self, place: usize, is_it: bool) -> Sought {
        if is_it { Sought { code: place as u16, flags: self.flags } } else { Sought { code: 0, flags: 0 } }
    }
}

pub(crate) const fn slice(text: &str, from: usize, to: usize) -> &str {
    let (_, tail) = text.split_at(from);
    let (head, _) = tail.split_at(to - from);
    head
}

pub(super) static LEXICON: Lexicon = LEXICON_BUILT;

const LEXICON_BUILT: Lexicon = {
    let mut gathered = Gathered::none();
    let mut at = 0;
    while at < WORDS.len() {
        let group = &WORDS[at];
        let mut word = 0;
        while word < group.words.len() {
            let step = if group.counts { word as u8 } else { 0 };
            gathered.add(group.words[word], group.flags, group.value + step);
            word += 1;
        }
        at += 1;
    }
    at = 0;
    while at < cues::PHRASES.len() {
        let set = cues::PHRASES[at].set;
        let wordy = if set.touches(cues::WORDY) { flag::WORDY } else { 0 };
        let aged = if set.contains(Entity::AGE) { flag::AGED } else { 0 };
        gathered.add_phrase(cues::PHRASES[at].words, flag::CUE | wordy | aged, flag::IN_CUE);
        at += 1;
    }
    at = 0;
    while at < tables::street_types::STREET_TYPES.len() {
        gathered.add(tables::street_types::STREET_TYPES[at], flag::STREET, 0);
        at += 1;
    }
    at = 0;
    while at < tables::profanity::PROFANITY.len() {
        let phrase = tables::profanity::PROFANITY[at];
        if is_one_word(phrase) {
            gathered.add(phrase, flag::PROFANE, 0);
        } else {
            gathered.add_phrase(phrase, flag::PROFANE_HEAD, 0);
        }
        at += 1;
    }
    gathered.placed()
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

/// The place of a word in the lexicon at compile time; 0 when absent.
pub(crate) const fn id_of(word: &str) -> u16 {
    LEXICON_BUILT.find(key_of(word.as_bytes())).code
}

/// The place in the lexicon of the ASCII word at `start..end`; 0 when it is not there.
#[inline]
pub(crate) fn look_up(bytes: &[u8], start: usize, end: usize) -> u16 {
    let length = end - start;
    let key = match bytes[start..].first_chunk::<LONGEST>() {
        Some(chunk) if (1..=LONGEST).contains(&length) => {
            let unused = 8 * (LONGEST - length);
            (u128::from_le_bytes(*chunk) | u128::from_le_bytes([0x20; LONGEST])) << unused >> unused
        }
        _ => key_of(&bytes[start..end]),
    };
    LEXICON.find(key).code
}

/// What an ASCII word is.
pub(super) fn seek(word: &[u8]) -> Sought {
    LEXICON.find(key_of(word))
}

/// The first eight letters of a word as a number, in lower case.
pub(crate) const fn head_of(word: &[u8]) -> u64 {
    key_of(word) as u64
}

/// What is known of the word at a place.
#[inline]
pub(crate) fn entry(place: u16) -> Entry {
    LEXICON.entries[place as usize % PLACES]
}

/// Words of cues that people mistype often, by their first letter.
const MISTYPED: [(&str, u16); 5] = [
    ("password", id_of("password")),
    ("account", id_of("account")),
    ("confirmation", id_of("confirmation")),
    ("number", id_of("number")),
    ("booking", id_of("booking")),
];

/// For each first letter the lengths, one bit each, of words that may be mistyped ones of the list, and the second and
/// the third letter of that one, a bit each as well.
const MISTYPED_LIKE: [(u32, u32); 256] = {
    let mut like = [(0, 0); 256];
    let mut at = 0;
    while at < MISTYPED.len() {
        let word = MISTYPED[at].0.as_bytes();
        let one = (0b111 << (word.len() - 1), letter(word[1]) | letter(word[2]));
        like[word[0] as usize] = one;
        like[word[0] as usize - 32] = one;
        at += 1;
    }
    like
};

/// The bit of an ASCII letter of either case.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 0x1f)
}

/// Whether a word may be a mistyped one of the list, by its first letters and its length: one slip of the finger leaves the
/// second letter or the third near its place. Of lengths that no word has, every 32nd is taken for one.
#[inline]
pub(crate) fn may_be_mistyped(head: u64, length: usize) -> bool {
    let (lengths, letters) = MISTYPED_LIKE[head as u8 as usize];
    let near = letter((head >> 8) as u8) | letter((head >> 16) as u8);
    lengths.wrapping_shr(length as u32) & 1 != 0 && letters & near != 0
}

/// The place of the word that a word not in the lexicon is one slip of the finger away from.
pub(crate) fn mistyped(word: &[u8]) -> u16 {
    let first = word.first().map_or(0, |b| b | 0x20);
    MISTYPED
        .iter()
        .find(|(known, _)| known.as_bytes()[0] == first && is_one_slip(word, known.as_bytes()))
        .map_or(0, |(_, id)| *id)
}

/// One letter more, less, other, or two neighbours swapped.
fn is_one_slip(word: &[u8], known: &[u8]) -> bool {
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    let head = word.iter().zip(known).take_while(|(a, b)| same(a, b)).count();
    let (word, known) = (&word[head..], &known[head..]);
    let tail = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
    match (word, known) {
        ([a, b, rest @ ..], [c, d, other @ ..]) if same(a, d) && same(b, c) && tail(rest, other) => true,
        ([_, rest @ ..], [_, other @ ..]) if tail(rest, other) => true,
        ([_, rest @ ..], known) if tail(rest, known) => true,
        (word, [_, other @ ..]) => tail(word, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_what_it_is() {
        for group in WORDS {
            for word in group.words.iter().filter(|word| word.len() <= LONGEST) {
                let place = look_up(word.as_bytes(), 0, word.len());
                assert!(place != 0 && entry(place).flags & group.flags == group.flags, "{word}");
                assert_eq!(place, look_up(word.to_uppercase().as_bytes(), 0, word.len()));
            }
        }
    }

    #[test]
    fn what_is_no_word_is_not_found() {
        for word in ["", "qzx", "onetwothree", "onex", "incomprehensiblyly"] {
            assert_eq!(look_up(word.as_bytes(), 0, word.len()), 0, "{word}");
        }
    }
}
