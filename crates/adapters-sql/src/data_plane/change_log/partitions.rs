//! The partitions of the change log on PostgreSQL, which are used in turn, and the lock by which its writers announce
//! themselves.

use parlance_domain::time::{MICROS_PER_DAY, Timestamp};

/// The first key of the advisory locks that announce a number. It keeps them apart from other advisory locks.
pub(crate) const LOCK_CLASS: i32 = 0x7061_726c;

/// The number of partitions. With [`SLOT_DAYS`], they hold more days than the longest retention.
pub(crate) const SLOTS: i64 = 16;

/// The days whose rows one partition holds.
pub(crate) const SLOT_DAYS: i64 = 7;

/// The partitions all of whose rows are older than `cutoff` at the time `now`. A partition holds the rows of one period of
/// [`SLOT_DAYS`] days, and none that are newer.
pub(super) fn expired_slots(now: Timestamp, cutoff: Timestamp) -> Vec<i64> {
    let micros = SLOT_DAYS * MICROS_PER_DAY;
    let current = now.as_micros().div_euclid(micros);
    let is_expired = |period: &i64| (period + 1) * micros <= cutoff.as_micros();
    let periods = (current - SLOTS + 1..=current).filter(is_expired);
    periods.map(|period| period.rem_euclid(SLOTS)).collect()
}

#[cfg(test)]
mod tests {
    use parlance_domain::time::SECONDS_PER_DAY;

    use super::*;

    const PERIOD_SECONDS: i64 = SLOT_DAYS * SECONDS_PER_DAY;

    fn at_period(period: i64, seconds: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(period * PERIOD_SECONDS + seconds)
    }

    #[test]
    fn a_partition_expires_when_its_newest_row_is_older_than_the_retention() {
        let now = at_period(100, 1_000);
        assert_eq!(expired_slots(now, at_period(85, PERIOD_SECONDS - 1)), [] as [i64; 0]);
        assert_eq!(expired_slots(now, at_period(86, 0)), [85 % SLOTS]);
        assert_eq!(expired_slots(now, at_period(88, 5)), [85 % SLOTS, 86 % SLOTS, 87 % SLOTS]);
    }

    #[test]
    fn the_current_partition_never_expires() {
        let now = at_period(100, 0);
        assert!(!expired_slots(now, now).contains(&(100 % SLOTS)));
    }

    #[test]
    fn all_partitions_together_hold_the_longest_retention() {
        const { assert!(parlance_domain::limits::EVENT_RETENTION_DAYS_MAX <= (SLOTS - 2) * SLOT_DAYS) };
    }
}
