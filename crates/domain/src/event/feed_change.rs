//! Which finished periods of feeds are changes that the change log is told of.

use super::FeedChange;
use crate::{
    feed::{Day, FeedPeriod, Interval, PeriodOutcome},
    limits::EVENT_RETENTION_DAYS_DEFAULT,
};

impl FeedChange {
    /// The change of a feed that the outcome of a production run shows; `None` for an hour, and for a day that is not
    /// complete.
    ///
    /// A run that was killed after it wrote a day may not have told the change log. The next run finds the day unchanged.
    /// So each run tells the log of the revision of unchanged days too, and the log ignores what it knows. Of the days that
    /// were written only once, these are the days of the last week: earlier ones can be older than the log.
    #[must_use]
    pub fn of_outcome(period: &FeedPeriod, outcome: PeriodOutcome, today: Day) -> Option<Self> {
        let FeedPeriod { dataset, interval: Interval { day, hour: None } } = period else { return None };
        let is_older_than_a_week = today.epoch_days() - day.epoch_days() > EVENT_RETENTION_DAYS_DEFAULT;
        let revision = match outcome {
            PeriodOutcome::Written { complete: false, .. } => return None,
            PeriodOutcome::Unchanged { revision: 1 } if is_older_than_a_week => return None,
            PeriodOutcome::Written { revision, .. }
            | PeriodOutcome::Summed { revision }
            | PeriodOutcome::Marked { revision }
            | PeriodOutcome::Unchanged { revision } => revision,
        };
        Some(Self { feed: dataset.feed.clone(), day: *day, revision })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Feed, FileFormat, Hour};

    fn change(hour: Option<Hour>, outcome: PeriodOutcome, today: &str) -> Option<u32> {
        let interval = Interval { day: Day::parse("2026-03-01").unwrap(), hour };
        let period = FeedPeriod { dataset: Feed::ALL[0].dataset(FileFormat::ALL[0]), interval };
        FeedChange::of_outcome(&period, outcome, Day::parse(today).unwrap()).map(|change| change.revision)
    }

    fn written(complete: bool) -> PeriodOutcome {
        PeriodOutcome::Written { revision: 3, rows: 1, bytes: 2, complete }
    }

    #[test]
    fn a_complete_day_is_a_change_and_an_hour_is_none() {
        assert_eq!(change(None, written(true), "2026-03-02"), Some(3));
        assert_eq!(change(None, written(false), "2026-03-02"), None);
        assert_eq!(change(None, PeriodOutcome::Summed { revision: 2 }, "2026-03-02"), Some(2));
        assert_eq!(change(Hour::from_number(7), written(true), "2026-03-02"), None);
    }

    #[test]
    fn an_unchanged_day_of_the_last_week_is_named_again() {
        assert_eq!(change(None, PeriodOutcome::Unchanged { revision: 1 }, "2026-03-08"), Some(1));
        assert_eq!(change(None, PeriodOutcome::Unchanged { revision: 1 }, "2026-03-09"), None);
    }

    #[test]
    fn a_revised_day_is_named_again_with_its_revision_whatever_its_age() {
        assert_eq!(change(None, PeriodOutcome::Unchanged { revision: 3 }, "2026-03-08"), Some(3));
        assert_eq!(change(None, PeriodOutcome::Unchanged { revision: 3 }, "2026-12-09"), Some(3));
        assert_eq!(change(None, PeriodOutcome::Marked { revision: 2 }, "2026-03-08"), Some(2));
    }
}
