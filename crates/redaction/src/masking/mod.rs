//! Masking: overlaps of candidates, the masked text, and repetition up to a fixed point.

pub(crate) mod fixpoint;
pub(crate) mod mask;
pub(crate) mod mask_tokens;
pub(crate) mod overlap;
pub(crate) mod stability;
