//! Asterisks beside a value: the head of a mask whose tail was kept readable, or emphasis as in Markdown.
//!
//! A mask that keeps a tail hides at least four letters or digits before it, joined to the tail as the groups of a value
//! are. Emphasis stands around a value, as many asterisks before it as after, and hides nothing.

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens};

/// Asterisks that a mask with a readable tail has at least: eight digits and more keep four.
const HIDDEN: usize = 4;
/// Asterisks of emphasis at most.
const EMPHASIS: usize = 3;
/// Tokens of a domain that are looked at.
const DOMAIN: usize = 16;
/// Tokens before a tail that are looked at.
const REACH: usize = 8;

/// Whether the value at tokens `first..after` is the readable tail of a mask.
pub(crate) fn is_tail(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    tokens.may_be_masked(first.saturating_sub(DOMAIN + 1), after)
        && (!is_enclosed(tokens, first, after) && hidden_before(tokens, first).0 >= HIDDEN
            || is_in_domain(tokens, first))
}

/// Whether a token belongs to the domain of an e-mail address whose local part is masked.
fn is_in_domain(tokens: &Tokens<'_>, first: usize) -> bool {
    let mut at = first;
    while at > first.saturating_sub(DOMAIN) && tokens.at(at).gap == Gap::None {
        at -= 1;
        let token = tokens.at(at);
        if token.is_mark(b'@') {
            return token.gap == Gap::None && tokens.before(at).kind == Kind::Mask;
        }
        if !(token.is_value() || token.is_mark(b'.') || token.is_mark(b'-')) {
            break;
        }
    }
    false
}

/// Whether as many asterisks touch a value on either side.
fn is_enclosed(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let (own, open, close) = (tokens.at(first), tokens.before(first), tokens.at(after));
    open.kind == Kind::Mask
        && close.kind == Kind::Mask
        && own.gap == Gap::None
        && close.gap == Gap::None
        && open.bytes() == close.bytes()
}

/// How many asterisks stand before a token with nothing but the joints of a number between, as far as that matters, and
/// the first token of them.
fn hidden_before(tokens: &Tokens<'_>, first: usize) -> (usize, usize) {
    let (mut hidden, mut head) = (0, first);
    for at in (first.saturating_sub(REACH)..first).rev() {
        let (token, gap) = (tokens.at(at), tokens.at(at + 1).gap);
        if hidden >= HIDDEN || gap == Gap::Paragraph || token.kind != Kind::Mask && !is_joint(token) {
            break;
        }
        if token.kind == Kind::Mask {
            (hidden, head) = (hidden + token.bytes(), at);
        }
    }
    (hidden, head)
}

/// The first of the asterisks before a token, as far as they make it the readable tail of a mask.
pub(crate) fn head(tokens: &Tokens<'_>, first: usize) -> usize {
    hidden_before(tokens, first).1
}

/// Whether a token may lie between two groups of one number.
fn is_joint(token: Token) -> bool {
    match token.kind {
        Kind::Mark => matches!(u8::try_from(token.code), Ok(b'-' | b'.' | b'/' | b'(' | b')' | b'+' | b',')),
        Kind::Word => token.flags & (flag::FILLER | flag::AND | flag::MARK) != 0,
        Kind::Digits | Kind::Mask | Kind::Edge => false,
    }
}

/// Whether a token is asterisks that open or close emphasis: they touch what they emphasise.
pub(crate) fn is_emphasis(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.at(at).kind == Kind::Mask && would_be_emphasis(tokens, at)
}

/// Whether a token would be taken for emphasis if it were asterisks.
pub(crate) fn would_be_emphasis(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    token.bytes() <= EMPHASIS && (token.gap == Gap::None || next.gap == Gap::None)
}
