//! Behaviour of the whole engine.

mod catalogue;
mod context;
pub(crate) mod dice;
mod disguised;
mod forms;
mod keys;
mod properties;
mod prose;
mod spelled;
mod spread;
mod starred;

use crate::{Entity, EntitySet, Redactor};

/// A text masked with one entity active.
fn masked(entity: Entity, text: &str) -> String {
    Redactor::new(EntitySet::from_iter([entity])).redact(text, &[]).text.into_owned()
}

/// A text masked with the entities that are active by default.
fn masked_by_default(text: &str) -> String {
    Redactor::new(EntitySet::defaults()).redact(text, &[]).text.into_owned()
}

/// Entities whose values mix letters and digits after a cue.
const CODES: EntitySet = EntitySet::of(&[
    Entity::BOOKING_REFERENCE,
    Entity::POLICY_NUMBER,
    Entity::ORDER_NUMBER,
    Entity::ACCOUNT_NUMBER,
    Entity::PASSPORT_NUMBER,
    Entity::UK_POSTCODE,
    Entity::VIN,
]);
