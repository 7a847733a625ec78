//! Why a text was not examined. No error contains a text, an address or an answer.

use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::{CallOutcome, Rejection};

/// Why a text was not examined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    #[error("the external detector is not called, because its last calls failed")]
    BreakerOpen,
    #[error("the external detector examines as many other texts as allowed")]
    Saturated,
    #[error("the external detector gave no answer in time")]
    TimedOut,
    #[error("the external detector is out of reach: {0}")]
    Unreachable(String),
    #[error("the external detector answered with status {0}")]
    Status(u16),
    #[error("the answer of the external detector is invalid: {0}")]
    InvalidAnswer(&'static str),
}

impl CallError {
    /// The outcome of the call, or the reason why it was not made.
    pub(crate) fn outcome(&self) -> Result<CallOutcome, Rejection> {
        match self {
            Self::BreakerOpen => Err(Rejection::BreakerOpen),
            Self::Saturated => Err(Rejection::Saturated),
            Self::TimedOut => Ok(CallOutcome::TimedOut),
            Self::Unreachable(_) => Ok(CallOutcome::Unreachable),
            Self::Status(_) => Ok(CallOutcome::Refused),
            Self::InvalidAnswer(_) => Ok(CallOutcome::InvalidAnswer),
        }
    }
}

impl From<CallError> for StoreError {
    /// Whatever the cause, the text is not examined now and may be later.
    fn from(error: CallError) -> Self {
        Self::new(StoreErrorKind::Unavailable, error)
    }
}

/// Converts an error of the client. The client's message is kept only if it cannot contain the address.
#[expect(clippy::wildcard_enum_match_arm, reason = "ureq may add variants; all others concern an invalid response")]
impl From<ureq::Error> for CallError {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Timeout(_) => Self::TimedOut,
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => Self::TimedOut,
            ureq::Error::Io(error) => Self::Unreachable(error.kind().to_string()),
            ureq::Error::HostNotFound => Self::Unreachable("the host name is not found".to_owned()),
            ureq::Error::ConnectionFailed => Self::Unreachable("the connection failed".to_owned()),
            ureq::Error::Rustls(error) => Self::Unreachable(error.to_string()),
            ureq::Error::Tls(error) => Self::Unreachable(error.to_owned()),
            ureq::Error::BodyExceedsLimit(_) => Self::InvalidAnswer("it is too large"),
            _ => Self::InvalidAnswer("it is no HTTP response"),
        }
    }
}
