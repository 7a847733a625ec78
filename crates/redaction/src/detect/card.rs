//! Payment card numbers: issuer range and check digit, anywhere in a number run at the borders of its groups.

use super::track;
use crate::candidate::{Candidate, Candidates, Proof};
use crate::entity::Entity;
use crate::numbers::slice::Slice;
use crate::numbers::{Joint, MOST_DIGITS};
use crate::span::Reason;
use crate::tables::card_issuers::{ISSUER_RANGES, IssuerRange, issuer_range};
use crate::validate::payment::card_number;

/// Digits of a card number.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=19;

/// Groups of a slice at most whose windows are so few that each is checked by itself.
const FEW: usize = 6;

/// The first card number among the groups of a slice, as groups `from..to` of the run.
pub(crate) fn find(slice: Slice<'_, '_>) -> Option<(usize, usize)> {
    if slice.len() < *LENGTHS.start() {
        return None;
    }
    let parts = slice.parts();
    let mut sums = (parts.len() > FEW).then(|| Sums::of(slice.compact()));
    let base = usize::from(parts.first().map_or(0, |p| p.first));
    let end = |part: usize| usize::from(parts[part].first) + usize::from(parts[part].count) - base;
    let mut best = None;
    let mut near = 0;
    for from in 0..parts.len() {
        let first = usize::from(parts[from].first) - base;
        while near < parts.len() && end(near) < first + LENGTHS.start() {
            near += 1;
        }
        if near == parts.len() {
            break;
        }
        let lengths = lengths_at(slice.compact(), first);
        if lengths == 0 {
            continue;
        }
        for to in near..parts.len() {
            let count = end(to) - first;
            if count > *LENGTHS.end() {
                break;
            }
            if lengths >> count & 1 == 0 || sums.as_mut().is_some_and(|sums| !sums.is_luhn(first, first + count)) {
                continue;
            }
            let window = slice.sub(slice.from + from, slice.from + to + 1);
            if is_card(window) {
                best = Some((window.from, window.to));
                if whole(slice, window) || count >= 15 {
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

/// For each first three digits the lengths of the numbers that an issuer's numbers with them have, one bit each; [`UNLIKE`]
/// where that depends on the digits after them.
static BY_THREE: [u32; 1000] = {
    let mut by_three = [0; 1000];
    let mut at = 0;
    while at < ISSUER_RANGES.len() {
        let range = &ISSUER_RANGES[at];
        let mut three = range.low / 1000;
        while three <= range.high / 1000 {
            let whole = range.low <= three * 1000 && three * 1000 + 999 <= range.high;
            by_three[three as usize] = if whole { lengths(range) } else { UNLIKE };
            three += 1;
        }
        at += 1;
    }
    by_three
};
const UNLIKE: u32 = u32::MAX;

/// The lengths of an issuer's numbers, one bit each.
const fn lengths(range: &IssuerRange) -> u32 {
    let (mut lengths, mut at) = (0, 0);
    while at < range.lengths.len() {
        lengths |= 1 << range.lengths[at];
        at += 1;
    }
    lengths
}

/// The lengths of the numbers that the first six digits at a place begin, one bit each; none where no issuer has them.
fn lengths_at(ascii: &[u8], first: usize) -> u32 {
    let Some(six) = ascii.get(first..).and_then(<[u8]>::first_chunk::<6>) else { return 0 };
    let value = |digits: &[u8]| digits.iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0'));
    match BY_THREE[value(&six[..3]) as usize] {
        UNLIKE => issuer_range(value(six)).map_or(0, lengths),
        alike => alike,
    }
}

/// Running sums of the digits as the Luhn check (ISO/IEC 7812-1) counts them, so that any window is checked by one
/// subtraction. They are made as far as windows reach.
struct Sums<'s> {
    ascii: &'s [u8],
    /// Digits at even places as they are, at odd places doubled; and the other way round.
    running: [[u16; 2]; MOST_DIGITS + 1],
    /// Digits that are summed.
    summed: usize,
}

impl<'s> Sums<'s> {
    fn of(ascii: &'s [u8]) -> Self {
        Self { ascii, running: [[0; 2]; MOST_DIGITS + 1], summed: 0 }
    }

    fn sum(&mut self, to: usize) {
        for at in self.summed..to {
            let digit = u16::from(self.ascii[at] - b'0');
            let doubled = if digit > 4 { 2 * digit - 9 } else { 2 * digit };
            let (even, odd) = if at % 2 == 0 { (digit, doubled) } else { (doubled, digit) };
            self.running[at + 1] = [self.running[at][0] + even, self.running[at][1] + odd];
        }
        self.summed = self.summed.max(to);
    }

    fn is_luhn(&mut self, from: usize, to: usize) -> bool {
        if to == 0 || to > self.ascii.len().min(MOST_DIGITS) {
            return false;
        }
        self.sum(to);
        let kind = (to + 1) % 2;
        (self.running[to][kind] - self.running[from][kind]).is_multiple_of(10)
    }
}

fn whole(slice: Slice<'_, '_>, window: Slice<'_, '_>) -> bool {
    slice.from == window.from && slice.to == window.to
}

/// Whether digits are a card number and grouped as people group one.
fn is_card(window: Slice<'_, '_>) -> bool {
    let grouped = window.spoken() || window.parts().len() == 1 || window.parts().iter().all(|p| p.count <= 8);
    grouped
        && window.loosest() <= Joint::Break
        && card_number(window.compact())
        && !is_decimal(window)
        && !is_place(window)
}

/// "0.4111111111111111" is no card.
fn is_decimal(window: Slice<'_, '_>) -> bool {
    let parts = window.parts();
    let before = window.before();
    parts.len() == 1
        && before.is_mark(b'.')
        && before.gap == crate::tokenize::Gap::None
        && window.tokens.at(window.token()).gap == crate::tokenize::Gap::None
        && window.tokens.before(window.token().saturating_sub(1)).kind == crate::tokenize::Kind::Digits
}

/// "65.5076205, -94.197587" is a place: degrees have three digits before their point at most.
fn is_place(window: Slice<'_, '_>) -> bool {
    let raw = window.raw().as_bytes();
    let is_point = |at: usize| {
        let degrees = raw[..at].iter().rev().take_while(|b| b.is_ascii_digit()).count();
        raw[at] == b'.' && (1..=3).contains(&degrees) && raw.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    raw.contains(&b',') && (0..raw.len()).any(is_point)
}

/// Hands a card number over, with the rest of its track; its last four digits stay readable where it is long enough.
pub(crate) fn push(slice: Slice<'_, '_>, reason: Reason, out: &mut Candidates) {
    let shown_from = if slice.len() >= 12 { slice.last_four() } else { slice.end() };
    out.push(Candidate {
        start: slice.start(),
        end: slice.end(),
        shown_from,
        entity: Entity::CREDIT_CARD_NUMBER,
        reason,
        proof: Proof::Card,
    });
    if let Some((start, end)) = track::rest(slice.tokens, slice.after()) {
        out.whole(start, end, Entity::CREDIT_CARD_NUMBER, Reason::Shape, Proof::Card);
    }
}
