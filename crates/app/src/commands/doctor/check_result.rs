//! The result of a check.

/// The result of the check of one part.
pub(super) enum CheckResult {
    Passed(String),
    /// The server works, but an operator should correct this.
    Warning(String),
    /// The server does not work.
    Failed(String),
}
