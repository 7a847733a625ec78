//! What stands before each token: capitals, marks and the last number, in one pass over the tokens of a text.

use super::per_token::PerToken;
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, Tokens};

/// Maximum distance of a number that still counts.
pub(super) const MAX_NUMBER_DISTANCE: u8 = 6;

/// What stands before a token. The counts begin at the start of the text and wrap: only differences over a few tokens are read.
#[derive(Clone, Copy)]
pub(super) struct Preceding {
    /// Words with a capital of ASCII first.
    pub(super) capitals: u8,
    pub(super) marks: u8,
    /// The distance to the last number, at most [`MAX_NUMBER_DISTANCE`]; 0 if there is none.
    pub(super) number: u8,
}

impl Preceding {
    /// What stands before the first token.
    pub(super) const START: Self = Self { capitals: 0, marks: 0, number: 0 };

    /// What stands before each token, and at last what stands before the end of the text.
    pub(super) fn of_each(tokens: &Tokens<'_>) -> PerToken<Self> {
        let bytes = tokens.text.as_bytes();
        let mut all = PerToken::new(Self::START, tokens.len() + 1);
        let mut before = Self::START;
        let (_, after_first) = all.as_mut_slice().split_at_mut(1);
        for (token, slot) in tokens.as_slice().iter().zip(after_first) {
            let is_number = token.kind == TokenKind::Digits || token.flags & flag::NUMBER != 0;
            before.number = match before.number {
                _ if is_number => 1,
                0 | MAX_NUMBER_DISTANCE => 0,
                distance => distance + 1,
            };
            if token.kind == TokenKind::Word {
                let first = bytes.get(token.start as usize).copied().unwrap_or(0);
                before.capitals = before.capitals.wrapping_add(u8::from(first.is_ascii_uppercase()));
            }
            before.marks = before.marks.wrapping_add(u8::from(token.kind == TokenKind::Mark));
            *slot = before;
        }
        all
    }
}
