//! The values of an earlier message.

use crate::cues::{CodeNumber, has_other_meaning};
use crate::detect::{flags, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{Digit, NumberRun, RunBuffer};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, Tokens};

/// Asterisks of a masked card number; other masks with a readable tail have fewer.
const MIN_CARD_ASTERISKS: usize = 8;
/// Digits of the shortest card number.
const MIN_CARD_DIGITS: usize = 13;
/// Digits of the longest number that is told from longer ones.
const MAX_LENGTH: usize = 31;

/// The values of a message.
#[derive(Clone, Copy, Default)]
pub(in super::super) struct Values {
    /// The token after the last number of three digits or more, or after the last mask; 0 if there is neither.
    pub(in super::super) after: usize,
    /// The same without numbers that words beside them give another meaning: "the safe in room 7542".
    pub(in super::super) after_code: usize,
    /// Whether a number is as long as that of a card.
    pub(super) has_card: bool,
    has_mask: bool,
    /// The lengths of its numbers that are no amounts, one bit for each.
    lengths: u32,
}

impl Values {
    pub(super) fn of(tokens: &Tokens<'_>) -> Self {
        let mut buffer = RunBuffer::full_size();
        let mut run = NumberRun::new(&mut buffer);
        let (mut from, mut values) = (0, Self::default());
        while let Some(first) = run.read(tokens, from) {
            from = run.end_token.max(first + 1);
            let length = run.digits().len();
            // The form of a tax return is no value.
            let is_form = tokens.str(tokens.at(first)) == "1099";
            if length >= 3 && !is_form && !is_year_of_event(tokens, first, run.digits()) {
                values.after = run.end_token;
                let code = CodeNumber { first, after: run.end_token, digits: length };
                if !has_other_meaning(tokens, &code) {
                    values.after_code = run.end_token;
                }
                values.has_card |= length >= MIN_CARD_DIGITS;
                if !is_amount(tokens, first, run.end_token) {
                    values.lengths |= 1 << length.min(MAX_LENGTH);
                }
            }
        }
        let masked = tokens.as_slice().iter().rposition(|t| t.kind == TokenKind::Mask).map_or(0, |at| at + 1);
        values.has_mask = masked > 0;
        values.after = values.after.max(masked);
        values.after_code = values.after_code.max(masked);
        values
    }

    /// Adds the values of another message.
    pub(in super::super) fn add(&mut self, other: Self) {
        self.has_mask |= other.has_mask;
        self.lengths |= other.lengths;
    }

    /// Whether there is a value.
    pub(in super::super) fn is_empty(&self) -> bool {
        !self.has_mask && self.lengths == 0
    }

    /// Whether one of the values can answer a question for these entities. Of what is masked, only that it was a value is
    /// known.
    pub(in super::super) fn may_answer(&self, asked: EntitySet) -> bool {
        let fits = |lengths: u32| self.lengths & lengths != 0;
        self.has_mask
            || asked.iter().any(|entity| match entity {
                // Three and four digits, and each of them twice.
                Entity::CVV => fits(1 << 3 | 1 << 4 | 1 << 6 | 1 << 8),
                Entity::SSN => fits(1 << 4 | 1 << 9 | 1 << 13),
                Entity::PIN => fits(0b1_1111_1111 & !0b1111),
                _ => self.lengths != 0,
            })
    }
}

/// Whether a number is the year of an event: "the phrase you lodged in nineteen ninety seven".
fn is_year_of_event(tokens: &Tokens<'_>, first: usize, digits: &[Digit]) -> bool {
    let is_year = matches!(digits, [a, b, _, _] if matches!((a.value, b.value), (1, 9) | (2, 0)));
    let before = tokens.before(first);
    is_year && first > 0 && is_one_of(tokens, before, &["in", "since", "en", "seit", "depuis", "desde", "nel", "em"])
}

/// Whether a number at tokens `first..after` is an amount.
fn is_amount(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let (before, next) = (tokens.before(first), tokens.at(after));
    first > 0 && matches!(tokens.str(before), "$" | "€" | "£")
        || flags(next) & flag::UNIT != 0
        || next.is_mark(b'%')
        || matches!(tokens.str(next), "€" | "$" | "£")
}

/// Whether a message holds a masked card number with its readable tail.
pub(super) fn has_card_mask(tokens: &Tokens<'_>) -> bool {
    let mut asterisks = 0;
    tokens.as_slice().iter().any(|token| match token.kind {
        TokenKind::Mask => {
            asterisks += token.byte_len();
            false
        }
        TokenKind::Digits | TokenKind::Word => {
            let is_tail = token.digit_count() == 4 || crate::numbers::is_number_token(*token);
            let found = asterisks >= MIN_CARD_ASTERISKS && is_tail;
            asterisks = 0;
            found
        }
        TokenKind::Mark | TokenKind::Edge => false,
    })
}
