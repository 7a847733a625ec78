//! Where a number that can be a code stands in a message.

/// A number as long as a code.
#[derive(Clone, Copy)]
pub(crate) struct SoleCode {
    pub(crate) first: usize,
    pub(crate) after: usize,
    pub(crate) digits: usize,
    /// Whether the message has no correction of it.
    pub(crate) is_single: bool,
}
