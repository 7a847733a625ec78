//! Identifiers without a cue: said aloud with valid check digits ("golf bravo two nine …"), or written or said in a text
//! that says that they were not accepted ("IE38 … you say invalid").

use super::value::Value;
use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::DetectorInput;
use crate::detect::rejection::is_rejected;
use crate::detect::spelled_code::{spelled_letter, symbol};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::identifier_outlines::OUTLINES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};
use crate::validate::banking::has_iban_structure;

/// Entities whose structure or check digits are evidence enough.
const ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::IBAN,
    Entity::IN_GSTIN,
    Entity::IN_PAN,
    Entity::UK_NINO,
    Entity::US_DEA_NUMBER,
    Entity::US_MEDICARE_ID,
    Entity::VIN,
]);
/// Entities that are found without check digits where words say that the number was not accepted.
const REFUSED: EntitySet = EntitySet::from_slice(&[Entity::UK_NINO, Entity::US_MEDICARE_ID]);
/// Maximum letters before the first digit.
const MAX_LETTERS_BEFORE: usize = 6;
/// Bytes of the country of an IBAN, or of the prefix of a national insurance number.
const COUNTRY_BYTES: usize = 2;
/// Letters and digits of the shortest identifier.
const MIN_LENGTH: usize = 8;
/// Minimum tokens beside an identifier that was not accepted.
const MIN_WORDS: usize = 4;
/// Tokens before an identifier in which a cue names another value.
const CUE_REACH: usize = 3;

/// Looks at each place where letters and digits begin.
pub(super) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let set = ENTITIES.and(out.active());
    if set.is_empty() {
        return;
    }
    let tokens = input.tokens;
    let numbers = tokens.number_range();
    let mut from = 0;
    for at in numbers.start.saturating_sub(MAX_LETTERS_BEFORE)..numbers.end {
        if at < from || !begins(tokens, at) || is_cued(input, at) {
            continue;
        }
        let value = Value::read(tokens, at);
        if let Some((entity, end)) = find(input, set, &value, at) {
            let (start, stop) = (tokens.at(at).start, tokens.before(end).end);
            out.push_fully_masked(start, stop, entity, DetectionReason::Shape, EvidenceRank::Shape);
            from = end;
        }
    }
}

/// The identifier that letters and digits from a token on are, and the token after it.
fn find(input: &DetectorInput<'_, '_>, set: EntitySet, value: &Value, at: usize) -> Option<(Entity, usize)> {
    let tokens = input.tokens;
    if value.length < MIN_LENGTH {
        return None;
    }
    let (end, compact) = (value.end_token(), value.compact());
    if spoken_letter(tokens, at)
        && let Some(entity) = set.iter().find(|entity| is_valid(input, *entity, compact))
    {
        return Some((entity, end));
    }
    let words = tokens.len().saturating_sub(end - at);
    if words < MIN_WORDS || !is_rejected(tokens, at, end) {
        return None;
    }
    let iban_end = if set.contains(Entity::IBAN) { value.fitting_end(has_iban_structure) } else { None };
    let refused = set.and(REFUSED).iter().find(|entity| has_outline(*entity, compact)).map(|entity| (entity, end));
    iban_end.map(|end| (Entity::IBAN, end)).or(refused)
}

/// Whether a token belongs to a cue, or a cue for another value stands right before it.
fn is_cued(input: &DetectorInput<'_, '_>, at: usize) -> bool {
    let reaches = |end: usize| (end..=end + CUE_REACH).contains(&at);
    input.cues_near_before(at + 1).iter().any(|cue| {
        let is_inside = (cue.first_token as usize..cue.end_token as usize).contains(&at);
        is_inside || reaches(cue.end_token as usize) && !cue.entities.intersects(ENTITIES)
    })
}

/// Whether letters and digits begin at a token, and none stand before it.
fn begins(tokens: &Tokens<'_>, at: usize) -> bool {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if at > 0 && token.gap == Gap::None && tokens.before(at).is_alphanumeric() {
        return false;
    }
    let is_letter = |token: Token| token.kind == TokenKind::Word && (token.byte_len() == 1 || is_spelling(token.flags));
    let is_digit = token.kind == TokenKind::Digits || token.flags & flag::DIGIT != 0;
    let is_said = is_letter(token) || is_digit && is_letter(next);
    let is_written = token.gap != Gap::None
        && token.kind == TokenKind::Word
        && token.byte_len() == COUNTRY_BYTES
        && next.kind == TokenKind::Digits;
    (is_said || is_written)
        && !(at > 0 && token.gap == Gap::Space && symbol(tokens, at - 1).is_some_and(|(.., after)| after == at))
}

const fn is_spelling(flags: u32) -> bool {
    flags & flag::SPELLING_ALPHABET != 0
}

fn spoken_letter(tokens: &Tokens<'_>, at: usize) -> bool {
    symbol(tokens, at).is_some_and(|(value, ..)| spelled_letter(value).is_some())
}

/// Whether check digits prove an identifier.
fn is_valid(input: &DetectorInput<'_, '_>, entity: Entity, compact: &[u8]) -> bool {
    input.identifiers.iter_with_length(compact.len()).any(|(i, e)| e == entity && (i.validator)(compact))
}

/// Whether letters and digits have the structure of an identifier, whatever their check digits.
fn has_outline(entity: Entity, compact: &[u8]) -> bool {
    OUTLINES.iter().any(|outline| outline.entity == entity && outline.fits(compact))
}
