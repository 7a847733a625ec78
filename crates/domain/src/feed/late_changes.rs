//! The late changes of a feed: how often its intervals were changed after their end.

use std::collections::BTreeMap;

use super::{Day, Interval};

/// The number of late changes of each interval. A change belongs to the hour of its row. A change whose hour was not
/// recorded belongs to its day only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LateChanges(BTreeMap<Interval, u64>);

impl FromIterator<(Interval, u64)> for LateChanges {
    fn from_iter<I: IntoIterator<Item = (Interval, u64)>>(counts: I) -> Self {
        Self(counts.into_iter().collect())
    }
}

impl LateChanges {
    /// The number of late changes of an interval. The number of a day includes its hours.
    #[must_use]
    pub fn of(&self, interval: impl Into<Interval>) -> u64 {
        let interval = interval.into();
        if interval.hour.is_some() {
            return self.0.get(&interval).copied().unwrap_or_default();
        }
        self.0.range(interval..).take_while(|(found, _)| found.day == interval.day).map(|(_, count)| count).sum()
    }

    /// Whether an interval of the day has late changes.
    #[must_use]
    pub fn affect(&self, day: Day) -> bool {
        self.of(day) > 0
    }

    /// The first day that has late changes.
    #[must_use]
    pub fn first_day(&self) -> Option<Day> {
        self.0.keys().map(|interval| interval.day).min()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_late_changes_of_a_day_include_those_of_its_hours() {
        let day = Day::parse("2026-01-31").unwrap();
        let hours: Vec<_> = Interval::hours_of(day).collect();
        let next = day.next().unwrap();
        let changes: LateChanges =
            [(Interval::from(day), 1), (hours[0], 2), (hours[23], 4), (Interval::from(next), 8)].into_iter().collect();
        assert_eq!((changes.of(day), changes.of(next)), (7, 8));
        assert_eq!((changes.of(hours[23]), changes.of(hours[1])), (4, 0));
        assert_eq!((changes.first_day(), LateChanges::default().first_day()), (Some(day), None));
        assert!(changes.affect(day) && !changes.affect(day.previous().unwrap()));
    }
}
