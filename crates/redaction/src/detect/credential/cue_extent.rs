//! Whether the words of a cue name a secret where they stand, or are a part of a longer value or name.

use crate::cues::Cue;
use crate::detect::{flags, is_one_of};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Whether a cue is a word of its own, not the beginning of a value such as "password1".
pub(super) fn is_cue(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    let next = tokens.at(cue.end_token as usize);
    let after_next = tokens.at(cue.end_token as usize + 1);
    !(next.gap == Gap::None
        && (next.kind == TokenKind::Digits
            || (next.is_mark(b'_') || next.is_mark(b'@'))
                && after_next.gap == Gap::None
                && after_next.is_alphanumeric()))
}

/// Whether a word and a cue for a secret are joined by a hyphen: "netflix-passwort".
pub(super) fn is_compound_cue(tokens: &Tokens<'_>, at: usize, cue: &Cue) -> bool {
    let (dash, first) = (tokens.at(at + 1), cue.first_token as usize);
    tokens.at(at).kind == TokenKind::Word
        && dash.is_mark(b'-')
        && dash.gap == Gap::None
        && first == at + 2
        && tokens.at(first).gap == Gap::None
        && tokens.at(cue.end_token as usize).gap != Gap::None
        && cue.entities.contains(Entity::PASSWORD)
}

/// Whether a cue is letters in the middle of a spelled word: the "y o" of "t o y o t a".
pub(super) fn is_in_spelling(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    let is_letter = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Word
            && token.byte_len() == 1
            && token.gap == Gap::Space
            && !is_one_of(tokens, token, &["i", "a"])
    };
    let (first, after) = (cue.first_token as usize, cue.end_token as usize);
    let is_spelled = tokens.at(first).byte_len() == 1 && tokens.at(after.saturating_sub(1)).byte_len() == 1;
    // "s as in sam c c four"
    let explains = |at: usize| {
        at >= 3 && is_one_of(tokens, tokens.at(at - 2), &["in", "for", "like"]) && is_letter(at - 3)
            || at >= 4 && is_one_of(tokens, tokens.at(at - 3), &["as"]) && is_letter(at - 4)
    };
    let is_number = |token: Token| token.kind == TokenKind::Digits || flags(token) & flag::NUMBER != 0;
    is_spelled
        && (is_letter(after)
            || first > 0 && (is_letter(first - 1) || is_number(tokens.at(first - 1)) || explains(first)))
}
