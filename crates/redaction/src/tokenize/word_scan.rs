//! Scanning of words and digits, eight bytes at a time.
#![expect(clippy::cast_possible_truncation, reason = "single bytes are extracted from eight on purpose")]

use super::fold::{self, FoldedChar};
use super::lexicon::{self, LEXICON};
use super::lexicon_table::LexiconMatch;

/// A word with its lexicon entry.
#[derive(Clone, Copy)]
pub(super) struct ScannedWord {
    pub(super) length: usize,
    /// Slot of the word in the lexicon; 0 if the lexicon does not have it.
    pub(super) code: u16,
    pub(super) flags: u32,
}

/// Trait: the first eight letters may contain the same letter three times in a row: see [`has_triple`].
pub(super) const TRIPLE_LETTER: u32 = 1;
/// Trait: the second letter is a capital.
pub(super) const SECOND_CAPITAL: u32 = 1 << 1;
/// Trait: by its length and first letters, the word may be a typing error.
pub(super) const MAYBE_TYPO: u32 = 1 << 2;

/// The traits of a word outside the lexicon.
#[inline]
pub(super) fn word_traits(text: &[u8], start: usize, length: usize) -> u32 {
    let head = load_eight(text, start);
    let lower = head | ONES << 5;
    let letters = if length < 8 { lower & ((1 << (8 * length)) - 1) } else { lower };
    let capitals = length > 1 && ((head >> 8) as u8).is_ascii_uppercase();
    let typo = lexicon::may_be_typo(head, length);
    let bit_if = |condition: bool, bit: u32| if condition { bit } else { 0 };
    bit_if(has_triple(letters), TRIPLE_LETTER) | bit_if(capitals, SECOND_CAPITAL) | bit_if(typo, MAYBE_TYPO)
}

/// The lexicon slot and flags of the intended word, for a possible typing error.
#[cold]
pub(super) fn intended_word(rest: &[u8], length: usize) -> (u16, u32) {
    let code = lexicon::correct_typo(&rest[..length]);
    (code, lexicon::entry(code).flags)
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// The high bit of each byte that is not an ASCII letter. Bit 5 of every byte must be set.
#[inline]
fn non_letters(lower: u64) -> u64 {
    let low = lower & !HIGH;
    let from_a = low + ONES * (0x80 - 0x61);
    let past_z = low + ONES * (0x7f - 0x7a);
    !(from_a & !past_z & !lower) & HIGH
}

/// Index of the first of eight bytes whose high bit is set; 8 if none is.
#[inline]
fn first_marked(marked: u64) -> usize {
    (marked.trailing_zeros() / 8) as usize
}

/// The bytes before the first marked one. At least one byte must be marked.
#[inline]
fn bytes_before(marked: u64, bytes: u64) -> u64 {
    bytes & (((marked & marked.wrapping_neg()) >> 7) - 1)
}

/// Scans the ASCII word at an offset of a text. Branch-free for words under eight letters: a mispredicted branch costs
/// more than the work.
#[inline]
pub(super) fn scan_word(text: &[u8], start: usize) -> ScannedWord {
    let lower = load_eight(text, start) | ONES << 5;
    let ends = non_letters(lower);
    let (length, LexiconMatch { code, flags }) = if ends == 0 {
        scan_long(text, start, lower)
    } else {
        (first_marked(ends), LEXICON.find_short(bytes_before(ends, lower)))
    };
    ScannedWord { length, code, flags }
}

/// The length and the lexicon entry of a word of eight letters or more. `head` holds the first eight.
#[inline(never)]
fn scan_long(text: &[u8], start: usize, head: u64) -> (usize, LexiconMatch) {
    let lower = load_eight(text, start + 8) | ONES << 5;
    let ends = non_letters(lower);
    if ends == 0 {
        return scan_very_long(&text[start..]);
    }
    let key = u128::from(head) | u128::from(bytes_before(ends, lower)) << 64;
    (8 + first_marked(ends), LEXICON.find(key))
}

#[cold]
fn scan_very_long(rest: &[u8]) -> (usize, LexiconMatch) {
    let length = rest.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(rest.len());
    (length, lexicon::find_word(without_double_s(&rest[..length])))
}

/// German number words have at most sixteen letters, as the keys of the lexicon do, but for "siebenunddreissig".
fn without_double_s(word: &[u8]) -> &[u8] {
    if word.eq_ignore_ascii_case(b"siebenunddreissig") { THIRTY_SEVEN } else { word }
}

/// The German word for 37 as the lexicon has it.
const THIRTY_SEVEN: &[u8] = b"siebenunddreisig";

/// Number of ASCII digits at an offset of a text, up to eight.
#[inline]
pub(super) fn count_digits(text: &[u8], start: usize) -> usize {
    let values = load_eight(text, start) ^ (ONES * 0x30);
    let from_ten = (values & !HIGH) + ONES * (0x80 - 10);
    first_marked((from_ten | values) & HIGH)
}

/// The eight bytes at an offset of a text, padded with zeros past its end.
#[inline]
fn load_eight(text: &[u8], start: usize) -> u64 {
    match text.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => load_tail(text, start),
    }
}

/// The sixteen bytes at an offset of a text, padded with zeros past its end.
#[inline]
pub(crate) fn load_sixteen(text: &[u8], start: usize) -> u128 {
    match text.get(start..).and_then(<[u8]>::first_chunk::<16>) {
        Some(chunk) => u128::from_le_bytes(*chunk),
        None => u128::from(load_eight(text, start)) | u128::from(load_eight(text, start + 8)) << 64,
    }
}

#[inline]
fn load_tail(text: &[u8], start: usize) -> u64 {
    match text.last_chunk::<8>() {
        Some(chunk) if start < text.len() => u64::from_le_bytes(*chunk) >> (8 * (8 - (text.len() - start))),
        _ => load_short_text(text.get(start..).unwrap_or_default()),
    }
}

#[cold]
fn load_short_text(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte))
}

/// Whether the letters may contain the same letter three times in a row. Never false if they do. Also true for some words
/// with a doubled letter, such as "moon": a borrow of the subtraction spills into the next byte. The word is checked again
/// by the detector. Bit 5 of each letter must be set, and bytes past the word must be 0.
#[inline]
fn has_triple(letters: u64) -> bool {
    let changes = letters ^ letters >> 8;
    let equal = changes.wrapping_sub(ONES) & !changes & HIGH;
    let used = letters >> 16 & ONES << 5;
    equal & equal >> 8 & used << 2 != 0
}

/// The lexicon slot of a word with characters other than ASCII letters; 0 if the lexicon does not have it.
pub(super) fn find_folded(word: &str) -> u16 {
    let mut letters = [0; 16];
    let mut length = 0;
    if word.eq_ignore_ascii_case("siebenunddreißig") {
        return lexicon::look_up(THIRTY_SEVEN, 0, THIRTY_SEVEN.len());
    }
    for c in word.chars().take(64) {
        match fold::to_compact_ascii(c) {
            Some(byte) if length < letters.len() => {
                letters[length] = byte;
                length += 1;
            }
            None if !c.is_ascii() && fold::fold(c) == FoldedChar::Ignorable => {}
            None if c == 'ß' && length + 2 <= letters.len() => {
                letters[length..length + 2].copy_from_slice(b"ss");
                length += 2;
            }
            None if length < letters.len() && fold::strip_accent(c).is_some() => {
                letters[length] = fold::strip_accent(c).unwrap_or(0);
                length += 1;
            }
            Some(_) | None => return 0,
        }
    }
    lexicon::look_up(&letters[..length], 0, length)
}
