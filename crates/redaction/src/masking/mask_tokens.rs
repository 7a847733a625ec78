//! Mask tokens beside a value: the hidden part of a mask with a readable tail, or emphasis as in Markdown.
//!
//! A mask with a readable tail hides at least four letters or digits before the tail. The separators between them are
//! those of a number. Emphasis encloses a value in equal numbers of asterisks and hides nothing.

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Minimum number of asterisks in a mask with a readable tail: of eight digits or more, four stay readable.
const MIN_HIDDEN: usize = 4;
/// Maximum number of asterisks of emphasis.
const MAX_EMPHASIS: usize = 3;
/// Maximum number of tokens of a domain that are checked.
const MAX_DOMAIN_TOKENS: usize = 16;
/// Maximum number of tokens before a tail that are checked.
const MAX_TOKENS_BEFORE: usize = 8;

/// Whether the value at tokens `first..after` is the readable tail of a mask.
pub(crate) fn is_mask_tail(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    tokens.may_have_mask(first.saturating_sub(MAX_DOMAIN_TOKENS + 1), after)
        && (!is_enclosed(tokens, first, after) && hidden_before(tokens, first).0 >= MIN_HIDDEN
            || is_in_domain(tokens, first))
}

/// Whether a token belongs to the domain of an e-mail address whose local part is masked.
fn is_in_domain(tokens: &Tokens<'_>, first: usize) -> bool {
    let mut at = first;
    while at > first.saturating_sub(MAX_DOMAIN_TOKENS) && tokens.at(at).gap == Gap::None {
        at -= 1;
        let token = tokens.at(at);
        if token.is_mark(b'@') {
            return token.gap == Gap::None && tokens.before(at).kind == TokenKind::Mask;
        }
        if !(token.is_alphanumeric() || token.is_mark(b'.') || token.is_mark(b'-')) {
            break;
        }
    }
    false
}

/// Whether equal numbers of asterisks touch a value on both sides.
fn is_enclosed(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let (value, open, close) = (tokens.at(first), tokens.before(first), tokens.at(after));
    open.kind == TokenKind::Mask
        && close.kind == TokenKind::Mask
        && value.gap == Gap::None
        && close.gap == Gap::None
        && open.byte_len() == close.byte_len()
}

/// Counts the asterisks before a token, with only separators of a number between them. The count stops once it reaches
/// [`MIN_HIDDEN`]. Returns the count and the first token of the asterisks.
fn hidden_before(tokens: &Tokens<'_>, first: usize) -> (usize, usize) {
    let (mut hidden, mut start) = (0, first);
    for at in (first.saturating_sub(MAX_TOKENS_BEFORE)..first).rev() {
        let (token, gap) = (tokens.at(at), tokens.at(at + 1).gap);
        if hidden >= MIN_HIDDEN || gap == Gap::Paragraph || token.kind != TokenKind::Mask && !is_separator(token) {
            break;
        }
        if token.kind == TokenKind::Mask {
            (hidden, start) = (hidden + token.byte_len(), at);
        }
    }
    (hidden, start)
}

/// The first token of the asterisks of which a token is the readable tail; the token itself if it has none.
pub(crate) fn mask_start(tokens: &Tokens<'_>, first: usize) -> usize {
    hidden_before(tokens, first).1
}

/// Whether a token may separate two groups of a number.
fn is_separator(token: Token) -> bool {
    match token.kind {
        TokenKind::Mark => matches!(token.mark(), b'-' | b'.' | b'/' | b'(' | b')' | b'+' | b','),
        TokenKind::Word => token.flags & (flag::FILLER | flag::AND | flag::SPOKEN_MARK) != 0,
        TokenKind::Digits | TokenKind::Mask | TokenKind::Edge => false,
    }
}

/// Whether a token is asterisks that open or close emphasis: they touch the emphasised text.
pub(crate) fn is_emphasis(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.at(at).kind == TokenKind::Mask && would_be_emphasis(tokens, at)
}

/// Whether a token would be emphasis if it consisted of asterisks.
pub(crate) fn would_be_emphasis(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    token.byte_len() <= MAX_EMPHASIS && (token.gap == Gap::None || next.gap == Gap::None)
}
