//! Short codes and social security numbers in digits of another look: "cvv ⑦③⑦", "my pin is 4️⃣8️⃣2️⃣1️⃣".

use super::{DetectorInput, flags, is_connector};
use crate::candidate::{Candidates, EvidenceRank};
use crate::card_floor::folded::{self, FoldedValue};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind};

/// Entities that are masked in digits of another look.
const CODES: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN, Entity::SSN, Entity::ONE_TIME_PASSCODE]);
/// Maximum tokens between a cue and its value.
const MAX_CONNECTORS: usize = 5;
/// Maximum tokens of an answer, of which each digit may be one or two.
const MAX_ANSWER_TOKENS: usize = 20;

/// Adds the codes that a cue of the text or an earlier message names.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let named = input.named_entities.and(CODES).and(out.active());
    if named.is_empty() || input.tokens.text.is_ascii() {
        return;
    }
    for value in folded::values(input.tokens) {
        let cued = cued_entities(input, value);
        let (entities, reason) = if cued.is_empty() && input.tokens.len() <= MAX_ANSWER_TOKENS {
            (input.expected_entities, DetectionReason::EarlierCue)
        } else {
            (cued, DetectionReason::Cue)
        };
        let Some(entity) = entities.and(named).iter().find(|entity| has_length(*entity, value.count)) else { continue };
        if reason == DetectionReason::EarlierCue {
            out.record_answer();
        }
        out.push_fully_masked(value.start, value.end, entity, reason, EvidenceRank::Cue);
    }
}

/// The entities of the cue directly before a value.
fn cued_entities(input: &DetectorInput<'_, '_>, value: FoldedValue) -> EntitySet {
    let tokens = input.tokens;
    let first = tokens.as_slice().partition_point(|token| token.end <= value.start);
    let Some(cue) = input.cues_near_before(first).iter().rev().find(|cue| cue.end_token as usize <= first) else {
        return EntitySet::empty();
    };
    let from = cue.end_token as usize;
    let is_joint = |at: usize| {
        let token = tokens.at(at);
        let is_idle = flags(token) & (flag::CONNECTOR | flag::COPULA | flag::FILLER) != 0 || is_connector(tokens, at);
        token.gap < Gap::Paragraph && (token.kind == TokenKind::Mark || is_idle)
    };
    let is_near = first - from <= MAX_CONNECTORS && (from..first).all(is_joint);
    if is_near { cue.entities } else { EntitySet::empty() }
}

fn has_length(entity: Entity, count: usize) -> bool {
    match entity {
        Entity::CVV => matches!(count, 3 | 4),
        Entity::PIN | Entity::ONE_TIME_PASSCODE => (4..=8).contains(&count),
        Entity::SSN => count == 9,
        _ => false,
    }
}
