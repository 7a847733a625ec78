//! What a piece of a text is.

use super::shape::Shape;
use crate::entity::Entity;

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceKind {
    /// A word, or several joined ones; its classes say of which kind.
    Word,
    /// A segment with digits or marks that may be a value.
    Segment,
    /// A number in digits or a number word.
    Number,
    /// One letter.
    Letter,
    /// A cue for a password, user name or security answer.
    Cue(Entity),
    /// A cue for another entity, or for none.
    OtherCue,
    /// A punctuation mark, by its ASCII code.
    Mark(u8),
    /// An e-mail address or a web address.
    Address,
    /// A masked value.
    Mask,
}

/// What a piece is, and where it ends.
pub(super) struct Content {
    /// Token after the last.
    pub(super) after: usize,
    pub(super) kind: PieceKind,
    pub(super) classes: u32,
    pub(super) shape: Shape,
}

impl Content {
    /// The content of a piece without the shape of a value.
    pub(super) fn plain(after: usize, kind: PieceKind, classes: u32) -> Self {
        Self { after, kind, classes, shape: Shape::None }
    }
}
