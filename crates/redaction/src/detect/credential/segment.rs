//! Segments, which are tokens without spaces between, and the possible values and addresses in them.

use crate::detect::is_one_of;
use crate::tables::word_set::TOP_LEVEL_DOMAIN_SET;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// The token after a segment, which is tokens without a space between.
pub(super) fn segment_end(tokens: &Tokens<'_>, first: usize) -> usize {
    const MAX_SEGMENT_TOKENS: usize = 64;
    let mut after = first + 1;
    while after < first + MAX_SEGMENT_TOKENS && tokens.at(after).gap == Gap::None && after < tokens.len() {
        after += 1;
    }
    after
}

/// Whether a mark begins a value: it touches letters or digits and is no punctuation.
pub(super) fn begins_secret(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let is_free = token.gap != Gap::None || matches!(tokens.before(at).mark(), b':' | b'=' | b'"' | b'\'' | b'(');
    let is_secret_mark =
        matches!(token.mark(), b'!' | b'@' | b'#' | b'$' | b'%' | b'&' | b'?' | b'_' | b'+' | b'~' | b'^');
    is_free
        && token.byte_len() == 1
        && next.gap == Gap::None
        && (is_secret_mark && next.is_alphanumeric() || is_joint_of_code(tokens, at))
}

/// Whether a hyphen or full stop, or one of two marks, begins a segment of letters and digits: "-harbor8", ".maple7".
fn is_joint_of_code(tokens: &Tokens<'_>, at: usize) -> bool {
    const MARKS: &[u8] = b"!@#$%&?_+~^-.";
    let has = |kind: TokenKind| (at..segment_end(tokens, at)).any(|at| tokens.at(at).kind == kind);
    let (mark, next) = (tokens.at(at), tokens.at(at + 1));
    let is_joined = next.kind == TokenKind::Word || next.kind == TokenKind::Mark && MARKS.contains(&next.mark());
    mark.kind == TokenKind::Mark
        && MARKS.contains(&mark.mark())
        && is_joined
        && has(TokenKind::Word)
        && has(TokenKind::Digits)
}

/// The token after an e-mail address or web address that begins at a token.
pub(super) fn address_end(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<usize> {
    let position = |mark: u8| (at..end).find(|at| tokens.at(*at).is_mark(mark));
    let is_domain = |first: usize| {
        let last = (first..end).rev().find(|at| tokens.at(*at).is_alphanumeric())?;
        let is_dotted = last > first && tokens.before(last).is_mark(b'.') && tokens.at(last).kind == TokenKind::Word;
        (is_dotted && TOP_LEVEL_DOMAIN_SET.contains(tokens.str(tokens.at(last)))).then_some(last + 1)
    };
    let has_scheme =
        tokens.at(at + 1).is_mark(b':') && tokens.at(at + 2).is_mark(b'/') && tokens.at(at + 2).gap == Gap::None;
    if has_scheme || is_one_of(tokens, tokens.at(at), &["www"]) && end > at + 2 {
        return Some(end);
    }
    if let Some(sign) = position(b'@') {
        let is_end =
            |at: &usize| matches!(tokens.at(*at).mark(), b':' | b'/' | b'|') && tokens.at(*at).kind == TokenKind::Mark;
        let end = (sign..end).find(is_end).unwrap_or(end);
        let is_domain = |first: usize| {
            let last = (first..end).rev().find(|at| tokens.at(*at).is_alphanumeric())?;
            let is_dotted =
                last > first && tokens.before(last).is_mark(b'.') && tokens.at(last).kind == TokenKind::Word;
            (is_dotted && TOP_LEVEL_DOMAIN_SET.contains(tokens.str(tokens.at(last)))).then_some(last + 1)
        };
        return if sign > at { is_domain(sign + 1) } else { None };
    }
    if let Some(after) = position(b'/').and_then(|slash| is_domain_name(tokens, at, slash)) {
        return Some(after.max(end));
    }
    let has_digits = (at..end).any(|at| tokens.at(at).kind == TokenKind::Digits);
    if has_digits { None } else { is_domain(at) }
}

/// The token after the domain name at tokens `first..end`.
fn is_domain_name(tokens: &Tokens<'_>, first: usize, end: usize) -> Option<usize> {
    let last = tokens.before(end);
    (end > first + 2 && tokens.at(end - 2).is_mark(b'.') && TOP_LEVEL_DOMAIN_SET.contains(tokens.str(last)))
        .then_some(end)
}

/// The token after a possible value at `at`, without the marks that close a sentence and without a second part after
/// ":", "=", "/" or ",".
pub(super) fn core_end(tokens: &Tokens<'_>, at: usize, end: usize) -> usize {
    let is_word = tokens.at(at).kind == TokenKind::Word;
    let mut after = at + 1;
    while after < end {
        let token = tokens.at(after);
        let is_last = after + 1 == end;
        let splits = match token.kind {
            TokenKind::Mark => match token.mark() {
                b',' | b';' | b'"' | b')' | b']' | b'}' | b'>' | b'<' | b'(' => true,
                b':' | b'=' => is_last || after == at + 1 && is_word,
                b'/' => {
                    tokens.at(after + 1).kind == TokenKind::Word && tokens.at(after + 1).gap == Gap::None || is_last
                }
                b'!' => only_marks(tokens, after, end),
                b'?' | b'.' | b'\'' => {
                    is_last
                        || !tokens.at(after + 1).is_alphanumeric()
                            && token.mark() != b'?'
                            && only_marks(tokens, after, end)
                }
                b'-' => tokens.at(after + 1).is_mark(b'>'),
                _ => false,
            },
            TokenKind::Mask => token.byte_len() > 2 || is_last,
            TokenKind::Word | TokenKind::Digits | TokenKind::Edge => false,
        };
        if splits {
            break;
        }
        after += 1;
    }
    after
}

fn only_marks(tokens: &Tokens<'_>, first: usize, end: usize) -> bool {
    (first..end).all(|at| tokens.at(at).kind == TokenKind::Mark)
}
