//! `--from` and `--to` of the audit commands.

use clap::Args;
use parlance_domain::{audit::Period, feed::Day, time::Timestamp};

/// The period of the records.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct PeriodOptions {
    /// The start: a day, YYYY-MM-DD in UTC, or a time such as 2026-11-21T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = read_from)]
    from: Option<Timestamp>,
    /// The end: the last day, or the first time after the period
    #[arg(long, value_name = "TIME", value_parser = read_to)]
    to: Option<Timestamp>,
}

impl PeriodOptions {
    pub(super) fn period(self) -> Period {
        Period { from: self.from, until: self.to }
    }

    /// Whether the start or the end is set.
    pub(super) fn is_set(self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}

const RULE: &str = "must be a day, YYYY-MM-DD, or a time such as 2026-11-21T08:00:00Z";

fn read_from(text: &str) -> Result<Timestamp, &'static str> {
    Day::parse(text).map(Day::start).or_else(|_| Timestamp::parse(text)).map_err(|_| RULE)
}

fn read_to(text: &str) -> Result<Timestamp, &'static str> {
    Day::parse(text).map(Day::end).or_else(|_| Timestamp::parse(text)).map_err(|_| RULE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_included_whole() {
        let parsed = |read: fn(&str) -> Result<Timestamp, &'static str>| read("2026-11-21").unwrap().to_string();
        assert_eq!(parsed(read_from), "2026-11-21T00:00:00.000Z");
        assert_eq!(parsed(read_to), "2026-11-22T00:00:00.000Z");
    }

    #[test]
    fn a_time_is_taken_unchanged_and_other_text_is_refused() {
        assert_eq!(read_to("2026-11-21T08:00:00Z"), Timestamp::parse("2026-11-21T08:00:00Z").map_err(|_| RULE));
        assert_eq!((read_from("yesterday"), read_to("")), (Err(RULE), Err(RULE)));
    }
}
