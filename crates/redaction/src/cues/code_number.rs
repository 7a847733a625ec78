//! Numbers as long as the code of a card or a PIN, which a cue by grammar needs beside it.

use super::words::{is, is_number_word};
use crate::entity::Entity;
use crate::numbers::is_number_among_numbers;
use crate::tokenize::lexicon;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Digits of a code.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=9;
/// Digits of most codes.
const MAX_DIGITS: usize = 6;
/// Maximum words between a cue and its number.
const MAX_SKIPPED: usize = 3;
/// Words between a cue and its number.
const SKIPPED: [&str; 26] = [
    "in", "the", "my", "it", "number", "code", "as", "his", "her", "your", "got", "el", "le", "il", "la", "o", "den",
    "die", "numero", "a", "is", "so", "just", "um", "uh", "er",
];

/// A number as long as a code, at tokens `first..after`.
#[derive(Clone, Copy)]
pub(crate) struct CodeNumber {
    pub(crate) first: usize,
    pub(crate) after: usize,
    pub(crate) digits: usize,
}

impl CodeNumber {
    /// The entity of a code of this length: cards have three digits, except for those of American Express, and social
    /// security numbers have nine.
    pub(crate) fn entity(&self) -> Entity {
        match self.digits {
            3 => Entity::CVV,
            9 => Entity::SSN,
            _ => Entity::PIN,
        }
    }

    /// The number, unless it is longer than most codes are.
    pub(super) fn without_long(self) -> Option<Self> {
        Some(self).filter(|code| code.digits <= MAX_DIGITS)
    }

    /// The entity of a code that an agent knows: nobody reads a PIN back or asks for it again and again.
    pub(super) fn entity_of_agent(&self) -> Entity {
        if self.digits <= 4 { Entity::CVV } else { Entity::PIN }
    }
}

/// The number that begins at a token, or after a few words without meaning of their own.
pub(super) fn after(tokens: &Tokens<'_>, from: usize) -> Option<CodeNumber> {
    let is_skipped = |at: &usize| {
        let token = tokens.at(*at);
        let is_quote = token.is_mark(b'"') || token.is_mark(b'\'') || token.is_mark(b':');
        token.gap <= Gap::Space && (is_quote || is(tokens, token, &SKIPPED)) && !is_number_word(token)
    };
    let first = from + (from..from + MAX_SKIPPED).take_while(is_skipped).count();
    if tokens.at(first).gap > Gap::Space { None } else { at(tokens, first) }
}

/// The number as long as a code that begins at a token, masked or not.
pub(super) fn at(tokens: &Tokens<'_>, first: usize) -> Option<CodeNumber> {
    up_to_nine_digits(tokens, first).and_then(CodeNumber::without_long)
}

/// Same as [`at`], for the longest codes and social security numbers too.
pub(super) fn up_to_nine_digits(tokens: &Tokens<'_>, first: usize) -> Option<CodeNumber> {
    let (token, before) = (tokens.at(first), tokens.before(first));
    let (after, digits) = match token.kind {
        TokenKind::Digits if before.is_mark(b'$') => return None,
        TokenKind::Digits => (first + 1, usize::from(token.digit_count())),
        TokenKind::Mask => masked(tokens, first),
        TokenKind::Word => spoken(tokens, first),
        TokenKind::Mark | TokenKind::Edge => return None,
    };
    let next = tokens.at(after);
    let continues = next.gap == Gap::None
        && (next.is_alphanumeric() || next.kind == TokenKind::Mark && tokens.at(after + 1).kind == TokenKind::Digits)
        || next.kind == TokenKind::Digits && next.gap <= Gap::Space;
    let is_amount = next.flags & (flag::UNIT | flag::SCALE | flag::HUGE) != 0 || next.is_mark(b'%');
    (DIGITS.contains(&digits) && !continues && !is_amount).then_some(CodeNumber { first, after, digits })
}

/// Maximum tokens of a number that is read. No code is as long.
const MAX_RUN_TOKENS: usize = 64;

/// The token after number words, and their digits.
pub(super) fn spoken(tokens: &Tokens<'_>, first: usize) -> (usize, usize) {
    let is_word = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Word && (is_number_word(token) || is_number_among_numbers(tokens, at))
    };
    // "quatre-vingt-deux"
    let is_dash = |at: usize| tokens.at(at).is_mark(b'-') && tokens.at(at).gap == Gap::None && at > first;
    // "noventa y cuatro", maybe with an accent on each letter
    let is_short = |at: usize| tokens.at(at).byte_len() <= 6;
    let is_and =
        |at: usize| at > first && is_short(at) && is(tokens, tokens.at(at), &["y", "e", "et"]) && is_word(at + 1);
    // "seven two uh nine"
    let is_filler = |at: usize| at > first && tokens.at(at).flags & flag::FILLER != 0 && is_word(at + 1);
    let continues = |at: &usize| {
        is_word(*at) && (*at == first || tokens.at(*at).gap <= Gap::Space)
            || is_dash(*at)
            || is_and(*at)
            || is_filler(*at)
    };
    let after = first + (first..first + MAX_RUN_TOKENS).take_while(continues).count();
    let digits = (first..after).filter(|at| is_word(*at)).map(|at| {
        let (flags, next) = (tokens.at(at).flags, tokens.at(at + 1));
        match () {
            () if is_and(at + 1) && flags & flag::TENS != 0 => 1,
            () if is_dash(at + 1) => usize::from(tokens.at(at + 2).flags & flag::DIGIT != 0),
            () if flags & flag::TENS != 0 && next.flags & flag::DIGIT != 0 => 1,
            () if flags & (flag::TEEN | flag::TENS) != 0 => 2,
            () if flags & flag::REPEAT != 0 => usize::from(lexicon::entry(tokens.at(at).slot()).value) - 1,
            () => 1,
        }
    });
    (after, digits.sum())
}

/// The token after masked digits or number words, and the digits that the mask hides.
pub(super) fn masked(tokens: &Tokens<'_>, first: usize) -> (usize, usize) {
    let is_mask =
        |at: &usize| tokens.at(*at).kind == TokenKind::Mask && (*at == first || tokens.at(*at).gap <= Gap::Space);
    let after = first + (first..first + MAX_RUN_TOKENS).take_while(is_mask).count();
    let digits = if after == first + 1 { tokens.at(first).byte_len() } else { after - first };
    (after, digits)
}
