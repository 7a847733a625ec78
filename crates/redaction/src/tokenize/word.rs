//! Reading of the words of a text, eight letters at once.
#![expect(clippy::cast_possible_truncation, reason = "bytes are cut out of eight on purpose")]

use super::fold::{self, Folded};
use super::lexicon::{self, LEXICON, Sought};

/// A word as it is read.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) length: usize,
    /// Its place in the lexicon; 0 when it is not there.
    pub(super) code: u16,
    pub(super) flags: u32,
}

/// The same letter stands three times in a row among the first eight.
pub(super) const TRIPLE: u32 = 1;
/// The second letter is a capital.
pub(super) const CAPITALS: u32 = 1 << 1;
/// The length and the first letters are like those of a word that is often mistyped.
pub(super) const DOUBTFUL: u32 = 1 << 2;

/// What is odd about a word at a place of a text that is not in the lexicon.
#[inline]
pub(super) fn oddity(text: &[u8], start: usize, length: usize) -> u32 {
    let head = eight(text, start);
    let lower = head | ONES << 5;
    let letters = if length < 8 { lower & ((1 << (8 * length)) - 1) } else { lower };
    let capitals = length > 1 && ((head >> 8) as u8).is_ascii_uppercase();
    let doubtful = lexicon::may_be_mistyped(head, length);
    let of = |is_so: bool, bit: u32| if is_so { bit } else { 0 };
    of(has_triple(letters), TRIPLE) | of(capitals, CAPITALS) | of(doubtful, DOUBTFUL)
}

/// The place in the lexicon, and the flags, of the word that a doubtful one was meant to be.
#[cold]
pub(super) fn meant(rest: &[u8], length: usize) -> (u16, u32) {
    let code = lexicon::mistyped(&rest[..length]);
    (code, lexicon::entry(code).flags)
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

/// The first byte of eight that is marked by its high bit.
#[inline]
fn first(marked: u64) -> usize {
    (marked.trailing_zeros() / 8) as usize
}

/// The bytes before the first marked one.
#[inline]
fn before(marked: u64, bytes: u64) -> u64 {
    bytes & (((marked & marked.wrapping_neg()) >> 7) - 1)
}

/// Reads the ASCII word at a place of a text. How long it is is not found by a loop, nor by a branch where it has less than
/// eight letters, and whether it is known decides no branch: guessing that wrong would cost more than the work.
#[inline]
pub(super) fn read(text: &[u8], start: usize) -> Read {
    let lower = eight(text, start) | ONES << 5;
    let ends = others(lower);
    let (length, Sought { code, flags }) =
        if ends == 0 { longer(text, start, lower) } else { (first(ends), LEXICON.find_short(before(ends, lower))) };
    Read { length, code, flags }
}

/// The length of a word of eight letters or more, of which the first are given, and what it is.
#[inline(never)]
fn longer(text: &[u8], start: usize, head: u64) -> (usize, Sought) {
    let lower = eight(text, start + 8) | ONES << 5;
    let ends = others(lower);
    if ends == 0 {
        return longest(&text[start..]);
    }
    let key = u128::from(head) | u128::from(before(ends, lower)) << 64;
    (8 + first(ends), LEXICON.find(key))
}

#[cold]
fn longest(rest: &[u8]) -> (usize, Sought) {
    let length = rest.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(rest.len());
    (length, lexicon::seek(&rest[..length]))
}

/// How many ASCII digits stand at a place of a text, up to eight.
#[inline]
pub(super) fn digits(text: &[u8], start: usize) -> usize {
    let values = eight(text, start) ^ (ONES * 0x30);
    let from_ten = (values & !HIGH) + ONES * (0x80 - 10);
    first((from_ten | values) & HIGH)
}

/// The eight bytes at a place of a text, with noughts past its end.
#[inline]
fn eight(text: &[u8], start: usize) -> u64 {
    match text.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => fewer(text, start),
    }
}

#[inline]
fn fewer(text: &[u8], start: usize) -> u64 {
    match text.last_chunk::<8>() {
        Some(chunk) if start < text.len() => u64::from_le_bytes(*chunk) >> (8 * (8 - (text.len() - start))),
        _ => few(text.get(start..).unwrap_or_default()),
    }
}

#[cold]
fn few(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte))
}

/// Whether one of the letters of a word stands three times in a row.
#[inline]
fn has_triple(letters: u64) -> bool {
    let changes = letters ^ letters >> 8;
    let equal = changes.wrapping_sub(ONES) & !changes & HIGH;
    let used = letters >> 16 & ONES << 5;
    equal & equal >> 8 & used << 2 != 0
}

/// The place in the lexicon of a word with other characters than ASCII letters in it.
pub(super) fn folded(word: &str) -> u16 {
    let mut letters = [0; 16];
    let mut length = 0;
    for c in word.chars().take(64) {
        match fold::compact(c) {
            Some(byte) if length < letters.len() => {
                letters[length] = byte;
                length += 1;
            }
            None if !c.is_ascii() && fold::fold(c) == Folded::Nothing => {}
            None if length < letters.len() && fold::base(c).is_some() => {
                letters[length] = fold::base(c).unwrap_or(0);
                length += 1;
            }
            Some(_) | None => return 0,
        }
    }
    lexicon::look_up(&letters[..length], 0, length)
}
