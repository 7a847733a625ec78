//! Attempts to send a delivery, and why they fail.

use std::time::Duration;

use crate::time::Timestamp;

/// Why an attempt failed. The words contain nothing of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptFailure {
    /// The receiver answered with another status than 200 to 299.
    Status(u16),
    /// The host has no address.
    Unresolved,
    /// The host has no address that may be reached.
    AddressNotAllowed,
    /// The connection failed.
    Unreachable,
    /// TLS failed: no certificate of a known authority for this host.
    Tls,
    /// The attempt took too long.
    TimedOut,
    /// The answer is no HTTP, or its head is too large.
    InvalidAnswer,
    /// The service itself could not make the request.
    Internal,
}

impl AttemptFailure {
    const WITHOUT_STATUS: [Self; 7] = [
        Self::Unresolved,
        Self::AddressNotAllowed,
        Self::Unreachable,
        Self::Tls,
        Self::TimedOut,
        Self::InvalidAnswer,
        Self::Internal,
    ];

    /// The failure as a stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::Unresolved => "unresolved",
            Self::AddressNotAllowed => "address_not_allowed",
            Self::Unreachable => "unreachable",
            Self::Tls => "tls",
            Self::TimedOut => "timed_out",
            Self::InvalidAnswer => "invalid_answer",
            Self::Internal => "internal",
        }
    }

    /// The failure with this word and this status of the answer.
    #[must_use]
    pub fn from_word(word: &str, status: Option<u16>) -> Option<Self> {
        match status {
            Some(status) if word == "status" => Some(Self::Status(status)),
            Some(_) => None,
            None => Self::WITHOUT_STATUS.into_iter().find(|failure| failure.as_str() == word),
        }
    }

    /// The status of the answer.
    #[must_use]
    pub fn status(self) -> Option<u16> {
        if let Self::Status(status) = self { Some(status) } else { None }
    }
}

/// One attempt to send a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// The time at which it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// The status of a success, or the failure.
    pub outcome: Result<u16, AttemptFailure>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_is_read_from_its_word() {
        for failure in AttemptFailure::WITHOUT_STATUS.into_iter().chain([AttemptFailure::Status(404)]) {
            assert_eq!(AttemptFailure::from_word(failure.as_str(), failure.status()), Some(failure));
        }
        assert_eq!(AttemptFailure::from_word("status", None), None);
    }
}
