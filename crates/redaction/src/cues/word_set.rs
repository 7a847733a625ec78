//! A set of words of the lexicon, one bit for each slot.

use crate::tokenize::lexicon::{SLOT_COUNT, word_id};
use crate::tokenize::{Token, TokenKind};

/// A set of words that the lexicon has.
pub(super) struct WordSet([u64; SLOT_COUNT / 64]);

impl WordSet {
    /// The words of all lists.
    pub(super) const fn of(lists: &[&[&str]]) -> Self {
        let (mut slots, mut at) = ([0; SLOT_COUNT / 64], 0);
        while at < lists.len() {
            let mut nth = 0;
            while nth < lists[at].len() {
                let slot = word_id(lists[at][nth]) as usize;
                slots[slot / 64] |= 1 << (slot % 64);
                nth += 1;
            }
            at += 1;
        }
        Self(slots)
    }

    /// Whether a token is one of the words.
    pub(super) fn contains(&self, token: Token) -> bool {
        let slot = usize::from(token.slot()) % SLOT_COUNT;
        token.kind == TokenKind::Word && self.0[slot / 64] >> (slot % 64) & 1 != 0
    }
}
