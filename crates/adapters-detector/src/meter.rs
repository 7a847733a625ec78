//! What the program counts of calls to the analyzer.

use std::time::Duration;

use crate::BreakerState;

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// The analyzer answered with its findings.
    Answered,
    /// There was no answer in time.
    TimedOut,
    /// There was no connection, or it was lost.
    Unreachable,
    /// The analyzer answered with the status of an error.
    Refused,
    /// The answer was no list of findings in the text, or too large.
    InvalidAnswer,
}

impl CallOutcome {
    /// Every outcome.
    pub const ALL: [Self; 5] = [Self::Answered, Self::TimedOut, Self::Unreachable, Self::Refused, Self::InvalidAnswer];

    /// The word for the outcome.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::TimedOut => "timed_out",
            Self::Unreachable => "unreachable",
            Self::Refused => "refused",
            Self::InvalidAnswer => "invalid_answer",
        }
    }
}

/// Why a call is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rejection {
    /// The breaker is open.
    BreakerOpen,
    /// Too many calls were waiting for an answer.
    Saturated,
}

impl Rejection {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::BreakerOpen, Self::Saturated];

    /// The word for the reason.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BreakerOpen => "breaker_open",
            Self::Saturated => "saturated",
        }
    }
}

/// Counts calls. It receives no texts. No method may block.
pub trait DetectorMeter: Send + Sync {
    /// Counts a call that ended, with the time that it took.
    fn record_call(&self, outcome: CallOutcome, took: Duration);

    /// Counts a call that was not made.
    fn record_rejection(&self, reason: Rejection);

    /// Records that calls stopped or resumed.
    fn record_breaker(&self, state: BreakerState);
}

/// A meter that counts nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopDetectorMeter;

impl DetectorMeter for NoopDetectorMeter {
    fn record_call(&self, _: CallOutcome, _: Duration) {}

    fn record_rejection(&self, _: Rejection) {}

    fn record_breaker(&self, _: BreakerState) {}
}
