//! Starts: the tokens of a text at which an identifier of letters and digits may begin.

use super::token_bitmap::{TokenBitmap, is_joined_separator};
use super::token_limits::{MAX_LEADING_DIGIT_TOKENS, MAX_TOKENS};
use crate::registry::MAX_IDENTIFIER_LENGTH;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum tokens before the first digit of an identifier, unless marks separate the groups before it.
const MAX_TOKENS_BEFORE_DIGIT: usize = 2;
/// Maximum tokens from the last digit of a text to the letters of an identifier.
const MAX_TOKENS_AFTER_DIGIT: usize = 2;

/// Calls `begins` for each token at which an identifier may begin.
pub(super) fn for_each_start(tokens: &Tokens<'_>, mut begins: impl FnMut(usize)) {
    let after = tokens.digit_range().end;
    let first = first_start(tokens);
    if !tokens
        .as_slice()
        .iter()
        .take(after + MAX_TOKENS_AFTER_DIGIT)
        .skip(first)
        .any(|token| token.kind == TokenKind::Word)
    {
        return;
    }
    for window in (first..after).step_by(TokenBitmap::STEP) {
        let mut starts = window_starts(&TokenBitmap::from_range(tokens, window..after + MAX_TOKENS_AFTER_DIGIT));
        while starts != 0 {
            let at = window + starts.trailing_zeros() as usize;
            starts &= starts - 1;
            if may_begin(tokens, at) {
                begins(at);
            }
        }
    }
}

/// The first token at which an identifier may begin.
fn first_start(tokens: &Tokens<'_>) -> usize {
    let number = tokens.digit_range().start;
    let mut first = number.saturating_sub(MAX_TOKENS_BEFORE_DIGIT);
    while first > 0
        && first + MAX_TOKENS > number
        && (is_joined_separator(tokens.at(first)) || is_joined_separator(tokens.before(first)))
    {
        first -= 1;
    }
    first
}

/// The tokens of a window at which an identifier may begin, one bit each. Most texts with digits have none.
/// [`may_begin`] checks the rest.
fn window_starts(bitmap: &TokenBitmap) -> u64 {
    let TokenBitmap { words, digits, separators, adjacent, spaced, code_words, .. } = *bitmap;
    let values = words | digits;
    let follows = values & (adjacent | spaced & (!words | code_words)) | separators;
    // An identifier that begins with digits must have letters within [`MAX_LEADING_DIGIT_TOKENS`] tokens.
    let mut lettered = words & follows;
    for _ in 0..MAX_LEADING_DIGIT_TOKENS {
        lettered |= (lettered & follows) >> 1;
    }
    let begins = values & !(words & spaced >> 1 & !code_words) & follows >> 1;
    let near = digits & lettered
        | words & (digits >> 1 | (words | separators) >> 1 & digits >> 2 | separators >> 1 & words >> 2);
    begins & near & TokenBitmap::STEP_MASK
}

/// Whether an identifier may begin at a token: digits are near, and the token is not in the middle of a segment.
fn may_begin(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next, third) = (tokens.at(at), tokens.at(at + 1), tokens.at(at + 2));
    if !token.is_alphanumeric() || token.byte_len() > MAX_IDENTIFIER_LENGTH {
        return false;
    }
    let digits_near = token.kind == TokenKind::Digits
        || next.kind == TokenKind::Digits
        || next.kind == TokenKind::Mark && third.kind == TokenKind::Digits
        || token.byte_len() <= 3
            && next.kind == TokenKind::Word
            && next.byte_len() <= 3
            && third.kind == TokenKind::Digits
        || token.byte_len() <= 3
            && next.kind == TokenKind::Mark
            && third.kind == TokenKind::Word
            && third.byte_len() <= 3;
    if !digits_near || !may_continue(tokens, at + 1) {
        return false;
    }
    let before = tokens.before(at);
    let is_inside = token.gap == Gap::None
        && (before.is_alphanumeric()
            || before.kind == TokenKind::Mask
            || before.kind == TokenKind::Mark && matches!(before.mark(), b'_' | b'@'));
    let is_spaced = token.kind == TokenKind::Word && next.gap == Gap::Space;
    !is_inside && (!is_spaced || is_code_like(tokens, at))
}

/// Whether an identifier can continue with the token after its first. An identifier needs letters and digits, and no
/// token has both.
fn may_continue(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if token.is_alphanumeric() {
        token.gap == Gap::None || token.gap == Gap::Space && is_code_like(tokens, at)
    } else {
        is_inner_separator(tokens, at)
    }
}

/// Whether a word apart from digits can be a group of an identifier: one letter, capitals, up to four letters of an
/// unknown word, or a word right before digits.
pub(crate) fn is_code_like(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    token.kind != TokenKind::Word
        || token.byte_len() == 1
        || token.slot() == 0 && token.byte_len() <= 4
        || next.kind == TokenKind::Digits && next.gap == Gap::None
        || token.byte_len() <= 6 && tokens.str(token).bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether a token is a mark between two groups of an identifier, without a space.
pub(super) fn is_inner_separator(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.byte_len() == 1 && is_joined_separator(token) && tokens.at(at + 1).gap == Gap::None
}
