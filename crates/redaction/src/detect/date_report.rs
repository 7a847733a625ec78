//! Reports the dates with the month in letters, and decides what a date is.

use super::cue_link::{CueLink, LastValue, cue_links};
use super::{DetectorInput, is_one_of};
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
        let (entity, reason, evidence) = classify_date(input, *first, cue, out.active());
        out.push_fully_masked(start, end, entity, reason, evidence);
    }
}

/// Whether "born" stands before a date in French or Italian, whose words for it mean other things in other places.
fn follows_born(input: &DetectorInput<'_, '_>, first: usize) -> bool {
    const BORN: [&str; 4] = ["né", "née", "nato", "nata"];
    let tokens = input.tokens;
    let has_article = is_one_of(tokens, tokens.before(first), &["le", "il", "l"]);
    let before = first.checked_sub(1 + usize::from(has_article));
    before.is_some_and(|at| is_one_of(tokens, tokens.at(at), &BORN))
}

/// The entity of a date, by its cue or by an earlier message: the expiry date of a card, a date of birth, or any date.
pub(crate) fn classify_date(
    input: &DetectorInput<'_, '_>,
    first: usize,
    cue: Option<CueLink>,
    active: EntitySet,
) -> (Entity, DetectionReason, EvidenceRank) {
    let (expiry, birth) = (Entity::CARD_EXPIRATION_DATE, Entity::DOB);
    let named = |entity: Entity| active.contains(entity) && cue.is_some_and(|cue| cue.entities.contains(entity));
    let asked = |entity: Entity| active.contains(entity) && input.expected_entities.contains(entity);
    let is_birth = active.contains(birth) && follows_born(input, first);
    if let Some(entity) = [expiry, birth].into_iter().find(|entity| named(*entity)).or(is_birth.then_some(birth)) {
        (entity, DetectionReason::Cue, EvidenceRank::Cue)
    } else if let Some(entity) = [birth, expiry].into_iter().find(|entity| asked(*entity)) {
        (entity, DetectionReason::EarlierCue, EvidenceRank::Cue)
    } else {
        (Entity::DATE, DetectionReason::Shape, EvidenceRank::Shape)
    }
}
