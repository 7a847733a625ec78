//! Corrections of a speaker: "four five no sorry four six". The whole stretch is masked, because the part before the
//! correction is mostly right.

use super::cue_link::{LastValue, cue_links};
use super::digit_format::MISREADABLE;
use super::{DetectorInput, WordList, flags, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{NumberRun, RunBuffer, is_number_token};
use crate::registry::lookup::IdentifierSet;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words that are enough for a correction.
static SURE_WORDS: WordList = WordList::new(&[
    "no",
    "sorry",
    "wait",
    "actually",
    "scratch",
    "correction",
    "mean",
    "rather",
    "oops",
    "pardon",
    "perdon",
    "perdona",
    "scusa",
    "scusi",
    "desculpa",
    "nein",
    "entschuldigung",
    "desculpe",
    "anzi",
    "non",
    "não",
    "nao",
    "perdón",
    "restart",
    "apologies",
    "error",
]);
/// Further words of a correction.
const OTHER_WORDS: [&str; 4] = ["i", "that", "make", "it"];
/// Maximum words of a correction.
const MAX_WORDS: usize = 5;
/// Maximum tokens of a number that is corrected.
const MAX_NUMBER_TOKENS: usize = 40;

/// Entities whose numbers are masked with their corrections.
const ENTITIES: EntitySet = EntitySet::all().without(EntitySet::from_slice(&[
    Entity::NUMERIC_SEQUENCE,
    Entity::AGE,
    Entity::PROFANITY,
    Entity::PERSON_NAME,
    Entity::PASSWORD,
]));

/// The token after the words of a correction that begin at a token; `None` if no correction begins there.
pub(crate) fn correction_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let (mut end, mut is_sure) = (at, false);
    while end < at + 2 * MAX_WORDS {
        let token = tokens.at(end);
        let is_sure_word = SURE_WORDS.has(tokens, token);
        let is_word = is_sure_word || is_one_of(tokens, token, &OTHER_WORDS);
        if !(is_word || token.is_mark(b',') || flags(token) & flag::FILLER != 0) || token.gap >= Gap::Line {
            break;
        }
        is_sure |= is_sure_word;
        end += 1;
    }
    is_sure.then_some(end)
}

/// Extends each number to the digits that it corrects and that correct it.
pub(crate) fn extend(tokens: &Tokens<'_>, out: &mut Candidates) {
    let is_extendable = |c: &Candidate| ENTITIES.contains(c.entity) && c.evidence <= EvidenceRank::Shape;
    if !out.as_slice().iter().any(is_extendable) || !has_correction(tokens) {
        return;
    }
    out.extend_each(is_extendable, |candidate| extended(tokens, candidate.start, candidate.end));
}

/// The byte range of a number with the digits that it corrects and that correct it.
pub(crate) fn extended(tokens: &Tokens<'_>, start: u32, end: u32) -> (u32, u32) {
    let first = tokens.as_slice().partition_point(|token| token.end <= start);
    let after = tokens.as_slice().partition_point(|token| token.start < end);
    let start = corrected_start(tokens, first).map_or(start, |first| tokens.at(first).start);
    let end = correcting_end(tokens, after).map_or(end, |after| tokens.before(after).end);
    (start, end)
}

/// Adds each number of which a part is said wrong, then right, so that neither part is a value by itself: "the pin is
/// four two no sorry four three one one". A cue before the number or an earlier message names it.
pub(super) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let tokens = input.tokens;
    if input.named_entities.and(SPOKEN_ENTITIES).and(out.active()).is_empty() || !has_correction(tokens) {
        return;
    }
    let (mut buffer, mut next_buffer) = (RunBuffer::full_size(), RunBuffer::full_size());
    let (mut run, mut next) = (NumberRun::new(&mut buffer), NumberRun::new(&mut next_buffer));
    let mut from = 0;
    while let Some(first) = run.read(tokens, from) {
        from = run.end_token.max(first + 1);
        let Some(number) = correction_after(tokens, run.end_token) else { continue };
        if next.read(tokens, number) != Some(number) || run.is_mask_tail || is_exclamation(tokens, first, run.end_token)
        {
            continue;
        }
        let named = named_before(input, first, run.end_token);
        let (said, corrected) = (run.digits().len(), next.digits().len());
        let kept = said.saturating_sub(MAX_REPLACED_DIGITS)..=said;
        let lengths = kept.map(|kept| kept + corrected);
        let entity = named.and(SPOKEN_ENTITIES).and(out.active()).iter().find(|e| lengths.clone().any(|n| fits(*e, n)));
        if let Some((entity, (head, tail))) = entity.zip(run.digits().first().zip(next.digits().last())) {
            let (start, end) = (head.start, tail.end);
            out.record_answer();
            out.push_fully_masked(start, end, entity, DetectionReason::Cue, EvidenceRank::Cue);
            from = next.end_token;
        }
    }
}

/// The entities that the nearest cue names directly, or an earlier message if no cue does.
fn named_before(input: &DetectorInput<'_, '_>, first: usize, after: usize) -> EntitySet {
    let link = cue_links(input, first, after, LastValue::default()).next();
    match link {
        Some(link) if link.direct => link.entities,
        Some(_) => EntitySet::empty(),
        None => input.expected_entities,
    }
}

/// Whether a number of an entity can have this many digits.
fn fits(entity: Entity, digits: usize) -> bool {
    match entity {
        Entity::CVV => matches!(digits, 3 | 4),
        Entity::PIN => (4..=6).contains(&digits),
        Entity::SSN => matches!(digits, 4 | 9),
        Entity::PHONE_NUMBER => (10..=11).contains(&digits),
        Entity::CREDIT_CARD_NUMBER => (14..=16).contains(&digits),
        Entity::ONE_TIME_PASSCODE => (4..=8).contains(&digits),
        Entity::BANK_ACCOUNT_NUMBER | Entity::ACCOUNT_NUMBER => (6..=12).contains(&digits),
        _ => IdentifierSet::all().iter_with_length(digits).any(|(_, e)| e == entity),
    }
}

/// Entities whose numbers are dictated digit by digit.
const SPOKEN_ENTITIES: EntitySet = MISREADABLE.or(EntitySet::from_slice(&[
    Entity::CVV,
    Entity::PIN,
    Entity::SSN,
    Entity::PHONE_NUMBER,
    Entity::CREDIT_CARD_NUMBER,
    Entity::ONE_TIME_PASSCODE,
    Entity::BANK_ACCOUNT_NUMBER,
    Entity::ACCOUNT_NUMBER,
]));
/// Maximum digits that a correction replaces.
const MAX_REPLACED_DIGITS: usize = 8;

/// The token after a correction, before which the first letter of a broken-off word may stand: "four s no sorry".
fn correction_after(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let is_broken_off = tokens.at(at).kind == TokenKind::Word && tokens.at(at).byte_len() == 1;
    correction_end(tokens, at).or_else(|| if is_broken_off { correction_end(tokens, at + 1) } else { None })
}

fn has_correction(tokens: &Tokens<'_>) -> bool {
    let range = tokens.number_range();
    range.into_iter().any(|at| SURE_WORDS.has(tokens, tokens.at(at)))
}

/// The first token of the digits before a correction that ends before token `first`.
fn corrected_start(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let from = first.saturating_sub(2 * MAX_WORDS);
    let correction = (from..first)
        .find(|at| *at > 0 && is_number_token(tokens.before(*at)) && correction_after(tokens, *at) == Some(first))?;
    let mut start = correction;
    while start > correction.saturating_sub(MAX_NUMBER_TOKENS) && start > 0 && continues_number(tokens, start - 1) {
        start -= 1;
    }
    while start < correction && !is_number_token(tokens.at(start)) {
        start += 1;
    }
    (start < correction && !is_exclamation(tokens, start, correction)).then_some(start)
}

/// Whether the digits at tokens `first..after` are only the "oh" of "oh sorry".
fn is_exclamation(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    after == first + 1 && flags(tokens.at(first)) & flag::OH != 0
}

/// The token after the digits that follow a correction from token `after` on.
fn correcting_end(tokens: &Tokens<'_>, after: usize) -> Option<usize> {
    let number = correction_after(tokens, after)?;
    let mut end = number;
    while end < number + MAX_NUMBER_TOKENS && continues_number(tokens, end) {
        end += 1;
    }
    while end > number && !is_number_token(tokens.before(end)) {
        end -= 1;
    }
    let digits: usize = (number..end)
        .map(|at| if tokens.at(at).kind == TokenKind::Digits { usize::from(tokens.at(at).digit_count()) } else { 1 })
        .sum();
    let is_count = flags(tokens.at(end)) & flag::UNIT != 0;
    let is_last = tokens.at(end).kind == TokenKind::Edge;
    ((digits >= MIN_CORRECTING_DIGITS || digits > 0 && is_last) && !is_count).then_some(end)
}

/// Minimum digits of a correction that other words follow.
const MIN_CORRECTING_DIGITS: usize = 2;

/// Whether a token can be inside a number: a number, a filler or a mark between digits.
fn continues_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let is_joint = token.kind == TokenKind::Mark && matches!(token.mark(), b'-' | b'.' | b',' | b'/');
    (is_number_token(token) || is_joint || flags(token) & flag::FILLER != 0) && (at == 0 || token.gap < Gap::Line)
}
