//! Payment card numbers: issuer range and check digit, anywhere in a number run at the borders of its groups.

use super::track;
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::numbers::slice::RunSlice;
use crate::numbers::{MAX_DIGITS, Separator};
use crate::span::DetectionReason;
use crate::tables::card_issuers::{ISSUER_RANGES, IssuerRange, issuer_range};
use crate::validate::number;
use crate::validate::payment::card_number;

/// Digits of a card number.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=19;

/// Maximum degrees, their digits before the point, and the fewest decimals of coordinates.
const MAX_DEGREES: u64 = 180;
const MAX_DEGREE_DIGITS: usize = 3;
const MIN_DEGREE_DECIMALS: usize = 3;

/// Maximum groups of a slice whose windows are few enough to check each one separately.
const MAX_DIRECT_GROUPS: usize = 6;

/// The first card number among the groups of a slice, as groups `from..to` of the run.
pub(crate) fn find(slice: RunSlice<'_, '_>) -> Option<(usize, usize)> {
    if slice.len() < *LENGTHS.start() {
        return None;
    }
    let parts = slice.groups();
    let mut sums = (parts.len() > MAX_DIRECT_GROUPS).then(|| LuhnSums::new(slice.compact()));
    let base = usize::from(parts.first().map_or(0, |p| p.first_digit));
    let group_end = |part: usize| usize::from(parts[part].first_digit) + usize::from(parts[part].digit_count) - base;
    let mut best = None;
    let mut min_to = 0;
    for from in 0..parts.len() {
        let first = usize::from(parts[from].first_digit) - base;
        while min_to < parts.len() && group_end(min_to) < first + LENGTHS.start() {
            min_to += 1;
        }
        if min_to == parts.len() {
            break;
        }
        let lengths = lengths_at(slice.compact(), first);
        if lengths == 0 {
            continue;
        }
        for to in min_to..parts.len() {
            let count = group_end(to) - first;
            if count > *LENGTHS.end() {
                break;
            }
            if lengths >> count & 1 == 0 || sums.as_mut().is_some_and(|sums| !sums.is_luhn(first, first + count)) {
                continue;
            }
            let window = slice.subslice(slice.first_group + from, slice.first_group + to + 1);
            if is_card(window) {
                best = Some((window.first_group, window.end_group));
                if is_same_slice(slice, window) || count >= 15 {
                    return best;
                }
            }
        }
        if best.is_some() {
            return best;
        }
    }
    best
}

/// For each first three digits, the lengths of the issuer's card numbers, one bit each; [`MIXED`] if the lengths depend
/// on the digits after them.
static LENGTHS_BY_PREFIX: [u32; 1000] = {
    let mut by_prefix = [0; 1000];
    let mut at = 0;
    while at < ISSUER_RANGES.len() {
        let range = &ISSUER_RANGES[at];
        let mut prefix = range.low / 1000;
        while prefix <= range.high / 1000 {
            let is_covered = range.low <= prefix * 1000 && prefix * 1000 + 999 <= range.high;
            by_prefix[prefix as usize] = if is_covered { lengths(range) } else { MIXED };
            prefix += 1;
        }
        at += 1;
    }
    by_prefix
};
const MIXED: u32 = u32::MAX;

/// The lengths of an issuer's numbers, one bit each.
const fn lengths(range: &IssuerRange) -> u32 {
    let (mut lengths, mut at) = (0, 0);
    while at < range.lengths.len() {
        lengths |= 1 << range.lengths[at];
        at += 1;
    }
    lengths
}

/// The possible lengths of a card number from digit `first` on, by its first six digits, one bit each; 0 if no issuer
/// has them.
fn lengths_at(ascii: &[u8], first: usize) -> u32 {
    let Some(six) = ascii.get(first..).and_then(<[u8]>::first_chunk::<6>) else { return 0 };
    let value = |digits: &[u8]| digits.iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0'));
    match LENGTHS_BY_PREFIX[value(&six[..3]) as usize] {
        MIXED => issuer_range(value(six)).map_or(0, lengths),
        lengths => lengths,
    }
}

/// Running sums of digits for the Luhn check (ISO/IEC 7812-1), so that any window is checked by one subtraction. The
/// sums are computed only as far as windows need them.
struct LuhnSums<'s> {
    ascii: &'s [u8],
    /// Two sums: with the digits at odd places doubled, and with the digits at even places doubled.
    running: [[u16; 2]; MAX_DIGITS + 1],
    /// Number of digits already summed.
    summed: usize,
}

impl<'s> LuhnSums<'s> {
    fn new(ascii: &'s [u8]) -> Self {
        Self { ascii, running: [[0; 2]; MAX_DIGITS + 1], summed: 0 }
    }

    fn extend_to(&mut self, to: usize) {
        for at in self.summed..to {
            let digit = u16::from(self.ascii[at] - b'0');
            let doubled = if digit > 4 { 2 * digit - 9 } else { 2 * digit };
            let (even, odd) = if at % 2 == 0 { (digit, doubled) } else { (doubled, digit) };
            self.running[at + 1] = [self.running[at][0] + even, self.running[at][1] + odd];
        }
        self.summed = self.summed.max(to);
    }

    fn is_luhn(&mut self, from: usize, to: usize) -> bool {
        if to == 0 || to > self.ascii.len().min(MAX_DIGITS) {
            return false;
        }
        self.extend_to(to);
        let kind = (to + 1) % 2;
        (self.running[to][kind] - self.running[from][kind]).is_multiple_of(10)
    }
}

fn is_same_slice(slice: RunSlice<'_, '_>, window: RunSlice<'_, '_>) -> bool {
    slice.first_group == window.first_group && slice.end_group == window.end_group
}

/// Whether digits are a card number in a usual grouping.
fn is_card(window: RunSlice<'_, '_>) -> bool {
    let grouped =
        window.any_spoken() || window.groups().len() == 1 || window.groups().iter().all(|p| p.digit_count <= 8);
    grouped
        && window.loosest_separator() <= Separator::Break
        && card_number(window.compact())
        && !is_decimal(window)
        && !is_coordinates(window.text())
}

/// Whether digits are the decimals of a number such as "0.4111111111111111".
fn is_decimal(window: RunSlice<'_, '_>) -> bool {
    let parts = window.groups();
    let before = window.token_before();
    parts.len() == 1
        && before.is_mark(b'.')
        && before.gap == crate::tokenize::Gap::None
        && window.tokens.at(window.first_token()).gap == crate::tokenize::Gap::None
        && window.tokens.before(window.first_token().saturating_sub(1)).kind == crate::tokenize::TokenKind::Digits
}

/// Whether a text is coordinates such as "65.5076205, -94.197587": between its commas are only decimal degrees. A window
/// of digits may lack the first degrees and the last decimals.
pub(crate) fn is_coordinates(text: &str) -> bool {
    let parts = || text.split(',').map(|part| part.trim_matches(|c: char| !c.is_ascii_digit()));
    let last = parts().count() - 1;
    let is_partial = |at: usize, part: &str| at == 0 && is_decimals(part) || at == last && is_degrees(part);
    last > 0
        && parts().any(is_decimal_degrees)
        && parts().enumerate().all(|(at, part)| is_decimal_degrees(part) || is_partial(at, part))
}

fn is_decimal_degrees(text: &str) -> bool {
    text.split_once('.').is_some_and(|(degrees, decimals)| is_degrees(degrees) && is_decimals(decimals))
}

/// Whether a text is the digits of degrees before the point.
fn is_degrees(text: &str) -> bool {
    text.len() <= MAX_DEGREE_DIGITS && number(text.as_bytes()).is_some_and(|degrees| degrees <= MAX_DEGREES)
}

/// Whether a text is the digits of degrees after the point.
fn is_decimals(text: &str) -> bool {
    text.len() >= MIN_DEGREE_DECIMALS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reports a card number and the rest of its track. The last four digits of a number of 12 digits or more stay
/// readable.
pub(crate) fn push(slice: RunSlice<'_, '_>, reason: DetectionReason, out: &mut Candidates) {
    let visible_from = if slice.len() >= 12 { slice.last_four_start() } else { slice.end() };
    out.push(Candidate {
        start: slice.start(),
        end: slice.end(),
        visible_from,
        entity: Entity::CREDIT_CARD_NUMBER,
        reason,
        evidence: EvidenceRank::PaymentCard,
    });
    if let Some((start, end)) = track::track_data(slice.tokens, slice.end_token()) {
        out.push_fully_masked(
            start,
            end,
            Entity::CREDIT_CARD_NUMBER,
            DetectionReason::Shape,
            EvidenceRank::PaymentCard,
        );
    }
}
