//! What the search finds.

use crate::entity::Entity;
use crate::span::DetectionReason;

/// A secret in a text, by its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Secret {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) entity: Entity,
    pub(super) reason: DetectionReason,
}
