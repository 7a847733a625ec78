//! Cards of documents: a cue for a card that another document's name qualifies names no payment card.

use super::cue::Cue;
use crate::entity::{Entity, EntitySet};
use crate::tokenize::lexicon::word_id;
use crate::tokenize::{Gap, Tokens};

/// Documents whose card is no payment card.
const DOCUMENTS: EntitySet = EntitySet::from_slice(&[
    Entity::SSN,
    Entity::PASSPORT_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
    Entity::AU_MEDICARE,
    Entity::HEALTH_PLAN_ID,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::CA_SIN,
    Entity::UK_NINO,
    Entity::UK_NHS_NUMBER,
    Entity::AU_TFN,
    Entity::IN_AADHAAR,
    Entity::IN_PAN,
    Entity::IN_VOTER_ID,
    Entity::SG_NRIC_FIN,
    Entity::EU_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::AFRICA_NATIONAL_ID,
]);

/// Whether a cue names a document that can be a card.
pub(super) fn names_document(cue: &Cue) -> bool {
    cue.entities.intersects(DOCUMENTS) && !cue.entities.contains(Entity::CREDIT_CARD_NUMBER)
}

/// Whether a cue begins with the word "card" itself, after a space.
pub(super) fn begins_with_card(tokens: &Tokens<'_>, first: usize) -> bool {
    tokens.at(first).slot() == word_id("card") && tokens.at(first).gap == Gap::Space
}
