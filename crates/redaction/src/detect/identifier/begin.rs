//! Where in a text an identifier of letters and digits may begin.

use super::outline::{Outline, is_joint};
use super::{DIGITS_FIRST, REACH};
use crate::registry::LONGEST;
use crate::tokenize::{Gap, Kind, Tokens};

/// Tokens before the first digit of an identifier at most, unless marks part the groups before it.
const NEAR: usize = 2;
/// Tokens behind the last digit of a text until the letters of an identifier at most.
const LETTERS_LAST: usize = 2;

/// Calls for each token with which an identifier may begin: with digits near, and not in the middle of a piece.
pub(super) fn each(tokens: &Tokens<'_>, mut begins: impl FnMut(usize)) {
    let after = tokens.digits().end;
    let first = first(tokens);
    if !tokens.all().iter().take(after + LETTERS_LAST).skip(first).any(|token| token.kind == Kind::Word) {
        return;
    }
    for window in (first..after).step_by(Outline::WINDOW) {
        let mut starts = starts(&Outline::of(tokens, window..after + LETTERS_LAST));
        while starts != 0 {
            let at = window + starts.trailing_zeros() as usize;
            starts &= starts - 1;
            if may_begin(tokens, at) {
                begins(at);
            }
        }
    }
}

/// The first token with which one may begin.
fn first(tokens: &Tokens<'_>) -> usize {
    let number = tokens.digits().start;
    let mut first = number.saturating_sub(NEAR);
    while first > 0 && first + REACH > number && (is_joint(tokens.at(first)) || is_joint(tokens.before(first))) {
        first -= 1;
    }
    first
}

/// Where in a window an identifier may begin; in most texts with digits nowhere. What is left is looked at closely.
fn starts(outline: &Outline) -> u64 {
    let Outline { words, digits, joints, close, apart, codes, .. } = *outline;
    let values = words | digits;
    let follows = values & (close | apart & (!words | codes)) | joints;
    // What begins with digits goes on to letters.
    let mut lettered = words & follows;
    for _ in 0..DIGITS_FIRST {
        lettered |= (lettered & follows) >> 1;
    }
    let begins = values & !(words & apart >> 1 & !codes) & follows >> 1;
    let near =
        digits & lettered | words & (digits >> 1 | (words | joints) >> 1 & digits >> 2 | joints >> 1 & words >> 2);
    begins & near & Outline::INNER
}

/// Whether an identifier may begin at a token: with digits near, and not in the middle of a piece.
fn may_begin(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next, third) = (tokens.at(at), tokens.at(at + 1), tokens.at(at + 2));
    if !token.is_value() || token.bytes() > LONGEST {
        return false;
    }
    let digits_near = token.kind == Kind::Digits
        || next.kind == Kind::Digits
        || next.kind == Kind::Mark && third.kind == Kind::Digits
        || token.bytes() <= 3 && next.kind == Kind::Word && next.bytes() <= 3 && third.kind == Kind::Digits
        || token.bytes() <= 3 && next.kind == Kind::Mark && third.kind == Kind::Word && third.bytes() <= 3;
    if !digits_near || !goes_on(tokens, at + 1) {
        return false;
    }
    let before = tokens.before(at);
    let inside = token.gap == Gap::None
        && (before.is_value()
            || before.kind == Kind::Mask
            || before.kind == Kind::Mark && matches!(u8::try_from(before.code), Ok(b'_' | b'@')));
    let apart = token.kind == Kind::Word && next.gap == Gap::Space;
    !inside && (!apart || is_code_like(tokens, at))
}

/// Whether an identifier can go on with the token after its first: it takes letters and digits, which no token has both.
fn goes_on(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if token.is_value() {
        token.gap == Gap::None || token.gap == Gap::Space && is_code_like(tokens, at)
    } else {
        joins(tokens, at)
    }
}

/// Whether a word apart from the digits can be a group of an identifier: a letter, capitals, or few letters of no word.
pub(crate) fn is_code_like(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    token.kind != Kind::Word
        || token.bytes() == 1
        || token.code == 0 && token.bytes() <= 4
        || next.kind == Kind::Digits && next.gap == Gap::None
        || token.bytes() <= 6 && tokens.str(token).bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether a mark stands between two groups of an identifier without a space.
pub(super) fn joins(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.bytes() == 1 && is_joint(token) && tokens.at(at + 1).gap == Gap::None
}
