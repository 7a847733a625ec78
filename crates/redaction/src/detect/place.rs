//! Street addresses, post boxes, and postal codes beside the name of a state.

use super::internet::is_cued;
use super::{Page, flags};
use crate::candidate::{Candidates, Proof};
use crate::check::number;
use crate::entity::{Entity, EntitySet};
use crate::scan::lexicon::id_of;
use crate::scan::words::flag;
use crate::scan::{Gap, Kind, Seen, Token, Tokens};
use crate::span::Reason;
use crate::table::us_states::US_STATES;

const WANTED: EntitySet = EntitySet::of(&[Entity::STREET_ADDRESS, Entity::ZIP_CODE, Entity::GEO_COORDINATES]);
/// Words between a house number and the type of the street at most.
const NAME: usize = 5;
/// Tokens of an address after its street at most.
const TAIL: usize = 14;

/// Looks at every number.
pub(crate) fn detect(page: &Page<'_, '_>, seen: &Seen, out: &mut Candidates) {
    if !out.wants(WANTED) {
        return;
    }
    let tokens = page.tokens;
    let mut at = 0;
    while let Some(skipped) = tokens.all().get(at..).and_then(|rest| rest.iter().position(is_start)) {
        at += skipped;
        let token = tokens.at(at);
        if token.kind == Kind::Digits {
            let street = if token.code <= 6 && seen.words & flag::STREET != 0 { street(page, at) } else { None };
            if let Some(after) = street {
                let after = tail(tokens, after);
                out.whole(token.start, tokens.before(after).end, Entity::STREET_ADDRESS, Reason::Shape, Proof::Shape);
                at = after;
                continue;
            }
            zip(tokens, at, out);
            if let Some(after) = coordinates(tokens, at) {
                let start = tokens.at(at - usize::from(is_minus(tokens, at))).start;
                out.whole(start, tokens.before(after).end, Entity::GEO_COORDINATES, Reason::Shape, Proof::Check);
                at = after;
                continue;
            }
        } else if is_box(tokens, at) {
            let first = box_start(tokens, at);
            out.whole(
                tokens.at(first).start,
                tokens.at(at + 1).end,
                Entity::STREET_ADDRESS,
                Reason::Shape,
                Proof::Shape,
            );
        }
        at += 1;
    }
}

/// Digits, or the word "box".
fn is_start(token: &Token) -> bool {
    token.kind == Kind::Digits || token.kind == Kind::Word && token.code == BOX
}

/// The word "box".
const BOX: u16 = id_of("box");

/// "box 123" after "p o".
fn is_box(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.kind == Kind::Word
        && token.code == BOX
        && tokens.at(at + 1).kind == Kind::Digits
        && tokens.at(at + 1).gap <= Gap::Space
        && box_start(tokens, at) < at
}

fn box_start(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut first = at;
    while first > 0 && at - first < 4 {
        let before = tokens.at(first - 1);
        let part = before.is_mark(b'.')
            || before.kind == Kind::Word && ["p", "o", "po"].iter().any(|w| tokens.str(before).eq_ignore_ascii_case(w));
        if !part || tokens.at(first).gap > Gap::Space {
            break;
        }
        first -= 1;
    }
    first
}

/// The token after a pair of decimal degrees in range.
fn coordinates(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let mut after = decimal(tokens, at, 90)?;
    let comma = tokens.at(after).is_mark(b',') || tokens.at(after).is_mark(b';');
    after += usize::from(comma);
    after += usize::from(tokens.at(after).is_mark(b'-') && tokens.at(after + 1).gap == Gap::None);
    if !comma && tokens.at(after).gap == Gap::None || tokens.at(after).gap > Gap::Space {
        return None;
    }
    decimal(tokens, after, 180)
}

/// The token after "37.7749", degrees with three decimals or more and up to a limit.
fn decimal(tokens: &Tokens<'_>, at: usize, most: u64) -> Option<usize> {
    let (whole, dot, part) = (tokens.at(at), tokens.at(at + 1), tokens.at(at + 2));
    let written = whole.kind == Kind::Digits
        && dot.is_mark(b'.')
        && dot.gap == Gap::None
        && part.kind == Kind::Digits
        && part.gap == Gap::None;
    let next = tokens.at(at + 3);
    let ends = !(next.is_mark(b'.')
        && next.gap == Gap::None
        && tokens.at(at + 4).kind == Kind::Digits
        && tokens.at(at + 4).gap == Gap::None);
    (written && ends && (3..=15).contains(&part.code) && number(tokens.str(whole).as_bytes())? <= most)
        .then_some(at + 3)
}

fn is_minus(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.before(at).is_mark(b'-') && tokens.at(at).gap == Gap::None && at > 0
}

/// The token after the type of a street that a house number begins.
fn street(page: &Page<'_, '_>, first: usize) -> Option<usize> {
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
fn tail(tokens: &Tokens<'_>, street: usize) -> usize {
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

/// Whether the name or abbreviation of a state begins at a token, and its tokens.
fn state_at(tokens: &Tokens<'_>, at: usize) -> (bool, usize) {
    let token = tokens.at(at);
    if token.kind != Kind::Word {
        return (false, 0);
    }
    let word = tokens.str(token);
    let next = tokens.at(at + 1);
    let first = word.bytes().next().map_or(0, |b| b | 0x20);
    for state in US_STATES
        .iter()
        .filter(|s| s.name.as_bytes().first() == Some(&first) || s.abbreviation.as_bytes().first() == Some(&first))
    {
        let upper = word.bytes().all(|b| b.is_ascii_uppercase());
        if word.len() == 2
            && word.eq_ignore_ascii_case(state.abbreviation)
            && (upper || !state.abbreviation_is_word || next.kind == Kind::Digits && next.code == 5)
        {
            return (true, 1);
        }
        if word.eq_ignore_ascii_case(state.name) {
            return (true, 1);
        }
        if let Some((head, rest)) = state.name.split_once(' ')
            && word.eq_ignore_ascii_case(head)
            && next.kind == Kind::Word
            && tokens.str(next).eq_ignore_ascii_case(rest)
        {
            return (true, 2);
        }
    }
    (false, 0)
}

/// Five digits after a state whose codes begin like them.
fn zip(tokens: &Tokens<'_>, at: usize, out: &mut Candidates) {
    let token = tokens.at(at);
    let mut before = at;
    if token.code != 5 || token.gap == Gap::None && tokens.before(at).is_value() {
        return;
    }
    if before > 0 && tokens.before(before).is_mark(b',') {
        before -= 1;
    }
    let one = before > 0 && state_at(tokens, before - 1) == (true, 1);
    let two = before > 1 && state_at(tokens, before - 2) == (true, 2);
    let known = number(tokens.str(token).as_bytes()).is_some_and(|n| n >= 500);
    if (one || two) && known && tokens.at(before).gap <= Gap::Space {
        let plus = tokens.at(at + 1).is_mark(b'-')
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 2).kind == Kind::Digits
            && tokens.at(at + 2).code == 4;
        let last = if plus { at + 2 } else { at };
        out.whole(token.start, tokens.at(last).end, Entity::ZIP_CODE, Reason::Cue, Proof::Cue);
    }
}
