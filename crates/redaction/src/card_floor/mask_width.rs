//! How many digits the masks of a stored message hide. A mask has an asterisk for each letter or digit, so that `****` can
//! be four digits, the word "four", or a filler between digits.

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};
use std::ops::RangeInclusive;

/// Bytes of a number word of one digit.
const NUMBER_WORD_BYTES: RangeInclusive<usize> = 2..=5;
/// Bytes of the shortest filler, such as "uh".
const FILLER_BYTES: usize = 2;
/// Maximum groups of masked written digits that have no readable tail.
const MAX_WRITTEN_GROUPS: usize = 3;

/// What the asterisks of a message stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MaskWidth {
    /// Each asterisk is a digit.
    Digits,
    /// Each mask is one digit, which was a number word.
    NumberWords,
    /// Either.
    Unknown,
}

impl MaskWidth {
    /// The width of the masks of a message: as its readable digits are written, or by the length of the masks.
    pub(super) fn of(tokens: &Tokens<'_>) -> Self {
        let masks = || tokens.as_slice().iter().filter(|token| token.kind == TokenKind::Mask);
        let are_words = masks().all(|mask| NUMBER_WORD_BYTES.contains(&mask.byte_len()));
        if !tokens.digit_range().is_empty() {
            Self::Digits
        } else if tokens.as_slice().iter().any(|token| token.flags & flag::NUMBER != 0)
            || are_words && masks().count() > MAX_WRITTEN_GROUPS
        {
            Self::NumberWords
        } else {
            Self::Unknown
        }
    }

    /// The fewest and the most digits that a mask hides. A word such as "uh" and "dash" is masked with the digits beside
    /// it, and hides none.
    pub(super) fn digits_of(self, tokens: &Tokens<'_>, at: usize) -> (usize, usize) {
        let length = tokens.at(at).byte_len();
        let may_be_word = NUMBER_WORD_BYTES.contains(&length);
        let is_inner = at > 0 && at + 1 < tokens.len();
        match self {
            _ if is_tag(tokens, at) => (0, length),
            Self::NumberWords => (usize::from(length > FILLER_BYTES), 1),
            Self::Unknown if may_be_word => (usize::from(!is_inner), length),
            Self::Digits | Self::Unknown => (length, length),
        }
    }
}

/// Whether signs enclose a word, as in `<br>` and `(pause)`.
pub(super) fn is_tag(tokens: &Tokens<'_>, at: usize) -> bool {
    let (before, word, after) = (tokens.before(at), tokens.at(at), tokens.at(at + 1));
    let touch = word.gap == Gap::None && after.gap == Gap::None;
    touch && before.kind == TokenKind::Mark && after.kind == TokenKind::Mark
}
