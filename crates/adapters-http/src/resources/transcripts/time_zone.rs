//! The time zone in which a transcript shows its times.

use chrono::{DateTime, Datelike, FixedOffset, Offset, SecondsFormat, Utc};
use chrono_tz::Tz;
use parlance_domain::time::Timestamp;

/// A time zone of the IANA database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeZone(Tz);

impl TimeZone {
    pub(super) const UTC: Self = Self(Tz::UTC);

    /// Parses the name of a time zone.
    ///
    /// # Errors
    /// If the database has no such name.
    pub(super) fn parse(name: &str) -> Result<Self, &'static str> {
        name.parse()
            .map(Self)
            .map_err(|_| "must be the name of a time zone of the IANA database, such as Europe/Berlin")
    }

    /// The name of the time zone.
    pub(super) fn name(self) -> &'static str {
        self.0.name()
    }

    /// The time that clocks in this zone show at a timestamp, or UTC if that time is outside the years 0 to 9999, which RFC
    /// 3339 cannot show. An offset with seconds is rounded to minutes, as RFC 3339 shows offsets, and the time follows the
    /// rounded offset.
    pub(super) fn local(self, timestamp: Timestamp) -> LocalTime {
        // Every timestamp is within the range of the calendar.
        let utc = DateTime::from_timestamp_micros(timestamp.as_micros()).unwrap_or_default();
        let seconds = utc.with_timezone(&self.0).offset().fix().local_minus_utc();
        let rounded = FixedOffset::east_opt((seconds + 30).div_euclid(60) * 60);
        let local = rounded.map(|offset| utc.with_timezone(&offset)).filter(|local| (0..=9999).contains(&local.year()));
        LocalTime(local.unwrap_or_else(|| utc.with_timezone(&Utc.fix())))
    }
}

/// The time that clocks in a zone show.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalTime(DateTime<FixedOffset>);

impl LocalTime {
    /// The day in words and the offset from UTC: `Saturday, 31 January 2026 (UTC+01:00)`.
    pub(super) fn day(self) -> String {
        self.0.format("%A, %-d %B %Y (UTC%:z)").to_string()
    }

    /// The time of the day in seconds: `10:30:00`.
    pub(super) fn time_of_day(self) -> String {
        self.0.format("%H:%M:%S").to_string()
    }

    /// The day and the time of the day: `2026-01-31 10:30:00 (UTC+01:00)`.
    pub(super) fn date_time(self) -> String {
        self.0.format("%Y-%m-%d %H:%M:%S (UTC%:z)").to_string()
    }

    /// The time as RFC 3339 with the offset, in milliseconds, or in microseconds if the timestamp needs them.
    pub(super) fn rfc_3339(self) -> String {
        let is_whole_milliseconds = self.0.timestamp_subsec_micros().is_multiple_of(1_000);
        let format = if is_whole_milliseconds { SecondsFormat::Millis } else { SecondsFormat::Micros };
        self.0.to_rfc3339_opts(format, true)
    }
}

/// The headings above messages, one for each day. Where clocks change, the same day has two.
#[derive(Default)]
pub(super) struct DayHeadings {
    last: String,
}

impl DayHeadings {
    /// The heading above the next message, unless the message before has the same one.
    pub(super) fn next(&mut self, time: LocalTime) -> Option<&str> {
        let day = time.day();
        if day == self.last {
            return None;
        }
        self.last = day;
        Some(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(zone: &str, timestamp: &str) -> LocalTime {
        TimeZone::parse(zone).unwrap().local(Timestamp::parse(timestamp).unwrap())
    }

    #[test]
    fn a_timestamp_is_shown_with_the_offset_of_its_day() {
        let winter = local("Europe/Berlin", "2026-01-31T23:30:00Z");
        assert_eq!(winter.day(), "Sunday, 1 February 2026 (UTC+01:00)");
        assert_eq!(winter.time_of_day(), "00:30:00");
        assert_eq!(local("Europe/Berlin", "2026-07-31T09:30:00Z").date_time(), "2026-07-31 11:30:00 (UTC+02:00)");
        assert_eq!(local("Asia/Kathmandu", "2026-01-31T09:30:00.5Z").rfc_3339(), "2026-01-31T15:15:00.500+05:45");
    }

    #[test]
    fn the_two_equal_hours_of_autumn_differ_in_their_offset() {
        let summer = local("Europe/Berlin", "2026-10-25T00:30:00Z");
        let winter = local("Europe/Berlin", "2026-10-25T01:30:00Z");
        assert_eq!(summer.time_of_day(), winter.time_of_day());
        assert_ne!(summer.day(), winter.day());
    }

    #[test]
    fn an_unknown_name_is_refused() {
        for name in ["", "Berlin", "europe/berlin/x", "+01:00", "UTC+1"] {
            assert!(TimeZone::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn the_first_and_the_last_timestamp_can_be_shown() {
        assert!(TimeZone::UTC.local(Timestamp::MIN).day().ends_with("0000 (UTC+00:00)"));
        let last = local("Pacific/Kiritimati", "9999-12-31T23:59:59Z");
        assert_eq!(last.rfc_3339(), "9999-12-31T23:59:59.000Z");
        assert_eq!(last.date_time(), "9999-12-31 23:59:59 (UTC+00:00)");
        let first = TimeZone::parse("America/New_York").unwrap().local(Timestamp::MIN);
        assert_eq!(first.rfc_3339(), "0000-01-01T00:00:00.000Z");
    }

    #[test]
    fn a_time_and_its_offset_in_minutes_are_the_instant() {
        for (zone, shown) in [
            ("Europe/Berlin", "1880-01-01T12:53:00.000+00:53"),
            ("America/New_York", "1880-01-01T07:04:00.000-04:56"),
            ("Africa/Monrovia", "1880-01-01T11:17:00.000-00:43"),
        ] {
            let time = local(zone, "1880-01-01T12:00:00Z");
            assert_eq!(time.rfc_3339(), shown, "{zone}");
            assert_eq!(Timestamp::parse(shown), Timestamp::parse("1880-01-01T12:00:00Z"));
            assert!(shown.contains(&time.time_of_day()) && time.day().contains(&shown[23..]), "{zone}");
        }
    }
}
