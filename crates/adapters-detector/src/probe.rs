//! The readiness probe of the analyzer.

use std::time::Duration;

use async_trait::async_trait;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    readiness::ReadinessProbe,
};

use crate::{PresidioDetector, call_error::CallError};

/// How long the analyzer may take to answer a probe.
const TIMEOUT: Duration = Duration::from_millis(1_500);

/// Checks whether the analyzer answers `GET /health`.
pub struct PresidioProbe {
    detector: PresidioDetector,
    is_required: bool,
}

impl PresidioProbe {
    /// A probe of this analyzer. `is_required` tells whether the service is ready only with it.
    #[must_use]
    pub fn new(detector: PresidioDetector, is_required: bool) -> Self {
        Self { detector, is_required }
    }
}

#[async_trait]
impl ReadinessProbe for PresidioProbe {
    fn part(&self) -> &'static str {
        "detector"
    }

    fn is_required(&self) -> bool {
        self.is_required
    }

    #[tracing::instrument(level = "debug", name = "detector.presidio_probe.check", skip_all)]
    async fn check(&self) -> Result<(), StoreError> {
        let (agent, address) = (self.detector.agent().clone(), self.detector.config().url.path("/health"));
        let answer = tokio::task::spawn_blocking(move || {
            agent.get(address).config().timeout_global(Some(TIMEOUT)).build().call().map(|answer| answer.status())
        });
        let status = answer.await.map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))?;
        let status = status.map_err(CallError::from)?;
        if status.is_success() { Ok(()) } else { Err(CallError::Status(status.as_u16()).into()) }
    }
}
