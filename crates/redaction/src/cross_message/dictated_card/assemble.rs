//! Assembles a card number from consecutive pieces.

use super::piece::Piece;
use crate::tokenize::work::count_step;
use crate::validate::payment::{card_issuer, card_number};
use std::cell::Cell;

/// Digits of a card number.
const LENGTHS: std::ops::RangeInclusive<usize> = 13..=19;
/// Digits of a card number whose check digit is not tested.
pub(super) const UNCHECKED_LENGTHS: std::ops::RangeInclusive<usize> = 14..=16;
/// Digits of an issuer's prefix.
const PREFIX_DIGITS: usize = 6;
/// Maximum digits that one correction replaces.
const MAX_REPLACED_DIGITS: usize = 8;
/// Minimum digits of a message that repeats earlier digits.
const MIN_REPEATED_DIGITS: usize = 3;
/// Minimum pieces of a number, and maximum.
const MIN_PIECES: usize = 2;
pub(super) const MAX_PIECES: usize = 12;

/// A card number among the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assembled {
    /// The first piece.
    pub(super) first: usize,
    /// The last piece and the digit after the last in it.
    pub(super) end: (usize, usize),
}

/// The search for a card number.
pub(super) struct Search<'p> {
    pub(super) pieces: &'p [Piece],
    /// The number must end in a piece from here on.
    pub(super) min_last: usize,
    /// Whether an earlier message names a card, so that a number without a right check digit counts.
    pub(super) is_named: bool,
    /// Whether a number without a right check digit may count at all: no message asks for something else.
    pub(super) may_be_unchecked: bool,
    /// The number of joins that may still be tried: each correction of a number multiplies the ways to read it.
    pub(super) joins_left: Cell<u32>,
}

/// Joins of a piece to the digits before it that one search tries.
pub(super) const MAX_JOINS: u32 = 4_000;

/// What is known of the pieces of a number so far.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
struct State {
    /// The first piece.
    first: usize,
    /// Whether the check digit must be right.
    is_checked: bool,
    is_named: bool,
    is_corrected: bool,
    /// Whether the number must end with a piece.
    is_whole: bool,
    /// Whether a piece is loose.
    is_loose: bool,
}

impl Search<'_> {
    /// The first card number that is made of two or more pieces. A number with a right check digit comes first, then one
    /// that ends within a piece.
    pub(super) fn find(&self) -> Option<Assembled> {
        let digits: usize = self.pieces.iter().map(|piece| piece.digits.len()).sum();
        if self.pieces.len() < MIN_PIECES || digits < *LENGTHS.start() {
            return None;
        }
        let find = |state: State| {
            (0..self.pieces.len()).find_map(|piece| {
                let digits: Vec<u8> = self.pieces.get(piece)?.ascii().collect();
                if !has_issuer(&digits) {
                    return None;
                }
                let is_named = self.is_named || self.pieces.get(piece)?.is_named;
                self.continue_from(piece, &digits, State { first: piece, is_named, ..state })
                    .map(|end| Assembled { first: piece, end })
            })
        };
        let whole = State { is_checked: true, is_whole: true, ..State::default() };
        let unchecked = || find(State { is_checked: false, ..whole });
        find(whole).or_else(|| find(State { is_whole: false, ..whole })).or_else(unchecked)
    }

    /// The end of a number whose digits up to the piece `last` are `digits`.
    fn continue_from(&self, last: usize, digits: &[u8], state: State) -> Option<(usize, usize)> {
        let at = last + 1;
        let next = self.pieces.get(at)?;
        if next.is_apart || digits.len() > *LENGTHS.end() + MAX_REPLACED_DIGITS || at > state.first + MAX_PIECES {
            return None;
        }
        // "order 4242", "order 4343": numbers with the same label are of several things, unless words name a card.
        let before = self.pieces.get(state.first..at).unwrap_or_default();
        if next.label.is_some() && before.iter().any(|piece| piece.label == next.label) && !state.is_named {
            return None;
        }
        let is_new_message = self.pieces.get(last).is_some_and(|piece| piece.message != next.message);
        let replaced = if next.is_correction { MAX_REPLACED_DIGITS.min(digits.len()) } else { 0 };
        for dropped in 0..=replaced {
            self.joins_left.set(self.joins_left.get().checked_sub(1)?);
            count_step();
            let kept = digits.get(..digits.len() - dropped).unwrap_or_default();
            let state = State {
                is_corrected: state.is_corrected || next.is_correction,
                is_loose: state.is_loose || next.is_loose,
                ..state
            };
            let joined: Vec<u8> = kept.iter().copied().chain(next.ascii()).collect();
            // The first digits of more than a prefix were tested before.
            if kept.len() < PREFIX_DIGITS && !has_issuer(&joined) {
                continue;
            }
            let end = self
                .end_in(at, kept.len(), &joined, state)
                .map(|end| (at, end))
                .or_else(|| self.continue_from(at, &joined, state));
            if end.is_some() {
                return end;
            }
        }
        let repeats = || {
            let repeated: Vec<u8> = next.ascii().collect();
            repeated.len() >= MIN_REPEATED_DIGITS && digits.windows(repeated.len()).any(|part| part == repeated)
        };
        let may_skip = is_new_message && at < self.min_last && repeats();
        if may_skip { self.continue_from(at, digits, state) } else { None }
    }

    /// The digit of a piece after which a number ends. The piece adds its digits to the `before` digits of `joined`.
    fn end_in(&self, at: usize, before: usize, joined: &[u8], state: State) -> Option<usize> {
        if at < self.min_last {
            return None;
        }
        let piece = self.pieces.get(at)?;
        let borders = piece.groups.iter().skip(1).copied().filter(|_| !state.is_whole && piece.is_spoken);
        let ends = std::iter::once(piece.digits.len()).chain(borders);
        ends.into_iter().find(|end| {
            let number = joined.get(..before + end).unwrap_or_default();
            LENGTHS.contains(&number.len())
                && if state.is_checked { card_number(number) } else { self.is_unchecked_card(number, state) }
        })
    }

    /// Whether a correction says a number anew that is shorter than that of a card: as many digits as before, too many to be a
    /// part of it.
    fn is_said_anew(&self) -> bool {
        let is_anew = |pair: &[Piece]| {
            let [before, after] = pair else { return false };
            after.is_correction
                && after.digits.len() == before.digits.len()
                && before.digits.len() > MAX_REPLACED_DIGITS
        };
        self.pieces.windows(2).any(is_anew)
    }

    /// Whether digits without a right check digit are a card number: words name one, or the speaker corrects a number
    /// that is said digit by digit.
    fn is_unchecked_card(&self, number: &[u8], state: State) -> bool {
        let is_spoken = || self.pieces.iter().all(|piece| piece.is_spoken);
        self.may_be_unchecked
            && !self.is_said_anew()
            && (state.is_named || state.is_corrected && is_spoken())
            && !state.is_loose
            && UNCHECKED_LENGTHS.contains(&number.len())
            && card_issuer(number).is_some()
    }
}

/// Whether an issuer has these first digits. Fewer digits than a prefix count as the beginning of one.
fn has_issuer(digits: &[u8]) -> bool {
    let Some(prefix) = digits.get(..PREFIX_DIGITS) else { return true };
    LENGTHS.clone().any(|length| {
        let mut number = prefix.to_vec();
        number.extend(std::iter::repeat_n(b'1', length - PREFIX_DIGITS));
        number.last_mut().into_iter().for_each(|digit| *digit = b'2');
        card_issuer(&number).is_some()
    })
}
