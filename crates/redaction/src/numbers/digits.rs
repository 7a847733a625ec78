//! How many digits the runs of a text have at most, told without reading them.

use super::joint::parts;
use crate::numbers::asr_homophones::SURE;
use crate::tokenize::words::flag;
use crate::tokenize::{Kind, Token, Tokens};

/// Digits that one word of a number adds at most.
const OF_WORD: usize = 4;
/// Misheard digits beside each one that is sure at most, that one counted.
const MISHEARD: usize = 4;

/// Groups and digits of the shortest date in digits.
const DATE_GROUPS: usize = 3;
const DATE_DIGITS: usize = 4;

/// How many digits the runs of a text have at most.
#[derive(Clone, Copy)]
pub(crate) struct Digits {
    /// Of those that are sure.
    sure: usize,
    /// Whether other words may stand for digits as well, as they do between digits said one by one.
    misheard: bool,
    /// Whether a run may be a date in digits.
    dated: bool,
}

impl Digits {
    /// None.
    pub(crate) const fn none() -> Self {
        Self { sure: 0, misheard: false, dated: false }
    }

    /// Counts the digits of a text, as if they were one run.
    pub(crate) fn of(tokens: &Tokens<'_>) -> Self {
        let mut digits = Self::none();
        for token in tokens.of_numbers() {
            digits.note(token);
        }
        digits
    }

    /// Takes the next token, as if all were one run.
    #[inline]
    pub(crate) fn note(&mut self, token: Token) {
        self.sure += count(token);
        self.misheard |= token.flags & ONE != 0;
        self.dated = self.sure >= DATE_DIGITS;
    }

    /// Counts the digits of tokens, parted where no run goes on. Where some are said one by one they are counted as one run:
    /// other words may stand for digits between them.
    #[expect(clippy::needless_bitwise_bool, reason = "no processor foresees what a text holds")]
    pub(crate) fn parted(tokens: impl Iterator<Item = Token>) -> Self {
        let (mut all, mut parted, mut digits, mut groups) = (Self::none(), Self::none(), 0, 0);
        for token in tokens {
            let goes_on = usize::from(parts(token)).wrapping_sub(1);
            let count = count(token);
            digits = (digits & goes_on) + count;
            groups = (groups & goes_on) + usize::from(count > 0);
            parted.sure = parted.sure.max(digits);
            parted.dated |= (groups >= DATE_GROUPS) & (digits >= DATE_DIGITS);
            all.note(token);
        }
        if all.misheard { all } else { parted }
    }

    /// Whether there are any.
    pub(crate) fn are_any(self) -> bool {
        self.sure > 0
    }

    /// Whether no run has so many digits.
    pub(crate) fn are_fewer_than(self, digits: usize) -> bool {
        self.most() < digits
    }

    /// Whether a run may be the shortest date in digits.
    pub(crate) fn may_be_date(self) -> bool {
        self.dated
    }

    /// No run has more.
    pub(super) fn most(self) -> usize {
        if self.misheard && self.sure >= SURE { self.sure * MISHEARD } else { self.sure }
    }
}

/// Words of one digit.
const ONE: u32 = flag::DIGIT | flag::OH;

/// The digits of a token at most, by sums and not by branches, which no processor could foresee.
fn count(token: Token) -> usize {
    usize::from(token.code) * usize::from(token.kind == Kind::Digits)
        + OF_WORD * usize::from(token.flags & (flag::NUMBER & !ONE) != 0)
        + usize::from(token.flags & ONE != 0)
}
