//! Why the guard ends a connection.

/// Why the guard cut (ended) a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CutReason {
    /// A head did not arrive in time.
    HeadTimeout,
    /// The client sent no further request in time.
    IdleTimeout,
    /// A body did not arrive in time.
    BodyTimeout,
    /// The client read its responses too slowly.
    SlowReader,
    /// The connection was closing, and the client did not notice in time.
    LingerTimeout,
    /// A newer connection replaced it under a cap.
    Evicted,
    /// The server stops gracefully.
    Draining,
    /// The server stops immediately.
    Stopped,
}

impl CutReason {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::HeadTimeout,
        Self::IdleTimeout,
        Self::BodyTimeout,
        Self::SlowReader,
        Self::LingerTimeout,
        Self::Evicted,
        Self::Draining,
        Self::Stopped,
    ];

    /// The reason as a metric label.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HeadTimeout => "head_timeout",
            Self::IdleTimeout => "idle_timeout",
            Self::BodyTimeout => "body_timeout",
            Self::SlowReader => "slow_reader",
            Self::LingerTimeout => "linger_timeout",
            Self::Evicted => "evicted",
            Self::Draining => "draining",
            Self::Stopped => "stopped",
        }
    }

    /// Whether the connection ends immediately. With any other reason a response in progress is sent first.
    pub(super) fn is_immediate(self) -> bool {
        matches!(self, Self::SlowReader | Self::LingerTimeout | Self::Evicted | Self::Stopped)
    }

    pub(super) fn code(self) -> u8 {
        // Zero means that the connection is not cut.
        Self::ALL.iter().position(|reason| *reason == self).and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(1)
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code.checked_sub(1)?)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_reasons_round_trip_through_their_codes() {
        assert!(CutReason::ALL.iter().all(|reason| CutReason::from_code(reason.code()) == Some(*reason)));
        assert_eq!(CutReason::from_code(0), None);
    }
}
