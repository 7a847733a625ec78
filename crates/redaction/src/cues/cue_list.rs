//! The cues of a text, in order.

use super::composed::is_bare_code;
use super::cue::Cue;
use super::document_card::{begins_with_card, names_document};
use super::{cue_at, cue_before_number, spelled};
use crate::detect::is_connector;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, TokenizedText, Tokens};

/// Number of cues that are stored without the heap.
const INLINE_CUES: usize = 12;

/// Entities with nine digits whose names leave no doubt.
const NAMED_NUMBERS: EntitySet = EntitySet::from_slice(&[
    Entity::US_EIN,
    Entity::US_ITIN,
    Entity::CA_SIN,
    Entity::BANK_ROUTING_NUMBER,
    Entity::AU_TFN,
    Entity::PASSPORT_NUMBER,
]);
/// Tokens between the name of a number and the number.
const MAX_CONNECTORS: usize = 4;

/// Whether a word of a text, or one that is spelled letter by letter, can begin a cue.
pub(crate) fn may_have_word_cue(text: &TokenizedText<'_>) -> bool {
    text.features.word_flags & flag::CUE_HEAD != 0 || spelled::has_spelled_word(&text.tokens())
}

/// The cues of a text, in order.
pub(crate) struct Cues {
    inline: [Cue; INLINE_CUES],
    /// Number of inline cues.
    inline_len: usize,
    heap: Vec<Cue>,
    next_token: usize,
}

impl Cues {
    pub(crate) fn new() -> Self {
        const NONE: Cue = Cue { first_token: 0, end_token: 0, entities: EntitySet::empty(), needs_connector: false };
        Self { inline: [NONE; INLINE_CUES], inline_len: 0, heap: Vec::new(), next_token: 0 }
    }

    /// Finds the cues of a text.
    #[inline]
    pub(crate) fn find_all(tokens: &Tokens<'_>) -> Self {
        let mut cues = Self::new();
        cues.read_to(tokens, tokens.len());
        cues
    }

    /// The cues of a text by its words: none where no word of it can begin one. A number can, and is not looked at.
    pub(crate) fn of_words(text: &TokenizedText<'_>) -> Self {
        if may_have_word_cue(text) { Self::find_all(&text.tokens()) } else { Self::new() }
    }

    /// Finds the cues up to a token.
    pub(crate) fn read_to(&mut self, tokens: &Tokens<'_>, until: usize) {
        let until = until.min(tokens.len());
        while let Some(skipped) =
            tokens.as_slice().get(self.next_token..until).and_then(|rest| rest.iter().position(|t| may_have_cue(*t)))
        {
            self.next_token += skipped;
            if begins_number(tokens, self.next_token) {
                self.read_number(tokens);
            }
            if let Some(cue) = cue_at(tokens, self.next_token) {
                self.next_token = cue.end_token as usize;
                if !self.extends_last(tokens, cue) {
                    self.push(cue);
                }
            } else {
                self.next_token += 1;
            }
        }
        self.next_token = self.next_token.max(until);
    }

    /// Whether the last cue names another number than a code, and only connectors are between it and the number at a token: "the
    /// tax id is 859808102" is no social security number, whatever else the text speaks of.
    fn names_number(&self, tokens: &Tokens<'_>, number: usize) -> bool {
        self.as_slice().last().is_some_and(|cue| {
            let end = cue.end_token as usize;
            let is_near = end <= number && number - end <= MAX_CONNECTORS;
            is_near
                && !is_bare_code(cue)
                && cue.entities.intersects(NAMED_NUMBERS)
                && (end..number).all(|at| is_connector(tokens, at))
        })
    }

    /// Adds the cue of the words before the number at the next token, unless it overlaps the cue before it. It replaces
    /// "the code" without more, which it contains.
    fn read_number(&mut self, tokens: &Tokens<'_>) {
        let Some(cue) = cue_before_number(tokens, self.next_token) else { return };
        if cue.entities == Entity::SSN.bit() && self.names_number(tokens, self.next_token) {
            return;
        }
        let is_replaced = |last: &Cue| is_bare_code(last) && last.end_token > cue.first_token;
        let end = self.as_slice().last().map_or(0, |last| last.end_token);
        match self.last_mut().filter(|last| is_replaced(last)) {
            Some(last) => *last = cue,
            None if cue.first_token >= end => self.push(cue),
            None => {}
        }
    }

    fn last_mut(&mut self) -> Option<&mut Cue> {
        if self.heap.is_empty() {
            self.inline.get_mut(..self.inline_len).and_then(<[Cue]>::last_mut)
        } else {
            self.heap.last_mut()
        }
    }

    /// Whether a cue for a card follows the name of another document, whose card it then is: "Medicare card number". The
    /// name's cue is extended.
    fn extends_last(&mut self, tokens: &Tokens<'_>, cue: Cue) -> bool {
        let first = cue.first_token as usize;
        if !begins_with_card(tokens, first) {
            return false;
        }
        let Some(last) = self.last_mut().filter(|last| last.end_token as usize == first && names_document(last)) else {
            return false;
        };
        last.end_token = cue.end_token;
        true
    }

    fn push(&mut self, mut cue: Cue) {
        // A cue that its grammar extends to the left begins after the cue before it.
        cue.first_token = cue.first_token.max(self.as_slice().last().map_or(0, |last| last.end_token));
        if let Some(slot) = self.inline.get_mut(self.inline_len).filter(|_| self.heap.is_empty()) {
            *slot = cue;
            self.inline_len += 1;
        } else {
            if self.heap.is_empty() {
                self.heap.extend_from_slice(&self.inline);
            }
            self.heap.push(cue);
        }
    }

    /// The cues in the order of the text.
    pub(crate) fn as_slice(&self) -> &[Cue] {
        if self.heap.is_empty() { &self.inline[..self.inline_len] } else { &self.heap }
    }
}

/// Whether a cue can begin at a token, or before it if it is a number.
fn may_have_cue(token: Token) -> bool {
    (token.flags & (flag::CUE_HEAD | flag::NUMBER) != 0)
        | spelled::is_letter(token)
        | matches!(token.kind, TokenKind::Digits | TokenKind::Mask)
}

/// Whether a number, masked or not, begins at a token.
fn begins_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_number = |token: Token| {
        matches!(token.kind, TokenKind::Digits | TokenKind::Mask)
            || token.kind == TokenKind::Word && token.flags & flag::NUMBER != 0
    };
    is_number(tokens.at(at)) && !(at > 0 && is_number(tokens.before(at)))
}
