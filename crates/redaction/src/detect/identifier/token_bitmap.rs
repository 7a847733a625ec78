//! Token bitmap: properties of up to 64 tokens as bit masks. One branch-free expression then finds every token where a
//! pattern of a few tokens begins.
#![expect(clippy::needless_bitwise_bool, reason = "a branch on the kind of a token is unpredictable")]

use crate::tokenize::{Gap, Token, TokenKind, Tokens};
use std::ops::Range;

/// The properties of up to 64 tokens; the first token has the lowest bit.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct TokenBitmap {
    pub(super) words: u64,
    pub(super) digits: u64,
    /// Marks between groups of an identifier.
    pub(super) separators: u64,
    /// Tokens with no gap to the previous one.
    pub(super) adjacent: u64,
    /// Tokens with one space to the previous one.
    pub(super) spaced: u64,
    /// Words that may be a group of a code: one byte, up to four bytes of an unknown word, up to six bytes whose first
    /// looks like a capital, and words that digits follow without a gap. May include too many.
    pub(super) code_words: u64,
}

impl TokenBitmap {
    /// The distance between two bitmaps of a text. The eight bits beyond it are look-ahead.
    pub(super) const STEP: usize = 56;
    /// The bits of one step.
    pub(super) const STEP_MASK: u64 = (1 << Self::STEP) - 1;

    /// The bitmap of the tokens in `range`.
    pub(super) fn from_range(tokens: &Tokens<'_>, range: Range<usize>) -> Self {
        let mut bitmap = Self::default();
        let bytes = tokens.text.as_bytes();
        let rest = tokens.as_slice().get(range.start..).unwrap_or_default();
        for (at, token) in rest.iter().take(range.len().min(64)).enumerate() {
            let bit = |value: bool| u64::from(value) << at;
            let capital = bytes.get(token.start as usize).is_some_and(|byte| byte & 0x20 == 0);
            let length = token.byte_len();
            bitmap.words |= bit(token.kind == TokenKind::Word);
            bitmap.digits |= bit(token.kind == TokenKind::Digits);
            bitmap.separators |= bit(is_joined_separator(*token));
            bitmap.adjacent |= bit(token.gap == Gap::None);
            bitmap.spaced |= bit(token.gap == Gap::Space);
            bitmap.code_words |= bit((length == 1) | (token.slot() == 0) & (length <= 4) | capital & (length <= 6));
        }
        bitmap.code_words = bitmap.words & (bitmap.code_words | (bitmap.digits & bitmap.adjacent) >> 1);
        bitmap
    }
}

/// Whether a token is a mark that separates groups of an identifier, with no gap before it.
pub(super) fn is_joined_separator(token: Token) -> bool {
    const MARKS: u64 = 1 << b'-' | 1 << b'.' | 1 << b'/';
    (token.kind == TokenKind::Mark)
        & (token.gap == Gap::None)
        & (token.mark() < 64)
        & (MARKS >> (token.mark() & 63) & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    #[test]
    fn a_bitmap_has_a_bit_for_each_token_of_its_range() {
        let mut buffer = TokenBuffer::new();
        let tokenized = TokenizedText::new("my ID: AB-12 of 3", &mut buffer);
        // Tokens: my, ID, :, AB, -, 12, of, 3
        let bitmap = TokenBitmap::from_range(&tokenized.tokens(), 1..7);
        assert_eq!(bitmap.words, 0b10_0101, "{bitmap:?}");
        assert_eq!(bitmap.digits, 0b01_0000);
        assert_eq!(bitmap.separators, 0b00_1000);
        assert_eq!(bitmap.adjacent, 0b01_1010);
        assert_eq!(bitmap.spaced, 0b10_0101);
        assert_eq!(bitmap.code_words, 0b00_0101);
    }
}
