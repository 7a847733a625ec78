//! The entity of a value that no cue of its own names, or that "login" names.

use super::naming::{Link, Naming};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;
use crate::entity::Entity;

impl Search<'_, '_, '_> {
    /// Whether a value that "login" names is the password: it is made up as no name is, or follows the name.
    pub(super) fn is_secret_login(&self, value: Value, naming: Naming) -> bool {
        const REACH: usize = 9;
        let near = value.first.saturating_sub(REACH)..value.after + REACH;
        let is_login = near.into_iter().any(|at| self.pieces.is_word(at, &["login", "logins", "logon", "log"]));
        let is_name = self.pieces.is_word(value.first.wrapping_sub(1), &["as", "als", "como", "comme", "come"]);
        let is_changed = naming.link == Link::NamedChange && value.shape >= Shape::Mixed;
        is_login && !is_name && (self.is_pair(value.first) || value.shape == Shape::Strong || is_changed)
    }

    /// The entity of a value that neither the text nor a question names a secret. Said aloud, it is what an earlier message
    /// asks for; letters alone spell a name.
    pub(super) fn unnamed_entity(&self, value: Value, entity: Entity) -> Option<Entity> {
        let asks_name = self.asked.is_empty() || self.asked.contains(Entity::PERSON_NAME);
        match () {
            () if !self.known.is_empty() => Some(entity),
            // "network is the house one and then key X"
            () if value.is_spelled && self.pieces.before(value.first).is(class::WEAK_CUE) => Some(entity),
            () if value.may_be_name => asks_name.then_some(Entity::PERSON_NAME),
            () if value.is_spoken && value.shape < Shape::Strong && self.asks_other => {
                self.asked.contains(Entity::EMAIL).then_some(Entity::EMAIL)
            }
            () => Some(entity),
        }
    }

    /// The entity of a value that no cue of its own names.
    pub(super) fn default_entity(&self, at: usize) -> Option<Entity> {
        let asked = || {
            let both = self.expected.contains(Entity::USERNAME) && self.expected.contains(Entity::PASSWORD);
            let first = self.expected.iter().next()?;
            Some(if both && self.found.is_empty() { Entity::USERNAME } else { first })
        };
        let has_login = self.last.is_some_and(|last| last.is_login);
        let named = self.analysis.topics.entity_before(at).filter(|entity| !(has_login && *entity == Entity::USERNAME));
        named.or_else(asked).or_else(|| self.analysis.topics.entity_after(at)).or(Some(Entity::PASSWORD))
    }
}
