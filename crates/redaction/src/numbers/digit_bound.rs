//! An upper bound for the digits of any number run of a text, computed without reading the runs.

use super::foreign_numbers::is_ambiguous;
use super::separator::ends_run;
use crate::numbers::asr_homophones::MIN_CERTAIN_DIGITS;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};

/// Maximum number of digits that one number word adds.
const MAX_WORD_DIGITS: usize = 4;
/// Maximum number of digits for each certain digit: itself and the homophones beside it.
const MAX_DIGITS_PER_CERTAIN: usize = 4;

/// Groups and digits of the shortest numeric date.
const MIN_DATE_GROUPS: usize = 3;
const MIN_DATE_DIGITS: usize = 4;

/// An upper bound for the digits of any number run of a text.
#[derive(Clone, Copy)]
pub(crate) struct DigitBound {
    /// Bound for the certain digits.
    certain: usize,
    /// Whether homophones may add digits: the text has single spoken digits.
    homophones: bool,
    /// Whether a run may be a numeric date.
    numeric_date: bool,
}

impl DigitBound {
    /// The bound of an empty text.
    pub(crate) const fn zero() -> Self {
        Self { certain: 0, homophones: false, numeric_date: false }
    }

    /// The bound of a text, as if all its digits were one run.
    pub(crate) fn from_text(tokens: &Tokens<'_>) -> Self {
        let mut bound = Self::zero();
        for token in tokens.number_tokens() {
            bound.add_token(token);
        }
        bound
    }

    /// Adds the next token, as if all tokens were one run.
    #[inline]
    pub(crate) fn add_token(&mut self, token: Token) {
        self.certain += max_digits_of(token);
        self.homophones |= token.flags & SINGLE_DIGIT != 0;
        self.numeric_date = self.certain >= MIN_DATE_DIGITS;
    }

    /// The bound of tokens, with a new count after each token that ends a run. If single spoken digits are among them,
    /// all tokens count as one run: homophones may join them.
    #[expect(clippy::needless_bitwise_bool, reason = "a branch on the content of a text is unpredictable")]
    pub(crate) fn by_run(tokens: impl Iterator<Item = Token>) -> Self {
        let (mut all, mut by_run, mut digits, mut groups) = (Self::zero(), Self::zero(), 0, 0);
        for token in tokens {
            let continues_mask = usize::from(ends_run(token)).wrapping_sub(1);
            let count = max_digits_of(token);
            digits = (digits & continues_mask) + count;
            groups = (groups & continues_mask) + usize::from(count > 0);
            by_run.certain = by_run.certain.max(digits);
            by_run.numeric_date |= (groups >= MIN_DATE_GROUPS) & (digits >= MIN_DATE_DIGITS);
            all.add_token(token);
        }
        if all.homophones { all } else { by_run }
    }

    /// Whether a run may have a digit.
    pub(crate) fn has_digits(self) -> bool {
        self.certain > 0
    }

    /// Whether every run has fewer digits than this.
    pub(crate) fn is_below(self, digits: usize) -> bool {
        self.max_digits() < digits
    }

    /// Whether the text has single spoken digits, and at least this many digits that are certain.
    pub(crate) fn has_spoken_digits(self, digits: usize) -> bool {
        self.homophones && self.certain >= digits
    }

    /// Whether a run may be a numeric date.
    pub(crate) fn may_have_date(self) -> bool {
        self.numeric_date
    }

    /// Maximum number of digits of any run.
    pub(super) fn max_digits(self) -> usize {
        if self.homophones && self.certain >= MIN_CERTAIN_DIGITS {
            self.certain * MAX_DIGITS_PER_CERTAIN
        } else {
            self.certain
        }
    }
}

/// Number words of one digit.
const SINGLE_DIGIT: u32 = flag::DIGIT | flag::OH;

/// Maximum number of digits of a token. Sums replace branches, which would be unpredictable.
pub(crate) fn max_digits_of(token: Token) -> usize {
    usize::from(token.digit_count()) * usize::from(token.kind == TokenKind::Digits)
        + MAX_WORD_DIGITS * usize::from(token.flags & (flag::NUMBER & !SINGLE_DIGIT) != 0)
        + usize::from(token.flags & SINGLE_DIGIT != 0)
        + MAX_AMBIGUOUS_DIGITS * usize::from(is_ambiguous(token))
}

/// Maximum number of digits of a number word that is also another word.
const MAX_AMBIGUOUS_DIGITS: usize = 2;
