//! The set of tokens that can be part of a value, and its runs.

use std::ops::Range;

/// Part of the name of a person.
pub(super) const NAME: u8 = 1;
/// Part of a street address.
pub(super) const ADDRESS: u8 = 2;

/// Maximum tokens of a run. A longer run is split, so that the memory of a decoder is bounded.
pub(super) const MAX_RUN: usize = 64;

/// For each token, the kinds of value that it can be part of.
#[derive(Default)]
pub(super) struct CandidateSet {
    kinds: Vec<u8>,
    size: usize,
    /// Whether the text has a word for a street, a dwelling or a post box.
    pub(super) has_address_word: bool,
}

impl CandidateSet {
    /// An empty set for a text of this many tokens.
    pub(super) fn new(size: usize) -> Self {
        Self { size, ..Self::default() }
    }

    pub(super) fn add(&mut self, at: usize, kind: u8) {
        if self.kinds.is_empty() {
            self.kinds.resize(self.size, 0);
        }
        if let Some(kinds) = self.kinds.get_mut(at) {
            *kinds |= kind;
        }
    }

    pub(super) fn has(&self, at: usize, kind: u8) -> bool {
        self.kinds(at) & kind != 0
    }

    pub(super) fn kinds(&self, at: usize) -> u8 {
        self.kinds.get(at).copied().unwrap_or(0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The maximal runs of candidates.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            at += self.kinds.get(at..)?.iter().position(|kinds| *kinds != 0)?;
            let first = at;
            let length = self.kinds.get(at..)?.iter().take(MAX_RUN).take_while(|kinds| **kinds != 0).count();
            at += length;
            Some(first..at)
        })
    }
}
