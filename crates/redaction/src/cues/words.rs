//! What words of a message are compared with, and the cue that they make.

use super::cue::Cue;
use crate::entity::EntitySet;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens, fold, saturating_u32};

/// Whether a token is one of these words, in any case and with or without accents.
pub(super) fn is(tokens: &Tokens<'_>, token: Token, words: &[&str]) -> bool {
    if token.kind != TokenKind::Word {
        return false;
    }
    let text = tokens.str(token);
    if text.is_ascii() {
        return words.iter().any(|word| word.eq_ignore_ascii_case(text));
    }
    let fold = |c: char| fold::strip_accent(c).map_or_else(|| c.to_ascii_lowercase(), char::from);
    words.iter().any(|word| text.chars().map(fold).eq(word.chars()))
}

pub(super) fn is_number_word(token: Token) -> bool {
    token.flags & (flag::DIGIT | flag::OH | flag::TEEN | flag::TENS | flag::REPEAT | flag::SCALE) != 0
}

pub(super) fn cue(first: usize, end: usize, entities: EntitySet, needs_connector: bool) -> Cue {
    Cue { first_token: saturating_u32(first), end_token: saturating_u32(end), entities, needs_connector }
}
