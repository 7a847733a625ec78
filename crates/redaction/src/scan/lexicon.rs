//! The words the engine knows, in one table built by the compiler: a word is found by one hash and one comparison.
#![expect(clippy::cast_possible_truncation, reason = "keys are cut on purpose, places fit by the size of the table")]

use super::words::{WORDS, flag};
use crate::cue;
use crate::entity::Entity;
use crate::table;

/// A word is known by its first letters, at most this many, in lower case.
const LONGEST: usize = 16;
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 14;
const MOST: usize = 4096;

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// [`flag`]s.
    pub(crate) flags: u32,
    /// Number, month, or mark the word stands for.
    pub(crate) value: u8,
}

struct Lexicon {
    slots: [u16; SLOTS],
    /// First eight letters of each word, and the eight after them: most words are told by the first, which are kept close
    /// together.
    heads: [u64; MOST],
    tails: [u64; MOST],
    flags: [u32; MOST],
    values: [u8; MOST],
    count: usize,
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

const fn slot_of(key: u128) -> usize {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed = (low ^ high.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (64 - SLOT_BITS)) as usize
}

impl Lexicon {
    #[inline]
    const fn find(&self, key: u128) -> u16 {
        let mut slot = slot_of(key);
        loop {
            let id = self.slots[slot];
            let at = id as usize % MOST;
            let here = self.heads[at] == key as u64 && self.tails[at] == (key >> 64) as u64;
            if here || id == 0 {
                return if here { id } else { 0 };
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The place of a word of up to seven letters, which its first eight bytes tell from every other.
    #[inline]
    fn find_short(&self, key: u64) -> u16 {
        let mut slot = slot_of(u128::from(key));
        loop {
            let id = self.slots[slot];
            let here = self.heads[id as usize % MOST] == key;
            if here || id == 0 {
                return if here { id } else { 0 };
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    const fn add(&mut self, word: &str, flags: u32, value: u8) {
        let key = key_of(word.as_bytes());
        if key == 0 {
            return;
        }
        let mut id = self.find(key) as usize;
        if id == 0 {
            self.count += 1;
            id = self.count;
            self.heads[id] = key as u64;
            self.tails[id] = (key >> 64) as u64;
            let mut slot = slot_of(key);
            while self.slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            self.slots[slot] = id as u16;
        }
        self.flags[id] |= flags;
        if value != 0 {
            self.values[id] = value;
        }
    }

    /// Adds each word of a phrase; the first gets other flags than the rest.
    const fn add_phrase(&mut self, phrase: &str, first: u32, rest: u32) {
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
}

pub(crate) const fn slice(text: &str, from: usize, to: usize) -> &str {
    let (_, tail) = text.split_at(from);
    let (head, _) = tail.split_at(to - from);
    head
}

static LEXICON: Lexicon = LEXICON_BUILT;

const LEXICON_BUILT: Lexicon = {
    let mut lexicon = Lexicon {
        slots: [0; SLOTS],
        heads: [0; MOST],
        tails: [0; MOST],
        flags: [0; MOST],
        values: [0; MOST],
        count: 0,
    };
    let mut at = 0;
    while at < WORDS.len() {
        let group = &WORDS[at];
        let mut word = 0;
        while word < group.words.len() {
            let step = if group.counts { word as u8 } else { 0 };
            lexicon.add(group.words[word], group.flags, group.value + step);
            word += 1;
        }
        at += 1;
    }
    at = 0;
    while at < cue::PHRASES.len() {
        let set = cue::PHRASES[at].set;
        let wordy = if set.touches(cue::WORDY) { flag::WORDY } else { 0 };
        let aged = if set.contains(Entity::AGE) { flag::AGED } else { 0 };
        lexicon.add_phrase(cue::PHRASES[at].words, flag::CUE | wordy | aged, flag::IN_CUE);
        at += 1;
    }
    at = 0;
    while at < table::street_types::STREET_TYPES.len() {
        lexicon.add(table::street_types::STREET_TYPES[at], flag::STREET, 0);
        at += 1;
    }
    at = 0;
    while at < table::profanity::PROFANITY.len() {
        let phrase = table::profanity::PROFANITY[at];
        if is_one_word(phrase) {
            lexicon.add(phrase, flag::PROFANE, 0);
        } else {
            lexicon.add_phrase(phrase, flag::PROFANE_HEAD, 0);
        }
        at += 1;
    }
    lexicon
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
    LEXICON_BUILT.find(key_of(word.as_bytes()))
}

/// How many places there are.
pub(crate) const PLACES: usize = MOST;

const MASKS: [u128; LONGEST + 1] = {
    let mut masks = [0u128; LONGEST + 1];
    let mut at = 1;
    while at <= LONGEST {
        masks[at] = if at == LONGEST { u128::MAX } else { (1 << (8 * at)) - 1 };
        at += 1;
    }
    masks
};

/// A word as it is read.
#[derive(Clone, Copy)]
pub(crate) struct Read {
    pub(crate) end: usize,
    /// Its place in the lexicon; 0 when it is not there.
    pub(crate) code: u16,
    pub(crate) flags: u32,
    /// The same letter three times among the first eight, in a word that is not in the lexicon.
    pub(crate) triple: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// The high bit of each byte that is no ASCII letter; the bytes must have their bit 5 set.
#[inline]
fn others(lower: u64) -> u64 {
    let low = lower & !HIGH;
    let from_a = low + ONES * (0x80 - 0x61);
    let past_z = low + ONES * (0x7f - 0x7a);
    !(from_a & !past_z & !lower) & HIGH
}

/// Reads the ASCII word that begins at a byte. Words of up to seven letters, which most are, and of up to fifteen take no
/// loop and no branch that depends on their length: guessing it wrong would cost more than the work.
#[inline]
pub(crate) fn read_word(bytes: &[u8], start: usize) -> Read {
    let Some(chunk) = bytes.get(start..).and_then(|rest| rest.first_chunk::<8>()) else {
        return read_longer_word(bytes, start);
    };
    let lower = u64::from_le_bytes(*chunk) | ONES << 5;
    let ends = others(lower);
    if ends == 0 {
        return read_longer_word(bytes, start);
    }
    let key = lower & (((ends & ends.wrapping_neg()) >> 7) - 1);
    let code = LEXICON.find_short(key);
    Read {
        end: start + (ends.trailing_zeros() / 8) as usize,
        code,
        flags: LEXICON.flags[code as usize % MOST],
        triple: code == 0 && has_triple(key),
    }
}

#[inline(never)]
fn read_longer_word(bytes: &[u8], start: usize) -> Read {
    let lower = sixteen(bytes, start) | u128::from_le_bytes([0x20; 16]);
    let (first, second) = (others(lower as u64), others((lower >> 64) as u64));
    let length = if first == 0 { 8 + second.trailing_zeros() / 8 } else { first.trailing_zeros() / 8 } as usize;
    if length < LONGEST {
        let key = lower & MASKS[length];
        let code = LEXICON.find(key);
        return Read {
            end: start + length,
            code,
            flags: LEXICON.flags[code as usize % MOST],
            triple: code == 0 && has_triple(key as u64),
        };
    }
    read_long_word(bytes, start)
}

/// Sixteen bytes from a place, with noughts past the end of the text.
#[inline]
fn sixteen(bytes: &[u8], start: usize) -> u128 {
    let rest = &bytes[start..];
    if let Some(chunk) = rest.first_chunk::<16>() {
        return u128::from_le_bytes(*chunk);
    }
    if let Some(chunk) = bytes.last_chunk::<16>() {
        return u128::from_le_bytes(*chunk) >> (8 * (16 - rest.len()));
    }
    rest.iter().rev().fold(0, |key, byte| key << 8 | u128::from(*byte))
}

#[inline(never)]
fn read_long_word(bytes: &[u8], start: usize) -> Read {
    let end = bytes[start..].iter().position(|b| !b.is_ascii_alphabetic()).map_or(bytes.len(), |n| start + n);
    let code = look_up(bytes, start, end);
    let head = key_of(&bytes[start..end.min(start + 8)]) as u64;
    Read { end, code, flags: entry(code).flags, triple: code == 0 && has_triple(head) }
}

/// Whether one of the letters of a word stands three times in a row.
#[inline]
fn has_triple(letters: u64) -> bool {
    let changes = letters ^ letters >> 8;
    let equal = changes.wrapping_sub(ONES) & !changes & HIGH;
    let used = letters >> 16 & ONES << 5;
    equal & equal >> 8 & used << 2 != 0
}

/// The place in the lexicon of the ASCII word at `start..end`; 0 when it is not there.
#[inline]
pub(crate) fn look_up(bytes: &[u8], start: usize, end: usize) -> u16 {
    let length = end - start;
    if length > LONGEST {
        return 0;
    }
    let key = match bytes[start..].first_chunk::<LONGEST>() {
        Some(chunk) => (u128::from_le_bytes(*chunk) | u128::from_le_bytes([0x20; LONGEST])) & MASKS[length],
        None => key_of(&bytes[start..end]),
    };
    LEXICON.find(key)
}

/// What is known of the word at a place.
#[inline]
pub(crate) fn entry(place: u16) -> Entry {
    let at = place as usize % MOST;
    Entry { flags: LEXICON.flags[at], value: LEXICON.values[at] }
}

/// Words of cues that people mistype often, by their first letter.
const MISTYPED: [(&str, u16); 5] = [
    ("password", id_of("password")),
    ("account", id_of("account")),
    ("confirmation", id_of("confirmation")),
    ("number", id_of("number")),
    ("booking", id_of("booking")),
];

/// For each first letter the lengths, one bit each, of words that may be mistyped ones of the list.
const MISTYPED_LENGTHS: [u16; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < MISTYPED.len() {
        let word = MISTYPED[at].0.as_bytes();
        let three = 0b111 << (word.len() - 1);
        lengths[word[0] as usize] |= three;
        lengths[word[0] as usize - 32] |= three;
        at += 1;
    }
    lengths
};

/// Whether a word may be a mistyped one of the list, by its first letter and length.
#[inline]
pub(crate) fn may_be_mistyped(first: u8, length: usize) -> bool {
    MISTYPED_LENGTHS[first as usize] >> length.min(15) & 1 != 0
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
