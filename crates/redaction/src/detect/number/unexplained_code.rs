//! Numbers as long as a code that nothing explains, in talk about a code: "they want all pins changed, everybody uses 4821".
//!
//! What names the code can be anywhere in the message or in the question before it. The number must be a noun phrase by
//! itself: a number beside a noun counts or names that noun.

use super::code_format::{CARD_TALK, CODES, distance, fits};
use super::named_entities::has_other_meaning;
use super::report::push_named;
use crate::candidate::Candidates;
use crate::cues::{Cue, is_bare_code};
use crate::detect::credential::{WordSide, stands_beside_code};
use crate::detect::cue_scope::is_aside;
use crate::detect::{DetectorInput, flags, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::numbers::CARD_CODE_DIGITS;
use crate::numbers::slice::RunSlice;
use crate::span::DetectionReason;
use crate::tables::other_codes::OTHER_CODES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Digits of a code. A longer number is mostly that of an account.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=6;
/// Tokens of the longest message that is read so.
const MAX_TOKENS: usize = 90;
/// Tokens between a number and the name of another one that explains it.
const MAX_OTHER_DISTANCE: usize = 5;
/// Tokens between "the code" and its three digits.
const MAX_AFTER_CODE: usize = 4;
/// Digits of a code without a name that is no card's, and mostly none that was sent.
const UNNAMED_DIGITS: usize = 4;

/// Words of a message about a code that is no secret, beside [`OTHER_CODES`].
const FAILED_OR_DIALLED: [&str; 17] = [
    "decline",
    "declined",
    "response",
    "refused",
    "rejected",
    "failed",
    "fehler",
    "fehlercode",
    "erreur",
    "errore",
    "erro",
    "prefix",
    "vorwahl",
    "prefijo",
    "indicatif",
    "prefixo",
    "prefisso",
];

/// Reports a number that can only be the code of which the messages speak; false if the slice is none.
pub(super) fn detect(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>, out: &mut Candidates) -> bool {
    let is_code = DIGITS.contains(&slice.len())
        && input.tokens.len() <= MAX_TOKENS
        && slice.groups().len() == slice.run.groups().len()
        && (slice.groups().len() == 1 || slice.all_spoken())
        && !slice.follows_letter()
        && !slice.touches_word()
        && !slice.has_amount_word();
    if !is_code
        || !out.is_any_active(CODES)
        || !stands_alone(input, slice)
        || is_of_other(input, slice)
        || has_other_meaning(input, slice)
    {
        return false;
    }
    let entities = code_of(input, slice).iter().filter(|entity| fits(*entity, slice)).collect::<EntitySet>();
    if entities.is_empty() {
        return false;
    }
    let is_asked = input.expected_entities.intersects(entities);
    if is_asked {
        out.record_answer();
    }
    push_named(input, slice, entities, if is_asked { DetectionReason::EarlierCue } else { DetectionReason::Cue }, out);
    true
}

/// The codes that the messages speak of, and that a number which stands alone must be.
fn code_of(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> EntitySet {
    let is_code = |cue: &&Cue| !is_bare_code(cue) && cue.entities.intersects(CODES);
    let cues = input.cues_near(slice.first_token()).iter().filter(is_code);
    let named = cues.fold(EntitySet::empty(), |all, cue| all.or(cue.entities));
    // "what is your code", where nobody speaks of a card
    let is_pin = input.is_of_unnamed_code && slice.len() == UNNAMED_DIGITS;
    let asked = if is_pin {
        Entity::PIN.bit()
    } else if input.expected_entities.is_subset(CODES.or(CARD_TALK)) {
        input.expected_entities
    } else {
        EntitySet::empty()
    };
    let codes = named.or(asked).and(CODES);
    if codes.iter().any(|entity| fits(entity, slice)) {
        return codes;
    }
    if slice.len() == CARD_CODE_DIGITS && follows_bare_code(input, slice) {
        return Entity::CVV.bit();
    }
    EntitySet::empty()
}

/// Whether "the code" is right before three digits: nothing but the code of a card has so few.
fn follows_bare_code(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let is_near = |cue: &Cue| {
        let between = slice.first_token().checked_sub(cue.end_token as usize);
        is_bare_code(cue) && between.is_some_and(|between| between <= MAX_AFTER_CODE)
    };
    input.cues_near_before(slice.first_token()).iter().any(is_near) && !is_other_code(input.tokens, slice.first_token())
}

/// Whether the text around a number speaks of a code that is no secret: one that says why something failed, or gives a discount.
fn is_other_code(tokens: &Tokens<'_>, number: usize) -> bool {
    let is_of = |at: usize, words: &[&str]| is_one_of(tokens, tokens.at(at), words);
    tokens.near(number).any(|at| is_of(at, &OTHER_CODES) || is_of(at, &FAILED_OR_DIALLED))
}

/// Whether a number is a noun phrase by itself: only words that can stand beside one are directly before and after it.
fn stands_alone(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    let tokens = input.tokens;
    let (mut first, after) = (slice.first_token(), slice.end_token());
    while first > 0 && flags(tokens.before(first)) & flag::FILLER != 0 && flags(tokens.before(first)) & flag::UNIT == 0
    {
        first -= 1;
    }
    let (before, next) = (tokens.before(first), tokens.at(after));
    let is_open = |token: Token| [b':', b',', b'"', b'\'', b'(', b'='].iter().any(|mark| token.is_mark(*mark));
    let is_closed =
        |token: Token| [b',', b'"', b'\'', b')', b'.', b'!', b'?', b';'].iter().any(|mark| token.is_mark(*mark));
    let begins = first == 0 || tokens.at(first).gap >= Gap::Line;
    let ends = next.kind == TokenKind::Edge || next.gap >= Gap::Line;
    let joins = |mark: Token| {
        mark.gap == Gap::None && tokens.at(after + 1).gap == Gap::None && tokens.at(after + 1).kind != TokenKind::Edge
    };
    (begins
        || is_open(before) && tokens.at(first).gap <= Gap::Space
        || stands_beside_code(tokens, before, WordSide::Before)
        || is_elliptic(tokens, first))
        && (ends
            || is_closed(next) && !joins(next)
            || stands_beside_code(tokens, next, WordSide::After) && next.gap == Gap::Space)
}

/// Whether an adjective that tells one code from another is before a number, without its noun: "my usual 4821".
fn is_elliptic(tokens: &Tokens<'_>, first: usize) -> bool {
    const OWNERS: [&str; 8] = ["my", "our", "the", "his", "her", "their", "your", "its"];
    const ADJECTIVES: [&str; 16] = [
        "usual", "own", "old", "new", "current", "existing", "regular", "normal", "original", "previous", "standard",
        "default", "trusty", "other", "good", "same",
    ];
    first > 1
        && is_one_of(tokens, tokens.before(first), &ADJECTIVES)
        && is_one_of(tokens, tokens.at(first - 2), &OWNERS)
}

/// Whether the name of another number is near: it explains the digits.
fn is_of_other(input: &DetectorInput<'_, '_>, slice: RunSlice<'_, '_>) -> bool {
    // "guaranteed the room and read out the code 123"
    let is_code = |cue: &&Cue| cue.entities.intersects(CODES);
    let cues = input.cues_near(slice.first_token());
    let nearest = cues.iter().filter(is_code).map(|cue| distance(cue, slice)).min();
    let reach = nearest.map_or(MAX_OTHER_DISTANCE, |code| code.min(MAX_OTHER_DISTANCE));
    cues.iter().any(|cue| {
        let is_other =
            !cue.entities.intersects(CODES) && !is_bare_code(cue) && !is_aside(input, cue, slice.first_token());
        is_other && !is_call(input, cue) && distance(cue, slice) <= reach
    })
}

/// Whether a cue is a verb of telephoning or sending, which names no number.
fn is_call(input: &DetectorInput<'_, '_>, cue: &Cue) -> bool {
    const VERBS: [&str; 9] =
        ["call", "calling", "calls", "called", "texted", "emailed", "mailed", "phoned", "messaged"];
    is_one_of(input.tokens, input.tokens.at(cue.first_token as usize), &VERBS)
}
