//! The check of the external detector.

use std::{error::Error, sync::Arc};

use parlance_domain::{
    error::StoreError,
    redaction::{Entity, ExternalDetector},
    time::MonotonicClock,
};

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};
use crate::{redactions::Redactions, settings::Settings, system::ProcessClock};

/// A text without sensitive data.
const SAMPLE: &str = "Thank you for calling.";

/// Lets the detector examine a sample. Without a required detector, no message is accepted.
pub(super) async fn check_detector(settings: &Settings) -> CheckResult {
    let clock: Arc<dyn MonotonicClock> = Arc::new(ProcessClock::start());
    let redactions = Redactions::new(&settings.redaction, &clock);
    let Some((detector, probe)) = redactions.detector().zip(redactions.probe()) else {
        return Passed("none: the engine alone finds sensitive data".to_owned());
    };
    let entities = detector.entities();
    let examined = detector.detect(vec![SAMPLE.to_owned()], entities).await;
    match (probe.check().await, examined) {
        (Ok(()), Ok(_)) => {
            let labels: Vec<_> = entities.iter().map(Entity::label).collect();
            Passed(format!("answers, and is asked for {}", labels.join(", ")))
        }
        (_, Err(error)) if probe.is_required() => {
            Failed(format!("{}: messages are answered 503: check external_detector_url", cause(&error)))
        }
        (_, Err(error)) => Warning(format!(
            "{}: messages are masked by the engine alone, and cannot be read if an entity of the detector is active: \
             check external_detector_url",
            cause(&error)
        )),
        (Err(error), Ok(_)) => Warning(format!("examines texts, but GET /health fails: {}", cause(&error))),
    }
}

fn cause(error: &StoreError) -> String {
    error.source().map(ToString::to_string).unwrap_or_default()
}
