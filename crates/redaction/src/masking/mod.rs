//! Masking: overlaps of candidates, the masked text, and repeating until nothing more is found.

pub(crate) mod fixpoint;
pub(crate) mod mask;
pub(crate) mod mask_tokens;
pub(crate) mod overlap;
pub(crate) mod stability;
