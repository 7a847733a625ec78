//! The check of a window of digits: an issuer's prefix with a length of the issuer, and a right Luhn digit.

use super::reader::{FloorDigit, UNKNOWN};
use crate::tables::card_issuers::ISSUER_RANGES;
use crate::validate::check_digit::luhn;
use crate::validate::one_byte_repeated;
use std::mem;
use std::ops::RangeInclusive;

/// Digits of a card number.
pub(super) const CARD_DIGITS: RangeInclusive<usize> = 13..=19;
/// Digits of an issuer's prefix.
const PREFIX_DIGITS: usize = 6;
/// Maximum digits of a window, those counted that a mask may or may not have.
const MAX_WINDOW_DIGITS: usize = 256;
/// Digits of a masked card number that stay readable.
pub(super) const VISIBLE_DIGITS: usize = 4;

/// Calls `found` with the end of each window of digits from `first` on that is a card number. A window begins and ends at
/// the border of a group.
pub(super) fn for_each_card(digits: &[FloorDigit], first: usize, mut found: impl FnMut(usize)) {
    let is_border = |at: usize| digits.get(at).is_none_or(|digit| digit.starts_group);
    let is_long = |rest: &&[FloorDigit]| rest.len() >= *CARD_DIGITS.start();
    let Some(window) = digits.get(first..).filter(is_long).filter(|_| is_border(first)) else {
        return;
    };
    if window[..*CARD_DIGITS.start()].iter().any(|digit| digit.value == UNKNOWN) {
        return;
    }
    let lengths = issuer_lengths(&window[..PREFIX_DIGITS]);
    for length in CARD_DIGITS.filter(|length| lengths >> length & 1 == 1) {
        if is_border(first + length) && window.get(..length).is_some_and(is_luhn) {
            found(first + length);
        }
    }
}

/// Whether digits are a card number: an issuer's prefix, one of its lengths, and a right Luhn digit.
pub(super) fn is_card_number(digits: &[FloorDigit]) -> bool {
    let known = digits.get(..PREFIX_DIGITS).filter(|prefix| prefix.iter().all(|digit| digit.value != UNKNOWN));
    known.is_some_and(|prefix| issuer_lengths(prefix) >> digits.len() & 1 == 1) && is_luhn(digits)
}

/// The lengths of the numbers of all issuers whose prefix begins with these digits, one bit each.
fn issuer_lengths(prefix: &[FloorDigit]) -> u32 {
    let with_others_as = |other: u32| {
        let known = prefix.iter().map(|digit| u32::from(digit.value));
        known.chain(std::iter::repeat(other)).take(PREFIX_DIGITS).fold(0, |number, digit| number * 10 + digit)
    };
    let (lowest, highest) = (with_others_as(0), with_others_as(9));
    let first = ISSUER_RANGES.partition_point(|range| range.high < lowest);
    let ranges = ISSUER_RANGES[first..].iter().take_while(|range| range.low <= highest);
    ranges.flat_map(|range| range.lengths).fold(0, |lengths, length| lengths | 1 << length)
}

/// Whether the Luhn digit is right. Equal digits are no number.
fn is_luhn(digits: &[FloorDigit]) -> bool {
    let mut ascii = [0; *CARD_DIGITS.end()];
    for (slot, digit) in ascii.iter_mut().zip(digits) {
        if digit.value == UNKNOWN {
            return false;
        }
        *slot = b'0' + digit.value;
    }
    ascii.get(..digits.len()).is_some_and(|ascii| luhn(ascii) && !one_byte_repeated(ascii))
}

/// Calls `found` with the end of each window of digits from `first` on that can be a card number because of its unknown
/// digits. One unknown digit is enough for a right Luhn digit.
pub(super) fn for_each_masked_card(digits: &[FloorDigit], first: usize, mut found: impl FnMut(usize)) {
    if !digits.get(first).is_some_and(|digit| digit.starts_group) {
        return;
    }
    let window = &digits[first..longest_end(digits, first)];
    let known = window.iter().take_while(|digit| digit.value != UNKNOWN).count();
    let lengths = issuer_lengths(&window[..known.min(PREFIX_DIGITS)]);
    let (mut fewest, mut most) = (0, 0);
    for (at, digit) in window.iter().enumerate() {
        fewest += usize::from(!digit.is_optional);
        most += 1;
        let is_border = digits.get(first + at + 1).is_none_or(|next| next.starts_group);
        let has_length = |length: usize| lengths >> length & 1 == 1 && (fewest..=most).contains(&length);
        if at >= known && is_border && CARD_DIGITS.clone().any(has_length) {
            found(first + at + 1);
        }
    }
}

/// The end of the longest card number that may begin at the digit `first`.
fn longest_end(digits: &[FloorDigit], first: usize) -> usize {
    first + count_longest(digits[first..].iter())
}

/// The first digit of the longest card number that may end before the digit `end`.
pub(super) fn longest_start(digits: &[FloorDigit], end: usize) -> usize {
    end - count_longest(digits[..end].iter().rev())
}

/// How many of these digits fit into the longest card number. Optional digits do not count, so that masks of unknown
/// width fit. The bound keeps the time linear in the number of digits.
fn count_longest<'digits>(digits: impl Iterator<Item = &'digits FloorDigit>) -> usize {
    let mut counted = 0;
    let fits = |digit: &&FloorDigit| {
        counted += usize::from(!digit.is_optional);
        counted <= *CARD_DIGITS.end()
    };
    digits.take(MAX_WINDOW_DIGITS).take_while(fits).count()
}

/// The first of the last four digits. A word or symbol of two digits is never readable in part.
pub(super) fn first_visible(digits: &[FloorDigit]) -> usize {
    let shares_text = |at: usize| {
        let (Some(before), Some(digit)) = (at.checked_sub(1).and_then(|at| digits.get(at)), digits.get(at)) else {
            return false;
        };
        before.message == digit.message && digit.start < before.end
    };
    let first = digits.len().saturating_sub(VISIBLE_DIGITS);
    (first..digits.len()).find(|at| !shares_text(*at)).unwrap_or(digits.len())
}

/// The ranges that hide the first `hidden` of these digits of one text: start, end, and the first byte that stays
/// readable. The words between the digits stay readable.
pub(super) fn hidden_ranges(digits: &[FloorDigit], hidden: usize) -> impl Iterator<Item = (u32, u32, u32)> {
    let pieces = digits.chunk_by(|_, next| !next.follows_word);
    let with_starts = pieces.scan(0, |next, piece| {
        let first = mem::replace(next, *next + piece.len());
        Some((first, piece))
    });
    with_starts.take_while(move |(first, _)| *first < hidden).filter_map(move |(first, piece)| {
        let (head, tail) = (piece.first()?, piece.last()?);
        Some((head.start, tail.end, piece.get(hidden - first).map_or(tail.end, |digit| digit.start)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(count: usize, is_optional: bool) -> Vec<FloorDigit> {
        let digit = |at: usize| FloorDigit {
            value: UNKNOWN,
            start: u32::try_from(at).unwrap(),
            end: u32::try_from(at + 1).unwrap(),
            message: 0,
            starts_group: true,
            follows_word: false,
            is_optional,
        };
        (0..count).map(digit).collect()
    }

    #[test]
    fn a_window_is_short_however_many_digits_there_are() {
        let (counted, optional) = (digits(1_000, false), digits(1_000, true));
        assert_eq!((longest_end(&counted, 100), longest_start(&counted, 500)), (119, 481));
        assert_eq!((longest_end(&optional, 100), longest_start(&optional, 500)), (356, 244));
    }

    #[test]
    fn each_digit_begins_a_bounded_number_of_windows() {
        let digits = digits(1_000, false);
        let mut windows = 0;
        for_each_masked_card(&digits, 0, |_| windows += 1);
        assert!(windows <= *CARD_DIGITS.end(), "{windows}");
    }
}
