//! Street addresses: house number, name and type of the street, then dwelling, city, state and postal code.

use super::zip::state_at;
use crate::detect::internet::is_cued;
use crate::detect::{DetectorInput, flags};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum words between the house number and the type of the street.
const MAX_NAME_WORDS: usize = 5;
/// Maximum tokens of an address after its street.
const MAX_TAIL_TOKENS: usize = 14;

/// The token after the type of the street, if a house number at `first` begins an address.
#[inline(never)]
pub(super) fn street_end(input: &DetectorInput<'_, '_>, first: usize) -> Option<usize> {
    let tokens = input.tokens;
    if tokens.before(first).kind == TokenKind::Mask
        || tokens.before(first).is_mark(b'$')
        || tokens.before(first).is_mark(b':') && tokens.at(first).gap == Gap::None
    {
        return None;
    }
    let mut at = first + 1;
    if tokens.at(at).kind == TokenKind::Word && tokens.at(at).byte_len() == 1 && tokens.at(at).gap == Gap::None {
        at += 1;
    }
    let mut words = 0;
    let mut is_capitalized = true;
    let mut best = None;
    while words <= MAX_NAME_WORDS {
        let token = tokens.at(at);
        if token.gap > Gap::Space {
            break;
        }
        let is_ordinal = flags(token) & flag::DIGIT_SUFFIX != 0
            && tokens.before(at).kind == TokenKind::Digits
            && token.gap == Gap::None;
        let is_type = flags(token) & flag::STREET != 0 && !is_ordinal;
        if is_type
            && words > 0
            && (needs_no_capital(tokens, token)
                || is_capitalized && tokens.str(token).starts_with(|c: char| c.is_ascii_uppercase()))
        {
            best = Some(at + 1);
        }
        if token.is_mark(b'.') && at > first + 1 && token.gap == Gap::None {
            at += 1;
            continue;
        }
        let is_name_part = token.kind == TokenKind::Word
            && flags(token) & (flag::UNIT | flag::COPULA | flag::AND | flag::MONTH) == 0
            && !shows_count(tokens, token)
            || token.kind == TokenKind::Digits && token.digit_count() <= 3 && words <= 2;
        if !is_name_part {
            break;
        }
        is_capitalized &= token.kind != TokenKind::Word
            || tokens.str(token).starts_with(|c: char| c.is_uppercase())
            || flags(token) & flag::DIGIT_SUFFIX != 0;
        words += usize::from(flags(token) & flag::DIGIT_SUFFIX == 0);
        at += 1;
    }
    let number = tokens.at(first).digit_count();
    best.filter(|_| {
        is_capitalized && number <= 5 || number >= 2 || is_cued(input, first, first + 1, Entity::STREET_ADDRESS.bit())
    })
}

/// Whether a word is a type of street that is also accepted in small letters.
fn needs_no_capital(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    [
        "street",
        "st",
        "avenue",
        "ave",
        "av",
        "road",
        "rd",
        "drive",
        "dr",
        "lane",
        "ln",
        "boulevard",
        "blvd",
        "court",
        "ct",
        "highway",
        "hwy",
        "parkway",
        "pkwy",
        "expressway",
        "terrace",
        "circle",
        "crescent",
        "cir",
        "trail",
        "plaza",
        "way",
        "place",
        "loop",
        "alley",
        "cove",
        "trl",
    ]
    .iter()
    .any(|w| word.eq_ignore_ascii_case(w))
}

/// Whether a word shows that the number before it is a count. "new" and "old" begin names of streets.
fn shows_count(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    word.len() > 1
        && (flags(token) & flag::STOPWORD != 0
            && !word.eq_ignore_ascii_case("new")
            && !word.eq_ignore_ascii_case("old")
            || flags(token) & flag::CONNECTOR != 0
                && word.len() <= 4
                && flags(token) & flag::FILLER == 0
                && !word.eq_ignore_ascii_case("old"))
        && !word.starts_with(|c: char| c.is_ascii_uppercase())
        && flags(token) & flag::ORDINAL == 0
}

/// The token after the dwelling, city, state and postal code that follow a street.
pub(super) fn address_end(tokens: &Tokens<'_>, street: usize) -> usize {
    let mut best = street;
    let mut at = street;
    while at < street + MAX_TAIL_TOKENS {
        let token = tokens.at(at);
        if token.gap >= Gap::Paragraph {
            break;
        }
        if flags(token) & flag::DWELLING != 0 || token.is_mark(b'#') {
            let value_at = at + 1 + usize::from(tokens.at(at + 1).is_mark(b'.') || tokens.at(at + 1).is_mark(b'#'));
            let value = tokens.at(value_at);
            if !(value.kind == TokenKind::Digits || value.kind == TokenKind::Word && value.byte_len() <= 2) {
                break;
            }
            at = value_at + 1;
            best = at;
            continue;
        }
        if token.kind == TokenKind::Digits
            && matches!(token.digit_count(), 4..=6)
            && tokens.before(at).kind != TokenKind::Digits
        {
            let has_plus_four = tokens.at(at + 1).is_mark(b'-')
                && tokens.at(at + 2).kind == TokenKind::Digits
                && tokens.at(at + 2).digit_count() == 4;
            return at + if has_plus_four { 3 } else { 1 };
        }
        let (state, length) = state_at(tokens, at);
        if state {
            best = at + length;
            at += length;
            continue;
        }
        let is_word = token.kind == TokenKind::Word
            && flags(token) & (flag::CUE_HEAD | flag::AND | flag::COPULA | flag::STOPWORD) == 0;
        if !(is_word || token.is_mark(b',') || token.is_mark(b'.') && tokens.at(at + 1).gap == Gap::None) {
            break;
        }
        at += 1;
    }
    best
}
