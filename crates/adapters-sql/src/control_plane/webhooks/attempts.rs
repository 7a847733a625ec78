//! Attempts as JSON text in one column.

use std::time::Duration;

use parlance_domain::{
    time::Timestamp,
    webhook::{AttemptFailure, DeliveryAttempt},
};
use serde_json::{Value, json};

/// The JSON text of attempts.
pub(super) fn encode(attempts: &[DeliveryAttempt]) -> String {
    let encode = |attempt: &DeliveryAttempt| {
        let (status, failure) = match attempt.outcome {
            Ok(status) => (Some(status), None),
            Err(failure) => (failure.status(), Some(failure.as_str())),
        };
        let millis = u64::try_from(attempt.duration.as_millis()).unwrap_or(u64::MAX);
        json!({"at": attempt.at.as_micros(), "millis": millis, "status": status, "failure": failure})
    };
    Value::from(attempts.iter().map(encode).collect::<Vec<_>>()).to_string()
}

/// The attempts of a JSON text.
pub(super) fn decode(text: &str) -> Option<Vec<DeliveryAttempt>> {
    let attempts: Value = serde_json::from_str(text).ok()?;
    attempts.as_array()?.iter().map(decode_one).collect()
}

fn decode_one(value: &Value) -> Option<DeliveryAttempt> {
    let status = value.get("status")?.as_u64().map(u16::try_from).transpose().ok()?;
    let outcome = match value.get("failure")?.as_str() {
        None => Ok(status?),
        Some(word) => Err(AttemptFailure::from_word(word, status)?),
    };
    let at = Timestamp::from_micros(value.get("at")?.as_i64()?).ok()?;
    Some(DeliveryAttempt { at, duration: Duration::from_millis(value.get("millis")?.as_u64()?), outcome })
}
