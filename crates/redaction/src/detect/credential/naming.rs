//! What names a possible value, and by which link.

use super::piece::{Piece, PieceKind};
use crate::entity::Entity;

/// How a value is joined to what names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// "password: X", "pwd=X".
    Assigned,
    /// "my password is X", "the password for the router was X".
    NamedSubject,
    /// "it is X", "the old one was X".
    PronounSubject,
    /// "changed my password to X".
    NamedChange,
    /// "set it to X".
    PronounChange,
    /// "password X".
    Adjacent,
    /// "pass X": the cue also means something else.
    WeaklyAdjacent,
    /// "X is my password", "X as the password".
    NamedAfter,
    /// "typed X", "use X".
    Entered,
    /// "told him X", "it says X".
    Told,
    /// "with X", "from X".
    With,
    /// The value is a clause of its own.
    Clause,
    /// None of these.
    Absent,
}

/// What names a value, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naming {
    pub(super) link: Link,
    /// The entity of the cue; `None` if no cue for a secret is part of the link.
    pub(super) entity: Option<Entity>,
    /// Whether a cue for another entity is nearer than one for a secret.
    pub(super) is_other: bool,
    /// Whether an article or possessive is directly before the value.
    pub(super) has_determiner: bool,
}

impl Naming {
    pub(super) const fn new(link: Link, entity: Option<Entity>) -> Self {
        Self { link, entity, is_other: false, has_determiner: false }
    }

    pub(super) const ABSENT: Self = Self::new(Link::Absent, None);
    pub(super) const OTHER: Self = Self { is_other: true, ..Self::ABSENT };
}

/// Whether a piece ends a clause.
pub(super) fn ends_clause(piece: Piece) -> bool {
    matches!(piece.kind, PieceKind::Mark(b'.' | b'?' | b'!' | b';' | b',' | 0))
}
