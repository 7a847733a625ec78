//! The check of the collector of traces.

use std::time::Duration;

use super::check_result::{
    CheckResult,
    CheckResult::{Passed, Warning},
};
use crate::{
    settings::Settings,
    traces::{ProbeOutcome, probe_collector},
};

/// Timeout for the answer of the collector.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Sends the collector a request without spans. The server works without it.
pub(super) async fn check_traces(settings: &Settings) -> CheckResult {
    let Some(traces) = settings.traces.clone() else { return Passed("none: requests are not traced".to_owned()) };
    let answer = tokio::task::spawn_blocking(move || probe_collector(&traces, TIMEOUT)).await;
    match answer.unwrap_or(ProbeOutcome::NoAnswer) {
        ProbeOutcome::Accepts => Passed("the collector accepts spans".to_owned()),
        ProbeOutcome::Status(status @ (401 | 403)) => {
            Warning(format!("the collector answers {status}: check otlp_headers"))
        }
        ProbeOutcome::Status(status) => {
            Warning(format!("the collector answers {status}: check otlp_endpoint, to which /v1/traces is added"))
        }
        ProbeOutcome::NoAnswer => {
            Warning("the collector does not answer: check otlp_endpoint and the program at that address".to_owned())
        }
    }
}
