//! Which tokens are digits or number words.

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Whether a token is digits or a number word.
#[expect(clippy::needless_bitwise_bool, reason = "a branch on the kind of a token is unpredictable")]
pub(crate) fn is_number_token(token: Token) -> bool {
    (token.kind == TokenKind::Digits) | (token.flags & flag::NUMBER != 0)
}

pub(super) fn is_number_next(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.gap <= Gap::Space && is_number_token(token)
}

/// Whether the "oh" at a token begins an exclamation: "oh my", "oh dear".
pub(super) fn is_exclamation(tokens: &Tokens<'_>, at: usize) -> bool {
    const WORDS: [&str; 7] = ["my", "dear", "god", "gosh", "lord", "boy", "damn"];
    let next = tokens.at(at + 1);
    next.gap <= Gap::Space && WORDS.iter().any(|word| is_word(tokens, next, word))
}

/// Whether the "one" at a token is no digit: "one sec", "one more thing", "oh that one, 4821".
pub(super) fn is_pronoun(tokens: &Tokens<'_>, at: usize) -> bool {
    const MOMENTS: [&str; 8] = ["sec", "second", "moment", "minute", "min", "more", "thing", "last"];
    const DETERMINERS: [&str; 4] = ["that", "this", "which", "other"];
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let is_in = |token: Token, words: &[&str]| words.iter().any(|word| is_word(tokens, token, word));
    is_word(tokens, token, "one")
        && (next.gap == Gap::Space && is_in(next, &MOMENTS)
            || at > 0 && next.is_mark(b',') && is_in(tokens.before(at), &DETERMINERS))
}

pub(super) fn is_word(tokens: &Tokens<'_>, token: Token, word: &str) -> bool {
    token.kind == TokenKind::Word && tokens.str(token).eq_ignore_ascii_case(word)
}
