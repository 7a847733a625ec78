//! The external detector: a Presidio Analyzer, which finds names and places with a model.
//!
//! [`PresidioDetector`] sends each text to `POST /analyze`, at most a fixed number at a time. It stops calling an
//! analyzer that fails, and tries again after some seconds. [`PresidioProbe`] reports whether the analyzer answers.

mod address;
mod answer;
mod breaker;
mod call_error;
mod detector;
mod entity_types;
mod meter;
mod probe;

pub use address::{DetectorUrl, InvalidDetectorUrl};
pub use breaker::BreakerState;
pub use detector::{DetectorConfig, PresidioDetector};
pub use entity_types::served_entities;
pub use meter::{CallOutcome, DetectorMeter, NoopDetectorMeter, Rejection};
pub use probe::PresidioProbe;
