//! The calls to the analyzer.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    redaction::{EntitySet, ExternalDetector, ExternalSpan},
    sync,
    time::MonotonicClock,
};
use serde::Serialize;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
};
use ureq::Agent;

use crate::{
    BreakerState, CallOutcome, DetectorMeter, DetectorUrl, answer, breaker::Breaker, call_error::CallError,
    entity_types::types_of,
};

/// The largest answer that is read, in bytes.
const MAX_ANSWER_BYTES: u64 = 4 * 1024 * 1024;

/// How texts are examined.
#[derive(Debug, Clone)]
pub struct DetectorConfig {
    /// The address of the analyzer.
    pub url: DetectorUrl,
    /// The language of the texts, as the analyzer names it, such as `en`.
    pub language: String,
    /// The entities that the analyzer is asked for, a subset of [`served_entities`](crate::served_entities).
    pub entities: EntitySet,
    /// The lowest score of a finding that is used, from 0 to 1.
    pub min_score: f64,
    /// How long a text may wait for its call, and how long the call may take.
    pub timeout: Duration,
    /// The maximum number of calls at the same time.
    pub max_concurrent: usize,
}

/// A Presidio Analyzer. Clones share the calls, the breaker and the meter.
#[derive(Clone)]
pub struct PresidioDetector(Arc<Inner>);

struct Inner {
    config: DetectorConfig,
    agent: Agent,
    permits: Arc<Semaphore>,
    breaker: Mutex<Breaker>,
    clock: Arc<dyn MonotonicClock>,
    meter: Arc<dyn DetectorMeter>,
}

/// The body of a request to `/analyze`.
#[derive(Serialize)]
struct AnalyzeBody<'call> {
    text: &'call str,
    language: &'call str,
    entities: &'call [&'static str],
    score_threshold: f64,
}

impl PresidioDetector {
    /// A detector that calls the analyzer with this client, whose timeout is that of each call.
    #[must_use]
    pub fn new(
        config: DetectorConfig,
        agent: Agent,
        clock: Arc<dyn MonotonicClock>,
        meter: Arc<dyn DetectorMeter>,
    ) -> Self {
        let permits = Arc::new(Semaphore::new(config.max_concurrent));
        Self(Arc::new(Inner { config, agent, permits, breaker: Mutex::default(), clock, meter }))
    }

    pub(crate) fn agent(&self) -> &Agent {
        &self.0.agent
    }

    pub(crate) fn config(&self) -> &DetectorConfig {
        &self.0.config
    }

    /// Examines one text on a thread for blocking calls.
    async fn examine(&self, text: String, entities: EntitySet) -> Result<Vec<ExternalSpan>, StoreError> {
        let permit = match self.permit().await {
            Ok(permit) => permit,
            Err(rejected) => {
                let _ = rejected.outcome().map_err(|reason| self.0.meter.record_rejection(reason));
                return Err(rejected.into());
            }
        };
        let detector = self.clone();
        // The outcome is recorded on the blocking thread, because the request can be given up before the call ends.
        let call = tokio::task::spawn_blocking(move || {
            let result = detector.call(&text, entities);
            drop(permit);
            result
        });
        let join_error = |error| StoreError::new(StoreErrorKind::Unexpected, error);
        Ok(call.await.map_err(join_error)??)
    }

    /// Waits until a call may be made. The permit is held until the call ends.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, CallError> {
        let permit = Arc::clone(&self.0.permits).acquire_owned();
        let permit = tokio::time::timeout(self.0.config.timeout, permit).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(CallError::Saturated)?;
        let is_admitted = sync::lock(&self.0.breaker).admit(self.0.clock.elapsed());
        if is_admitted { Ok(permit) } else { Err(CallError::BreakerOpen) }
    }

    /// Calls the analyzer, and records the outcome.
    fn call(&self, text: &str, entities: EntitySet) -> Result<Vec<ExternalSpan>, CallError> {
        let began = self.0.clock.elapsed();
        let result = self.analyze(text, entities);
        let ended = self.0.clock.elapsed();
        let outcome = result.as_ref().map_or_else(CallError::outcome, |_| Ok(CallOutcome::Answered));
        if let Ok(outcome) = outcome {
            self.0.meter.record_call(outcome, ended.saturating_sub(began));
        }
        let changed = sync::lock(&self.0.breaker).record(result.is_ok(), ended);
        if let Some(state) = changed {
            self.0.meter.record_breaker(state);
            log_change(state, result.as_ref().err());
        }
        result
    }

    fn analyze(&self, text: &str, entities: EntitySet) -> Result<Vec<ExternalSpan>, CallError> {
        let DetectorConfig { url, language, min_score, .. } = &self.0.config;
        let types = types_of(entities);
        let body = AnalyzeBody { text, language, entities: &types, score_threshold: *min_score };
        let body = serde_json::to_vec(&body).map_err(|_| CallError::InvalidAnswer("the request cannot be encoded"))?;
        let request = self.0.agent.post(url.path("/analyze")).content_type("application/json");
        let mut response = request.send(&body[..])?;
        if !response.status().is_success() {
            return Err(CallError::Status(response.status().as_u16()));
        }
        let answer = response.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_vec()?;
        answer::parse(&answer, text, entities, *min_score)
    }
}

/// Writes a line of the log when calls stop and when they resume.
fn log_change(state: BreakerState, error: Option<&CallError>) {
    let cause = error.map(ToString::to_string).unwrap_or_default();
    match state {
        BreakerState::Closed => tracing::info!("the external detector answers again"),
        BreakerState::HalfOpen | BreakerState::Open => {
            tracing::warn!(cause, "the external detector is not called for some seconds");
        }
    }
}

#[async_trait]
impl ExternalDetector for PresidioDetector {
    fn entities(&self) -> EntitySet {
        self.0.config.entities
    }

    #[tracing::instrument(level = "debug", name = "detector.presidio_detector.detect", skip_all, fields(texts = texts.len()))]
    async fn detect(&self, texts: Vec<String>, entities: EntitySet) -> Result<Vec<Vec<ExternalSpan>>, StoreError> {
        let entities = entities.and(self.0.config.entities);
        let mut found = vec![Vec::new(); texts.len()];
        if entities.is_empty() {
            return Ok(found);
        }
        let mut calls = JoinSet::new();
        for (index, text) in texts.into_iter().enumerate() {
            let detector = self.clone();
            calls.spawn(async move { (index, detector.examine(text, entities).await) });
        }
        // The first error drops the set, and with it the texts that still wait for a call.
        while let Some(call) = calls.join_next().await {
            let (index, spans) = call.map_err(|error| StoreError::new(StoreErrorKind::Unexpected, error))?;
            let spans = spans?;
            if let Some(place) = found.get_mut(index) {
                *place = spans;
            }
        }
        Ok(found)
    }
}
