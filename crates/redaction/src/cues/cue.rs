//! A cue: the place in a text where words name the entity of a value.

use crate::entity::EntitySet;

/// A cue found in a text.
#[derive(Clone, Copy)]
pub(crate) struct Cue {
    /// First token.
    pub(crate) first_token: u32,
    /// Token after the last.
    pub(crate) end_token: u32,
    pub(crate) entities: EntitySet,
    pub(crate) needs_connector: bool,
}
