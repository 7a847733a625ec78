//! The tokens of a text that can be part of a value.

use super::candidate_set::CandidateSet;
use super::view::View;
use super::{address_candidates, name_candidates};
use crate::entity::{Entity, EntitySet};

/// The candidates of a text for the active entities.
pub(super) fn find_candidates(view: &mut View<'_, '_>, active: EntitySet) -> CandidateSet {
    let mut set = CandidateSet::new(view.tokens.len());
    if active.contains(Entity::PERSON_NAME) {
        name_candidates::mark(view, &mut set);
    }
    if active.contains(Entity::STREET_ADDRESS) {
        address_candidates::mark(view, &mut set);
    }
    view.has_street = set.has_address_word;
    set
}
