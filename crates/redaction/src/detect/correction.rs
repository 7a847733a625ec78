//! Corrections of a speaker: "four five no sorry four six". The whole stretch is masked, because the part before the
//! correction is mostly right.

use super::{DetectorInput, flags, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::numbers::is_number_token;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Words of a correction. The first [`SURE_WORDS`] are enough for one.
const WORDS: [&str; 30] = [
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
    "i",
    "that",
    "make",
    "it",
];
const SURE_WORDS: usize = 26;
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
        let is_word = is_one_of(tokens, token, &WORDS);
        if !(is_word || token.is_mark(b',') || flags(token) & flag::FILLER != 0) || token.gap >= Gap::Line {
            break;
        }
        is_sure |= is_word && is_one_of(tokens, token, &WORDS[..SURE_WORDS]);
        end += 1;
    }
    is_sure.then_some(end)
}

/// Extends each number to the digits that it corrects and that correct it.
pub(super) fn extend(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let tokens = input.tokens;
    let is_extendable = |c: &Candidate| ENTITIES.contains(c.entity) && c.evidence <= EvidenceRank::Shape;
    if !out.as_slice().iter().any(is_extendable) || !has_correction(tokens) {
        return;
    }
    out.extend_each(is_extendable, |candidate| {
        let first = tokens.as_slice().partition_point(|token| token.end <= candidate.start);
        let after = tokens.as_slice().partition_point(|token| token.start < candidate.end);
        let start = corrected_start(tokens, first).map_or(candidate.start, |first| tokens.at(first).start);
        let end = correcting_end(tokens, after).map_or(candidate.end, |after| tokens.before(after).end);
        (start, end)
    });
}

fn has_correction(tokens: &Tokens<'_>) -> bool {
    let range = tokens.number_range();
    range.into_iter().any(|at| is_one_of(tokens, tokens.at(at), &WORDS[..SURE_WORDS]))
}

/// The first token of the digits before a correction that ends before token `first`.
fn corrected_start(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let from = first.saturating_sub(2 * MAX_WORDS);
    let correction = (from..first)
        .find(|at| *at > 0 && is_number_token(tokens.before(*at)) && correction_end(tokens, *at) == Some(first))?;
    let mut start = correction;
    while start > correction.saturating_sub(MAX_NUMBER_TOKENS) && start > 0 && continues_number(tokens, start - 1) {
        start -= 1;
    }
    while start < correction && !is_number_token(tokens.at(start)) {
        start += 1;
    }
    (start < correction).then_some(start)
}

/// The token after the digits that follow a correction from token `after` on.
fn correcting_end(tokens: &Tokens<'_>, after: usize) -> Option<usize> {
    let number = correction_end(tokens, after)?;
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
    (digits >= MIN_CORRECTING_DIGITS && !is_count).then_some(end)
}

/// Minimum digits of a correction that is masked on its own.
const MIN_CORRECTING_DIGITS: usize = 2;

/// Whether a token can be inside a number: a number, a filler or a mark between digits.
fn continues_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let is_joint = token.kind == TokenKind::Mark && matches!(token.mark(), b'-' | b'.' | b',' | b'/');
    (is_number_token(token) || is_joint || flags(token) & flag::FILLER != 0) && (at == 0 || token.gap < Gap::Line)
}
