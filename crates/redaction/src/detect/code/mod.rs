//! Codes of letters and digits after a cue: booking references, policy and order numbers, licences, member ids.

mod form;
mod plate;
mod prefixed;
mod reference;

pub(super) use plate::is_of_vehicle;

use self::form::{begins_code, code_end};
use super::{DetectorInput, flags, is_connector};
use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Entities whose values are any mix of letters and digits.
pub(crate) const CODE_ENTITIES: EntitySet = EntitySet::from_slice(&[
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

/// Maximum tokens between a cue and its code.
const MAX_CONNECTOR_TOKENS: usize = 8;
/// Maximum tokens of an answer.
const MAX_ANSWER_TOKENS: usize = 20;

/// Looks for a code after every cue for one, in an answer to an earlier question, and by its form.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(CODE_ENTITIES).and(out.active());
        if !set.is_empty() {
            detect_after_cue(input, cue, set, out);
        }
    }
    let set = input.expected_entities.and(CODE_ENTITIES).and(out.active());
    if !set.is_empty() {
        detect_answer(input, set, out);
    }
    plate::detect(input, out);
    prefixed::detect(input, out);
    reference::detect(input, out);
}

fn detect_after_cue(input: &DetectorInput<'_, '_>, cue: &Cue, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let mut at = cue.end_token as usize;
    let limit = at + MAX_CONNECTOR_TOKENS;
    while at < limit && !begins_code(tokens, at) {
        if !is_connector(tokens, at) || tokens.at(at).gap >= Gap::Paragraph {
            return;
        }
        at += 1;
    }
    let Some(after) = code_end(tokens, at) else { return };
    let is_bare = at == cue.end_token as usize && !super::is_one_of(tokens, tokens.before(at), &NUMBER_WORDS);
    if at < limit && !(is_bare && is_prose_word(tokens, at)) {
        push(tokens, at, after, set, DetectionReason::Cue, EvidenceRank::Cue, out);
    }
}

/// Reports the code of a message that is a code and little else, as the answer to an earlier question.
fn detect_answer(input: &DetectorInput<'_, '_>, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let Some(first) = answer_start(tokens) else { return };
    if let Some(after) = code_end(tokens, first) {
        push(tokens, first, after, set, DetectionReason::EarlierCue, EvidenceRank::Cue, out);
    }
}

/// The first token of a code that can answer a question: the code is in one segment, or is the whole message.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    if tokens.len() > MAX_ANSWER_TOKENS {
        return None;
    }
    (0..tokens.len()).find(|at| begins_code(tokens, *at)).filter(|first| {
        let (token, next) = (tokens.at(*first), tokens.at(first + 1));
        let is_stopword = flags(token) & (flag::STOPWORD | flag::CONNECTOR) != 0 && token.byte_len() > 1;
        let is_unbroken = next.gap == Gap::None && next.kind != TokenKind::Edge
            || token.kind == TokenKind::Word && next.kind != TokenKind::Digits;
        let is_message = code_end(tokens, *first)
            .is_some_and(|after| super::cue_link::is_whole_message(tokens, *first, after, false));
        !is_stopword && (is_unbroken || is_message)
    })
}

/// Last words of a cue that a code follows.
const NUMBER_WORDS: [&str; 6] = ["number", "no", "num", "id", "code", "reference"];

/// Whether a token is a common word before a number: the "limit" of "policy limit 5000", but not the "LINE" of "LINE
/// 5000".
fn is_prose_word(tokens: &Tokens<'_>, at: usize) -> bool {
    let (word, next) = (tokens.str(tokens.at(at)), tokens.at(at + 1));
    next.gap == Gap::Space
        && next.kind == TokenKind::Digits
        && word.len() >= 3
        && !word.bytes().all(|b| b.is_ascii_uppercase())
        && COMMON_WORD_SET.contains(word)
}

fn push(
    tokens: &Tokens<'_>,
    first: usize,
    after: usize,
    set: EntitySet,
    reason: DetectionReason,
    evidence: EvidenceRank,
    out: &mut Candidates,
) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    let (mut letters, mut digits) = (0, 0);
    for token in &tokens.as_slice()[first..after.min(tokens.len())] {
        match token.kind {
            TokenKind::Word => letters += token.byte_len(),
            TokenKind::Digits => digits += usize::from(token.digit_count()),
            TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => {}
        }
    }
    if letters == 0 {
        return;
    }
    // The numbers of bank accounts have no letters.
    let set = if set.contains(Entity::ACCOUNT_NUMBER) { set.without(Entity::BANK_ACCOUNT_NUMBER.bit()) } else { set };
    let matches_plate = || plate::has_plate_groups(&tokens.as_slice()[first..after.min(tokens.len())]);
    if let Some(entity) =
        set.iter().find(|e| matches_length(*e, letters, digits) && (*e != Entity::LICENSE_PLATE || matches_plate()))
    {
        out.push_fully_masked(start, end, entity, reason, evidence);
    }
}

/// Whether a code of an entity can have this number of letters and digits.
pub(super) fn matches_length(entity: Entity, letters: usize, digits: usize) -> bool {
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
        Entity::LICENSE_PLATE => (5..=10).contains(&n) && digits >= 2 && letters >= 1,
        Entity::VIN => n == 17,
        Entity::IN_VOTER_ID => n == 10 && letters == 3,
        Entity::SWIFT_BIC => matches!(n, 8 | 11) && letters >= 6,
        _ => false,
    }
}
