//! What a text says of secrets, whatever earlier messages ask for.

use super::answer::denies_password;
use super::found::Secret;
use super::link::naming_before;
use super::naming::Naming;
use super::piece::{PieceKind, Pieces};
use super::topic::Topics;
use super::value::{Value, begins_common_phrase, values_at};
use crate::cues::Cue;
use crate::tokenize::Tokens;
use std::cell::OnceCell;

/// A text that is read once, and searched for the secrets that each question asks for.
pub(crate) struct Analysis<'a, 't> {
    pub(super) pieces: Pieces<'a, 't>,
    pub(super) cues: &'a [Cue],
    pub(super) topics: Topics,
    /// Whether the text has a cue for a secret.
    pub(super) has_cue: bool,
    /// Whether the text has a mask.
    pub(super) has_mask: bool,
    /// Whether the text says that there is no password, or refuses to tell it.
    pub(super) denies_password: bool,
    /// The pieces at which a value can begin, in order.
    starts: Vec<Start>,
    /// The secrets if earlier messages ask for nothing, once they are found.
    pub(super) alone: OnceCell<Vec<Secret>>,
}

/// A piece at which a value can begin.
struct Start {
    at: usize,
    /// The possible values that begin here, the longest first.
    values: [Option<Value>; 3],
    /// What the words before name, once it is read.
    naming: OnceCell<Naming>,
}

impl<'a, 't> Analysis<'a, 't> {
    pub(crate) fn new(tokens: &'a Tokens<'t>, cues: &'a [Cue]) -> Self {
        let pieces = Pieces::new(tokens, cues);
        let has_cue = (0..pieces.len()).any(|at| pieces.at(at).cue().is_some());
        Self {
            cues,
            topics: Topics::new(&pieces),
            has_cue,
            has_mask: (0..pieces.len()).any(|at| matches!(pieces.at(at).kind, PieceKind::Mask)),
            denies_password: has_cue && denies_password(&pieces),
            alone: OnceCell::new(),
            starts: (0..pieces.len()).filter_map(|at| start(&pieces, at)).collect(),
            pieces,
        }
    }

    /// The first piece from `at` on at which a value or an address can begin, unless it is an answer to a security
    /// question, which begins with any word.
    pub(super) fn next_start(&self, at: usize) -> Option<usize> {
        self.starts.get(self.starts.partition_point(|start| start.at < at)).map(|start| start.at)
    }

    /// The possible values that begin at a piece, the longest first.
    pub(super) fn values_at(&self, at: usize) -> [Option<Value>; 3] {
        self.start(at).map_or([None; 3], |start| start.values)
    }

    /// What names the values that begin at a piece, by the words before it.
    pub(super) fn naming_before(&self, at: usize) -> Naming {
        let read = || naming_before(&self.pieces, at);
        self.start(at).map_or_else(read, |start| *start.naming.get_or_init(read))
    }

    fn start(&self, at: usize) -> Option<&Start> {
        self.starts.get(self.starts.binary_search_by_key(&at, |start| start.at).ok()?)
    }
}

/// What can begin at a piece; `None` if that is neither a value nor an address.
fn start(pieces: &Pieces<'_, '_>, at: usize) -> Option<Start> {
    let values = values_at(pieces, at);
    let begins = values.iter().any(Option::is_some)
        || matches!(pieces.at(at).kind, PieceKind::Address)
        || begins_common_phrase(pieces, at);
    begins.then(|| Start { at, values, naming: OnceCell::new() })
}
