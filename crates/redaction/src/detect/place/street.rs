//! Street addresses: a house number, a name, the type of the street, and what follows it.

use super::zip::state_at;
use crate::detect::internet::is_cued;
use crate::detect::{Page, flags};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens};

/// Words between a house number and the type of the street at most.
const NAME: usize = 5;
/// Tokens of an address after its street at most.
const TAIL: usize = 14;

/// The token after the type of a street that a house number begins.
#[inline(never)]
pub(super) fn end(page: &Page<'_, '_>, first: usize) -> Option<usize> {
    let tokens = page.tokens;
    if tokens.before(first).kind == Kind::Mask
        || tokens.before(first).is_mark(b'$')
        || tokens.before(first).is_mark(b':') && tokens.at(first).gap == Gap::None
    {
        return None;
    }
    let mut at = first + 1;
    if tokens.at(at).kind == Kind::Word && tokens.at(at).bytes() == 1 && tokens.at(at).gap == Gap::None {
        at += 1;
    }
    let mut words = 0;
    let mut capital = true;
    let mut best = None;
    while words <= NAME {
        let token = tokens.at(at);
        if token.gap > Gap::Space {
            break;
        }
        let ordinal =
            flags(token) & flag::ENDING != 0 && tokens.before(at).kind == Kind::Digits && token.gap == Gap::None;
        let is_type = flags(token) & flag::STREET != 0 && !ordinal;
        if is_type
            && words > 0
            && (is_usual(tokens, token) || capital && tokens.str(token).starts_with(|c: char| c.is_ascii_uppercase()))
        {
            best = Some(at + 1);
        }
        if token.is_mark(b'.') && at > first + 1 && token.gap == Gap::None {
            at += 1;
            continue;
        }
        let part = token.kind == Kind::Word
            && flags(token) & (flag::UNIT | flag::IS | flag::AND | flag::MONTH) == 0
            && !is_prose(tokens, token)
            || token.kind == Kind::Digits && token.code <= 3 && words <= 2;
        if !part {
            break;
        }
        capital &= token.kind != Kind::Word
            || tokens.str(token).starts_with(|c: char| c.is_uppercase())
            || flags(token) & flag::ENDING != 0;
        words += usize::from(flags(token) & flag::ENDING == 0);
        at += 1;
    }
    let number = tokens.at(first).code;
    best.filter(|_| {
        capital && number <= 5 || number >= 2 || is_cued(page, first, first + 1, Entity::STREET_ADDRESS.bit())
    })
}

/// Types of streets that are hardly ever said of anything else.
fn is_usual(tokens: &Tokens<'_>, token: Token) -> bool {
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

/// Words that tell that the number before counts something.
fn is_prose(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    word.len() > 1
        && (flags(token) & flag::PLAIN != 0 && !word.eq_ignore_ascii_case("new") && !word.eq_ignore_ascii_case("old")
            || flags(token) & flag::LINK != 0
                && word.len() <= 4
                && flags(token) & flag::FILLER == 0
                && !word.eq_ignore_ascii_case("old"))
        && !word.starts_with(|c: char| c.is_ascii_uppercase())
        && flags(token) & flag::ORDINAL == 0
}

/// The token after unit, city, state and postal code, where they follow.
pub(super) fn tail(tokens: &Tokens<'_>, street: usize) -> usize {
    let mut best = street;
    let mut at = street;
    while at < street + TAIL {
        let token = tokens.at(at);
        if token.gap >= Gap::Paragraph {
            break;
        }
        if flags(token) & flag::DWELLING != 0 || token.is_mark(b'#') {
            let place = at + 1 + usize::from(tokens.at(at + 1).is_mark(b'.') || tokens.at(at + 1).is_mark(b'#'));
            let value = tokens.at(place);
            if !(value.kind == Kind::Digits || value.kind == Kind::Word && value.bytes() <= 2) {
                break;
            }
            at = place + 1;
            best = at;
            continue;
        }
        if token.kind == Kind::Digits
            && matches!(token.code, 4..=6)
            && at <= street + TAIL
            && tokens.before(at).kind != Kind::Digits
        {
            let plus = tokens.at(at + 1).is_mark(b'-')
                && tokens.at(at + 2).kind == Kind::Digits
                && tokens.at(at + 2).code == 4;
            return at + if plus { 3 } else { 1 };
        }
        let (state, length) = state_at(tokens, at);
        if state {
            best = at + length;
            at += length;
            continue;
        }
        let word = token.kind == Kind::Word && flags(token) & (flag::CUE | flag::AND | flag::IS | flag::PLAIN) == 0;
        if !(word || token.is_mark(b',') || token.is_mark(b'.') && tokens.at(at + 1).gap == Gap::None) {
            break;
        }
        at += 1;
    }
    best
}
