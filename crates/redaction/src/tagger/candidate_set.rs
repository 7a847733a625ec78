//! The set of tokens that can be part of a value, and its runs.

use super::per_token::PerToken;
use std::ops::Range;

/// Part of the name of a person.
pub(super) const NAME: u8 = 1;
/// Part of a street address.
pub(super) const ADDRESS: u8 = 2;

/// Maximum tokens of a run. A longer run is split, so that the memory of a decoder is bounded.
pub(super) const MAX_RUN: usize = 64;

/// For each token, the kinds of value that it can be part of.
pub(super) struct CandidateSet {
    kinds: PerToken<u8>,
    is_empty: bool,
    /// Whether the text has a word for a street, a dwelling or a post box.
    pub(super) has_address_word: bool,
}

impl CandidateSet {
    /// An empty set for a text of this many tokens.
    pub(super) fn new(size: usize) -> Self {
        Self { kinds: PerToken::new(0, size), is_empty: true, has_address_word: false }
    }

    pub(super) fn add(&mut self, at: usize, kind: u8) {
        if let Some(kinds) = self.kinds.as_mut_slice().get_mut(at) {
            *kinds |= kind;
            self.is_empty = false;
        }
    }

    pub(super) fn has(&self, at: usize, kind: u8) -> bool {
        self.kinds(at) & kind != 0
    }

    pub(super) fn kinds(&self, at: usize) -> u8 {
        self.kinds.as_slice().get(at).copied().unwrap_or(0)
    }

    /// The first candidate of a kind from a token on.
    pub(super) fn next(&self, from: usize, kind: u8) -> Option<usize> {
        self.kinds.as_slice().get(from..)?.iter().position(|kinds| kinds & kind != 0).map(|skipped| from + skipped)
    }

    /// The last candidate of a kind before a token.
    pub(super) fn last(&self, end: usize, kind: u8) -> Option<usize> {
        self.kinds.as_slice().get(..end)?.iter().rposition(|kinds| kinds & kind != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The maximal runs of candidates.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = 0;
        let all = if self.is_empty { &[] } else { self.kinds.as_slice() };
        std::iter::from_fn(move || {
            at += all.get(at..)?.iter().position(|kinds| *kinds != 0)?;
            let first = at;
            let length = all.get(at..)?.iter().take(MAX_RUN).take_while(|kinds| **kinds != 0).count();
            at += length;
            Some(first..at)
        })
    }
}
