//! How many tokens an identifier of letters and digits can have.

/// Maximum tokens of an identifier.
pub(super) const MAX_TOKENS: usize = 16;
/// Maximum tokens before the first letter of an identifier.
pub(super) const MAX_LEADING_DIGIT_TOKENS: usize = 6;
