//! A value that the tagger finds.

use crate::entity::Entity;
use std::ops::Range;

/// A value that the tagger found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) entity: Entity,
    pub(super) tokens: Range<usize>,
}
