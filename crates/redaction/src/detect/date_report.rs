//! Reports the dates with the month in letters.

use super::DetectorInput;
use super::cue_link::{LastValue, cue_links};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;

/// Entities that a date can be.
pub(crate) const DATE_ENTITIES: EntitySet =
    EntitySet::from_slice(&[Entity::DATE, Entity::DOB, Entity::CARD_EXPIRATION_DATE]);

/// Reports the dates: as card expiry dates or dates of birth if a cue or an earlier message says so.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(DATE_ENTITIES) {
        return;
    }
    for (first, after) in &input.dates().0 {
        let (start, end) = (input.tokens.at(*first).start, input.tokens.before(*after).end);
        let cue = cue_links(input, *first, *after, LastValue::default()).next();
        if let Some(a) = cue
            && a.entities.contains(Entity::CARD_EXPIRATION_DATE)
            && out.active().contains(Entity::CARD_EXPIRATION_DATE)
        {
            out.push_fully_masked(start, end, Entity::CARD_EXPIRATION_DATE, DetectionReason::Cue, EvidenceRank::Cue);
            continue;
        }
        let reason = match cue {
            Some(a) if a.entities.contains(Entity::DOB) => Some(DetectionReason::Cue),
            _ if input.expected_entities.contains(Entity::DOB) => Some(DetectionReason::EarlierCue),
            _ => None,
        };
        match reason {
            Some(reason) if out.active().contains(Entity::DOB) => {
                out.push_fully_masked(start, end, Entity::DOB, reason, EvidenceRank::Cue);
            }
            _ => out.push_fully_masked(start, end, Entity::DATE, DetectionReason::Shape, EvidenceRank::Shape),
        }
    }
}
