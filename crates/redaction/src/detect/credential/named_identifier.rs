//! The identifier of letters and digits that a text or an earlier message names.

use super::piece::{PieceKind, Pieces};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};

/// Entities whose values are letters and digits that people spell.
const IDENTIFIERS: EntitySet = EntitySet::from_slice(&[
    Entity::IBAN,
    Entity::SWIFT_BIC,
    Entity::VIN,
    Entity::VAT_NUMBER,
    Entity::PASSPORT_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
    Entity::US_DEA_NUMBER,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::HEALTH_PLAN_ID,
    Entity::UK_NINO,
    Entity::UK_NHS_NUMBER,
    Entity::IN_PAN,
    Entity::IN_GSTIN,
    Entity::IN_VOTER_ID,
    Entity::SG_NRIC_FIN,
    Entity::EU_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::CRYPTO_ADDRESS,
    Entity::MAC_ADDRESS,
    Entity::IMEI,
    Entity::LICENSE_PLATE,
]);
/// Those of them that have no letters.
pub(super) const NUMERIC: EntitySet = EntitySet::from_slice(&[Entity::UK_NHS_NUMBER, Entity::IMEI]);

/// The identifier that cues or an earlier message name, if none names a secret.
pub(super) fn named_identifier(pieces: &Pieces<'_, '_>, cues: &[Cue], expected: EntitySet) -> Option<Entity> {
    let names = |set: EntitySet| cues.iter().any(|cue| cue.entities.intersects(set)) || expected.intersects(set);
    // The "d l" of "n three d l 4" is part of what is spelled.
    let is_spelled = |at: usize| {
        pieces.tokens.at(pieces.at(at).first as usize).byte_len() == 1
            && matches!(pieces.before(at).kind, PieceKind::Number | PieceKind::Letter)
            && at > 0
    };
    let is_piece = |cue: &Cue| {
        let is_first =
            |at: &usize| pieces.at(*at).kind == PieceKind::OtherCue && pieces.at(*at).first == cue.first_token;
        (0..pieces.len()).find(is_first).is_some_and(|at| !is_spelled(at))
    };
    let is_identifier = |cue: &&Cue| cue.entities.intersects(IDENTIFIERS) && is_piece(cue);
    let entities = cues.iter().rfind(is_identifier).map_or(expected, |cue| cue.entities);
    entities.and(IDENTIFIERS).iter().next().filter(|_| !names(Entity::PASSWORD.bit()))
}
