//! Codes of letters and digits after a cue: booking references, policy and order numbers, licences, member ids.

use super::{Page, flags, links};
use crate::candidate::{Candidates, Proof};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tables::index::COMMON;
use crate::tables::plates::PLATES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, lexicon};

/// Entities whose values mix letters and digits freely.
pub(crate) const CODES: EntitySet = EntitySet::of(&[
    Entity::BOOKING_REFERENCE,
    Entity::POLICY_NUMBER,
    Entity::ORDER_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::HEALTH_PLAN_ID,
    Entity::PASSPORT_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::ONE_TIME_PASSCODE,
    Entity::LICENSE_PLATE,
    Entity::VIN,
    Entity::IN_VOTER_ID,
    Entity::SWIFT_BIC,
    Entity::PASSWORD,
]);

/// Tokens between a cue and its code, and of a code, at most.
const LINKS: usize = 8;
const REACH: usize = 14;
/// Tokens of an answer at most.
const ANSWER: usize = 20;
/// Letters and digits of a code at most.
const LONGEST: usize = 24;

/// Looks for a code after every cue for one.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    for cue in page.cues() {
        let set = cue.set.and(CODES).and(out.active());
        if !set.is_empty() {
            after_cue(page, cue, set, out);
        }
    }
    let set = page.armed.and(CODES).and(out.active());
    if !set.is_empty() {
        answer(page, set, out);
    }
}

fn after_cue(page: &Page<'_, '_>, cue: &Cue, set: EntitySet, out: &mut Candidates) {
    let tokens = page.tokens;
    let mut at = cue.after as usize;
    let limit = at + LINKS;
    while at < limit && !begins(tokens, at) {
        if !links(tokens, at) || tokens.at(at).gap >= Gap::Paragraph {
            return;
        }
        at += 1;
    }
    let Some(after) = end(tokens, at) else { return };
    let bare = at == cue.after as usize && !super::is_one_of(tokens, tokens.before(at), &NUMBERED);
    if at < limit && !(bare && is_of_prose(tokens, at)) {
        push(tokens, at, after, set, Reason::Cue, Proof::Cue, out);
    }
}

/// A message that is a code and little else answers an earlier question.
fn answer(page: &Page<'_, '_>, set: EntitySet, out: &mut Candidates) {
    let tokens = page.tokens;
    let Some(first) = may_answer(tokens) else { return };
    if let Some(after) = end(tokens, first) {
        push(tokens, first, after, set, Reason::EarlierCue, Proof::Cue, out);
    }
}

/// Where a code begins that may answer a question: in one piece, or all there is to the message.
pub(crate) fn may_answer(tokens: &Tokens<'_>) -> Option<usize> {
    if tokens.len() > ANSWER {
        return None;
    }
    (0..tokens.len()).find(|at| begins(tokens, *at)).filter(|first| {
        let (token, next) = (tokens.at(*first), tokens.at(first + 1));
        let plain = flags(token) & (flag::PLAIN | flag::LINK) != 0 && token.bytes() > 1;
        let piece =
            next.gap == Gap::None && next.kind != Kind::Edge || token.kind == Kind::Word && next.kind != Kind::Digits;
        let whole = end(tokens, *first).is_some_and(|after| super::announced::is_alone(tokens, *first, after, false));
        !plain && (piece || whole)
    })
}

/// Whether a code begins at a token: letters right before digits, or digits, or capitals alone.
fn begins(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind == Kind::Digits {
        return !super::is_tail_count(tokens, at);
    }
    if token.kind != Kind::Word {
        return false;
    }
    let touching = next.kind == Kind::Digits && next.gap == Gap::None;
    let dashed = next.is_mark(b'-')
        && next.gap == Gap::None
        && tokens.at(at + 2).gap == Gap::None
        && tokens.at(at + 2).is_value();
    let spaced =
        next.kind == Kind::Digits && next.gap <= Gap::Space && token.bytes() <= 5 && !is_sure_link(tokens, token);
    let mixed = token.kind == Kind::Digits;
    let spelled = mixed
        || token.bytes() == 1
            && next.kind == Kind::Word
            && next.bytes() <= 2
            && next.gap == Gap::Space
            && tokens.at(at + 2).kind == Kind::Digits
            && !matches!(tokens.str(token), "s" | "a" | "i");
    touching
        || dashed && (next.kind == Kind::Mark && token.bytes() <= 5)
        || spaced
        || spelled
        || is_capitals(tokens, token)
}

/// Last words of a cue behind which a code is expected.
const NUMBERED: [&str; 6] = ["number", "no", "num", "id", "code", "reference"];

/// "limit" of "policy limit 5000", not the "LINE" of "LINE 5000": a word beside a number, right behind a cue.
fn is_of_prose(tokens: &Tokens<'_>, at: usize) -> bool {
    let (word, next) = (tokens.str(tokens.at(at)), tokens.at(at + 1));
    next.gap == Gap::Space
        && next.kind == Kind::Digits
        && word.len() >= 3
        && !word.bytes().all(|b| b.is_ascii_uppercase())
        && COMMON.contains(word)
}

/// "QWRTZU" in a text that is not all capitals.
fn is_capitals(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    matches!(word.len(), 5 | 6 | 8 | 11)
        && word.bytes().all(|b| b.is_ascii_uppercase())
        && token.code == 0
        && tokens.text.bytes().any(|b| b.is_ascii_lowercase())
}

/// Words that stand before a number and are never part of it, besides those whose flags tell.
const SURE_LINKS: [&str; 42] = [
    "no", "num", "nr", "nbr", "number", "id", "code", "of", "the", "to", "for", "with", "in", "on", "digit", "last",
    "my", "your", "its", "it", "as", "at", "from", "these", "this", "that", "ends", "about", "value", "or", "by",
    "than", "past", "until", "till", "under", "over", "only", "since", "has", "have", "had",
];

/// Their letters, for a comparison at once: none has more than eight.
static SURE_LINK_KEYS: [u64; SURE_LINKS.len()] = {
    let mut keys = [0; SURE_LINKS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = lexicon::head_of(SURE_LINKS[at].as_bytes());
        at += 1;
    }
    keys
};

fn is_sure_link(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    flags(token) & (flag::IS | flag::AND | flag::FILLER | flag::UNIT | flag::MONTH) != 0
        || flags(token) & flag::CUE != 0 && word.len() > 2
        || word.len() <= 8 && SURE_LINK_KEYS.contains(&lexicon::head_of(word.as_bytes()))
}

/// The token after a code that begins at a token; `None` where it holds no digit and is no capitals.
fn end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let (mut at, mut length, mut digits) = (first, 0, 0);
    while at < first + REACH {
        let token = tokens.at(at);
        let joins = token.kind == Kind::Mark
            && token.bytes() == 1
            && token.gap == Gap::None
            && tokens.at(at + 1).gap == Gap::None
            && tokens.at(at + 1).is_value()
            && matches!(u8::try_from(token.code), Ok(b'-' | b'/' | b'.' | b'_'));
        let spaced = token.gap == Gap::Space && at > first;
        let fits = match token.kind {
            Kind::Digits => true,
            Kind::Word => at == first || token.gap == Gap::None || spaced && is_code_word(tokens, at),
            Kind::Mark => at > first && joins,
            Kind::Mask | Kind::Edge => false,
        };
        if !fits || at > first && token.gap > Gap::Space || length + token.bytes() > LONGEST {
            break;
        }
        if token.is_value() {
            length += token.bytes();
        }
        digits += if token.kind == Kind::Digits { token.bytes() } else { 0 };
        at += 1;
    }
    let ordinal = (first..at).any(|t| flags(tokens.at(t)) & flag::ENDING != 0 && tokens.before(t).kind == Kind::Digits);
    let whole = !ordinal && at > first && (digits > 0 || is_capitals(tokens, tokens.at(first)));
    let quantity = at == first + 1 && flags(tokens.at(at)) & flag::UNIT != 0;
    let masked = crate::masking::mask_tokens::is_tail(tokens, first, at);
    (whole && !quantity && !masked).then_some(at)
}

/// Whether a word after a space goes on with the code: short letters with digits behind, or a short end.
fn is_code_word(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    let digits_next = next.kind == Kind::Digits && next.gap <= Gap::Space;
    if is_sure_link(tokens, token)
        || flags(token) & (flag::NUMBER | flag::FILLER) != 0 && token.bytes() > 1
        || token.flags & flag::ENDING != 0
    {
        return false;
    }
    let plain = flags(token) & (flag::PLAIN | flag::LINK) != 0;
    if digits_next {
        token.bytes() <= 3 && (!plain || token.bytes() == 1)
    } else {
        token.bytes() <= 4 && !plain && (tokens.len() <= at + 1 || token.bytes() <= 2 || !next.is_value())
    }
}

fn push(
    tokens: &Tokens<'_>,
    first: usize,
    after: usize,
    set: EntitySet,
    reason: Reason,
    proof: Proof,
    out: &mut Candidates,
) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let (mut letters, mut digits) = (0, 0);
    for token in &tokens.all()[first..after.min(tokens.len())] {
        match token.kind {
            Kind::Word => letters += token.bytes(),
            Kind::Digits => digits += usize::from(token.code),
            Kind::Mark | Kind::Mask | Kind::Edge => {}
        }
    }
    if letters == 0 {
        return;
    }
    let plate = || is_plate(&tokens.all()[first..after.min(tokens.len())]);
    if let Some(entity) = set.iter().find(|e| fits(*e, letters, digits) && (*e != Entity::LICENSE_PLATE || plate())) {
        out.whole(start, end, entity, reason, proof);
    }
}

/// Whether tokens are groups of a plate, marks between them aside.
fn is_plate(tokens: &[Token]) -> bool {
    let groups = || {
        tokens
            .iter()
            .filter(|t| t.is_value())
            .map(|t| if t.kind == Kind::Digits { -i64::from(t.code) } else { i64::try_from(t.bytes()).unwrap_or(0) })
    };
    PLATES.iter().any(|plate| groups().eq(plate.iter().map(|n| i64::from(*n))))
}

/// Whether so many letters and digits fit.
pub(super) fn fits(entity: Entity, letters: usize, digits: usize) -> bool {
    let n = letters + digits;
    match entity {
        Entity::BOOKING_REFERENCE => (4..=13).contains(&n),
        Entity::POLICY_NUMBER | Entity::ORDER_NUMBER => (4..=20).contains(&n),
        Entity::ACCOUNT_NUMBER => (5..=17).contains(&n) && digits >= 2,
        Entity::BANK_ACCOUNT_NUMBER => (8..=17).contains(&n) && digits >= 5,
        Entity::MEDICAL_RECORD_NUMBER => (5..=12).contains(&n) && digits >= 2,
        Entity::HEALTH_PLAN_ID => (6..=15).contains(&n) && digits >= 2,
        Entity::PASSPORT_NUMBER => (7..=9).contains(&n) && digits >= 4,
        Entity::US_DRIVER_LICENSE => (5..=16).contains(&n) && digits >= 3,
        Entity::ONE_TIME_PASSCODE => (4..=8).contains(&n) && digits >= 2,
        Entity::LICENSE_PLATE => (5..=8).contains(&n) && digits >= 2 && letters >= 1,
        Entity::VIN => n == 17,
        Entity::IN_VOTER_ID => n == 10 && letters == 3,
        Entity::SWIFT_BIC => matches!(n, 8 | 11) && letters >= 6,
        _ => false,
    }
}
