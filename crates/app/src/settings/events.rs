//! The settings of events.

use parlance_domain::limits::EVENT_RETENTION_DAYS_MAX;

use super::reader::Reader;

/// How events are kept and read.
#[derive(Debug, Clone)]
pub struct EventSettings {
    /// The days for which events are kept.
    pub retention_days: i64,
}

impl EventSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let retention_days = reader.read("event_retention_days", read_retention);
        Some(Self { retention_days: retention_days? })
    }
}

fn read_retention(text: &str) -> Result<i64, &'static str> {
    let days = text.parse().ok().filter(|days| (1..=EVENT_RETENTION_DAYS_MAX).contains(days));
    days.ok_or("must be a whole number of days from 1 to 90")
}
