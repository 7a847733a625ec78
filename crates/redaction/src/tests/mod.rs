//! Tests of the whole engine.

mod access_codes;
mod ages;
mod ages_of_people;
mod answers_without_secret;
mod bank_codes;
mod births;
mod card_conversations;
mod card_expiry;
mod card_floor;
mod card_joints;
mod catalogue;
mod classifier;
mod context;
mod credential;
mod credential_hints;
mod cued_numbers;
mod dates_said;
pub(crate) mod dice;
mod dictated_numbers;
mod dictated_parts;
mod disguised_email;
mod forms;
mod harmless_numbers;
mod keys;
mod lock_numbers;
mod long_texts;
mod made_up_values;
mod mask_tokens;
mod name_positions;
mod names_of_things;
mod postal_codes;
mod properties;
mod prose;
mod questions;
mod records;
mod references;
mod run_entities;
mod secret_hints;
mod secrets_apart;
mod sent_codes;
mod set_secrets;
mod short_codes;
mod side_talk;
mod sole_codes;
mod spelled_names;
mod spelled_runs;
mod split_number;
mod spoken;
mod spoken_places;
mod tagger;
mod told_again;
mod told_apart;
mod topic_answers;
mod topic_numbers;
mod topic_papers;
mod unexplained_codes;
mod unnamed_secrets;
mod vehicles;

use crate::{Entity, EntitySet, Redactor};

/// A text masked with only this entity active.
fn masked(entity: Entity, text: &str) -> String {
    Redactor::new(EntitySet::from_iter([entity])).redact(text, &[]).text.into_owned()
}

/// A text masked with the entities that are active by default.
fn masked_by_default(text: &str) -> String {
    Redactor::new(EntitySet::defaults()).redact(text, &[]).text.into_owned()
}

/// Entities whose values can mix letters and digits after a cue.
const CODES: EntitySet = EntitySet::from_slice(&[
    Entity::BOOKING_REFERENCE,
    Entity::POLICY_NUMBER,
    Entity::ORDER_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::PASSPORT_NUMBER,
    Entity::UK_POSTCODE,
    Entity::VIN,
]);
