//! The numbers of open, used and awaited connections, for metrics.

use deadpool::Status;

/// The connections of one pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolUse {
    /// The number of open connections.
    pub open: u32,
    /// The number of connections in use.
    pub in_use: u32,
    /// The number of calls that wait for a connection, if the pool counts them.
    pub waiting: Option<u32>,
    /// The largest number of open connections, if the pool has a limit.
    pub max: Option<u32>,
}

impl PoolUse {
    pub(crate) fn new(open: usize, idle: usize) -> Self {
        Self { open: count(open), in_use: count(open.saturating_sub(idle)), waiting: None, max: None }
    }

    pub(crate) fn with_max(self, max: u32) -> Self {
        Self { max: Some(max), ..self }
    }

    /// The sum of several pools.
    pub(crate) fn sum(pools: impl IntoIterator<Item = Status>) -> Self {
        pools.into_iter().fold(Self { waiting: Some(0), max: Some(0), ..Self::default() }, |sum, status| {
            let pool = Self::new(status.size, status.available);
            Self {
                open: sum.open + pool.open,
                in_use: sum.in_use + pool.in_use,
                waiting: sum.waiting.map(|sum| sum.saturating_add(count(status.waiting))),
                max: sum.max.map(|sum| sum.saturating_add(count(status.max_size))),
            }
        })
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_several_pools_are_added() {
        let pool = Status { max_size: 4, size: 3, available: 1, waiting: 2 };
        assert_eq!(PoolUse::sum([pool, pool]), PoolUse { open: 6, in_use: 4, waiting: Some(4), max: Some(8) });
    }
}
