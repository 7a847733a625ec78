//! The result of a check.

/// Number of rows or faults that a message names. All of them are counted.
pub(super) const MAX_PRINTED_NAMES: usize = 10;

/// The result of the check of one part.
pub(super) enum CheckResult {
    Passed(String),
    /// The server works, but an operator should correct this.
    Warning(String),
    /// The server does not work.
    Failed(String),
}
