//! What a piece of a text is.

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
