//! The request for a back-test, within its limits.

use crate::{
    feed::Day,
    limits::{BACKTEST_MAX_DAYS, BACKTEST_MAX_SAMPLES},
    redaction::EntitySet,
    text::Violation,
    time::Timestamp,
};

/// Which entities to test on which stored messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BacktestRequest {
    pub(super) entities: EntitySet,
    pub(super) since: Timestamp,
    pub(super) until: Timestamp,
    pub(super) max_samples: usize,
}

/// The member of a request that breaks a rule, with the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBacktest {
    /// No entity is named.
    #[error("{0}")]
    Entities(Violation),
    /// The period is empty or too long.
    #[error("must be later than since, by at most {BACKTEST_MAX_DAYS} days")]
    Period,
    /// Too many samples.
    #[error("{0}")]
    Samples(Violation),
}

impl BacktestRequest {
    /// A test of these entities on the messages that arrived from `since` on and before `until`. The report has at most
    /// `max_samples` samples.
    ///
    /// # Errors
    /// [`InvalidBacktest`] without an entity, if the period is empty or touches more than [`BACKTEST_MAX_DAYS`] days,
    /// or with more than [`BACKTEST_MAX_SAMPLES`] samples.
    pub fn new(
        entities: EntitySet,
        since: Timestamp,
        until: Timestamp,
        max_samples: u64,
    ) -> Result<Self, InvalidBacktest> {
        if entities.is_empty() {
            return Err(InvalidBacktest::Entities(Violation::MinItems(1)));
        }
        let days = Day::containing(until).epoch_days() - Day::containing(since).epoch_days();
        if since >= until || days > BACKTEST_MAX_DAYS {
            return Err(InvalidBacktest::Period);
        }
        let max_samples = usize::try_from(max_samples).ok().filter(|samples| *samples <= BACKTEST_MAX_SAMPLES);
        let range = Violation::Range(0, BACKTEST_MAX_SAMPLES as u64);
        Ok(Self { entities, since, until, max_samples: max_samples.ok_or(InvalidBacktest::Samples(range))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SECONDS_PER_DAY;

    fn request(entities: EntitySet, seconds: i64, samples: u64) -> Result<BacktestRequest, InvalidBacktest> {
        BacktestRequest::new(entities, Timestamp::EPOCH, Timestamp::EPOCH.plus_seconds(seconds), samples)
    }

    #[test]
    fn a_request_names_an_entity_a_period_and_up_to_100_samples() {
        let all = EntitySet::all();
        assert!(request(all, 1, 0).is_ok() && request(all, SECONDS_PER_DAY * BACKTEST_MAX_DAYS, 100).is_ok());
        assert!(matches!(request(EntitySet::empty(), 1, 0), Err(InvalidBacktest::Entities(_))));
        for seconds in [0, -1, SECONDS_PER_DAY * (BACKTEST_MAX_DAYS + 1)] {
            assert_eq!(request(all, seconds, 0), Err(InvalidBacktest::Period));
        }
        assert_eq!(request(all, 1, 101), Err(InvalidBacktest::Samples(Violation::Range(0, 100))));
    }
}
