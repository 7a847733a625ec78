//! Tokens side by side, a bit each: where something begins that only a few tokens in a row can be is found in all of them at
//! once, with no branch that a processor cannot foresee.
#![expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]

use crate::tokenize::{Gap, Kind, Token, Tokens};
use std::ops::Range;

/// What up to 64 tokens from some token on are; the first has the lowest bit.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Outline {
    pub(super) words: u64,
    pub(super) digits: u64,
    /// Marks that stand between groups of an identifier.
    pub(super) joints: u64,
    /// Tokens right behind the one before.
    pub(super) close: u64,
    /// Tokens a space behind the one before.
    pub(super) apart: u64,
    /// Words that may be a group of a code: single letters, few letters of no list or with a capital first, and what digits
    /// follow at once.
    pub(super) codes: u64,
}

impl Outline {
    /// From one outline of a text to the next. The rest shows what follows the last tokens.
    pub(super) const WINDOW: usize = 56;
    /// The tokens of a window.
    pub(super) const INNER: u64 = (1 << Self::WINDOW) - 1;

    /// The outline of the tokens from some token on.
    pub(super) fn of(tokens: &Tokens<'_>, range: Range<usize>) -> Self {
        let mut outline = Self::default();
        let bytes = tokens.text.as_bytes();
        let rest = tokens.all().get(range.start..).unwrap_or_default();
        for (at, token) in rest.iter().take(range.len().min(64)).enumerate() {
            let bit = |is_so: bool| u64::from(is_so) << at;
            let capital = bytes.get(token.start as usize).is_some_and(|byte| byte & 0x20 == 0);
            let length = token.bytes();
            outline.words |= bit(token.kind == Kind::Word);
            outline.digits |= bit(token.kind == Kind::Digits);
            outline.joints |= bit(is_joint(*token));
            outline.close |= bit(token.gap == Gap::None);
            outline.apart |= bit(token.gap == Gap::Space);
            outline.codes |= bit((length == 1) | (token.code == 0) & (length <= 4) | capital & (length <= 6));
        }
        outline.codes = outline.words & (outline.codes | (outline.digits & outline.close) >> 1);
        outline
    }
}

/// Whether a token is a mark right behind the one before that parts the groups of an identifier.
pub(super) fn is_joint(token: Token) -> bool {
    const MARKS: u64 = 1 << b'-' | 1 << b'.' | 1 << b'/';
    (token.kind == Kind::Mark) & (token.gap == Gap::None) & (token.code < 64) & (MARKS >> (token.code & 63) & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{Scan, Store};

    #[test]
    fn an_outline_has_a_bit_for_each_token_of_its_range() {
        let mut store = Store::new();
        let scan = Scan::of("my ID: AB-12 of 3", &mut store);
        // my, ID, :, AB, -, 12, of, 3
        let outline = Outline::of(&scan.tokens(), 1..7);
        assert_eq!(outline.words, 0b10_0101, "{outline:?}");
        assert_eq!(outline.digits, 0b01_0000);
        assert_eq!(outline.joints, 0b00_1000);
        assert_eq!(outline.close, 0b01_1010);
        assert_eq!(outline.apart, 0b10_0101);
        assert_eq!(outline.codes, 0b00_0101);
    }
}
