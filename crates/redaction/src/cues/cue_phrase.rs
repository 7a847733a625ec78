//! A cue phrase, and the entities whose values can be words.

use crate::entity::{Entity, EntitySet};

/// A phrase that names values of certain entities.
#[derive(Clone, Copy)]
pub(crate) struct CuePhrase {
    /// Lower-case words, separated by one space.
    pub(crate) words: &'static str,
    /// The entities of the value. Empty: the value is none of the catalogue's entities.
    pub(crate) entities: EntitySet,
    /// Whether the phrase names a value only if a connector such as "is" or "number" joins them.
    pub(crate) needs_connector: bool,
}

/// Entities whose values can be words.
pub(crate) const WORD_VALUED: EntitySet = EntitySet::from_slice(&[
    Entity::PASSWORD,
    Entity::USERNAME,
    Entity::SECURITY_ANSWER,
    Entity::PERSON_NAME,
    Entity::BOOKING_REFERENCE,
    Entity::SWIFT_BIC,
    Entity::API_KEY,
]);
