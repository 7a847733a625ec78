//! The HTTP client that sends spans to the collector.

use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use parlance_adapters_transcription::direct_agent;
use ureq::Agent;

use crate::settings::TraceSettings;

/// The largest answer of a collector that is read, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// The answer of the collector to a request without spans.
pub(crate) enum ProbeOutcome {
    /// It accepts spans.
    Accepts,
    /// Another status than success.
    Status(u16),
    /// No HTTP answer.
    NoAnswer,
}

/// A client that blocks its thread, and no other. Its requests reach only the configured address.
#[derive(Debug)]
pub(super) struct BlockingClient(Agent);

impl BlockingClient {
    pub(super) fn new(timeout: Duration) -> Self {
        Self(direct_agent(timeout))
    }
}

#[async_trait]
impl HttpClient for BlockingClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.0.run(request.map(|body| body.to_vec()))?;
        let (head, mut body) = answer.into_parts();
        let body = body.with_config().limit(MAX_ANSWER_BYTES).read_to_vec()?;
        Ok(Response::from_parts(head, body.into()))
    }
}

/// Asks the collector whether it accepts spans, by a request that contains none. An empty body is a valid request of OTLP.
pub(crate) fn probe_collector(settings: &TraceSettings, timeout: Duration) -> ProbeOutcome {
    let request = BlockingClient::new(timeout).0.post(settings.traces_url()).content_type("application/x-protobuf");
    let request = settings.headers.iter().fold(request, |request, (name, value)| request.header(name, value));
    match request.send(&[][..]).map(|answer| answer.status()) {
        Ok(status) if status.is_success() => ProbeOutcome::Accepts,
        Ok(status) => ProbeOutcome::Status(status.as_u16()),
        Err(_) => ProbeOutcome::NoAnswer,
    }
}
