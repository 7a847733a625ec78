//! How far from a value a rule looks for what the message says of it. A rule that looked through the whole text for each value
//! would take time that grows with the square of the text.

use super::Tokens;
use std::ops::Range;

/// Tokens, pieces or words on each side of a value that a rule reads. Most messages are shorter.
pub(crate) const NEAR_TOKENS: usize = 128;

/// The indices at most [`NEAR_TOKENS`] before an index, in a list of this length.
pub(crate) fn near_before(index: usize, length: usize) -> Range<usize> {
    index.saturating_sub(NEAR_TOKENS)..index.min(length)
}

/// The indices at most [`NEAR_TOKENS`] before and after an index, in a list of this length.
pub(crate) fn near(index: usize, length: usize) -> Range<usize> {
    index.saturating_sub(NEAR_TOKENS)..index.saturating_add(NEAR_TOKENS).min(length)
}

impl Tokens<'_> {
    /// The tokens at most [`NEAR_TOKENS`] before an index.
    pub(crate) fn near_before(&self, index: usize) -> Range<usize> {
        near_before(index, self.len())
    }

    /// The tokens at most [`NEAR_TOKENS`] before and after an index.
    pub(crate) fn near(&self, index: usize) -> Range<usize> {
        near(index, self.len())
    }
}
