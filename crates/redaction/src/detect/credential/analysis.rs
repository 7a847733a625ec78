//! What a text says of secrets, whatever earlier messages ask for.

use super::answer::denies_password;
use super::piece::{PieceKind, Pieces};
use super::topic::Topics;
use super::value::{Value, values_at};
use crate::cues::Cue;
use crate::tokenize::Tokens;
use std::cell::OnceCell;

/// A text that is read once, and searched for the secrets that each question asks for.
pub(super) struct Analysis<'a, 't> {
    pub(super) pieces: Pieces<'a, 't>,
    pub(super) cues: &'a [Cue],
    pub(super) topics: Topics,
    /// Whether the text has a mask.
    pub(super) has_mask: bool,
    /// Whether the text says that there is no password, or refuses to tell it.
    pub(super) denies_password: bool,
    /// The possible values that begin at each piece, once they are read.
    values: Vec<OnceCell<[Option<Value>; 3]>>,
}

impl<'a, 't> Analysis<'a, 't> {
    pub(super) fn new(tokens: &'a Tokens<'t>, cues: &'a [Cue]) -> Self {
        let pieces = Pieces::new(tokens, cues);
        Self {
            cues,
            topics: Topics::new(&pieces),
            has_mask: (0..pieces.len()).any(|at| pieces.at(at).kind == PieceKind::Mask),
            denies_password: denies_password(&pieces),
            values: vec![OnceCell::new(); pieces.len()],
            pieces,
        }
    }

    /// The possible values that begin at a piece, the longest first.
    pub(super) fn values_at(&self, at: usize) -> [Option<Value>; 3] {
        self.values.get(at).map_or([None; 3], |values| *values.get_or_init(|| values_at(&self.pieces, at)))
    }
}
