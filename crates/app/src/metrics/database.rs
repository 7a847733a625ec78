//! Metrics of the database connections, of queued writes and of rare events, read when metrics are collected.

use std::fmt;

use parlance_adapters_sql::{Database, EventCounts, PoolUse};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

#[derive(Debug)]
pub(super) struct DatabaseCollector(pub(super) Database);

/// A gauge that each pool has: its name, its help text, and its value if the pool measures it.
type PoolGauge = (&'static str, &'static str, fn(PoolUse) -> Option<u32>);

const POOL_GAUGES: [PoolGauge; 5] = [
    ("database_connections_open", "Connections to the database", |pool| Some(pool.open)),
    ("database_connections_in_use", "Connections to the database that are in use", |pool| Some(pool.in_use)),
    ("database_connections_idle", "Connections to the database that are open and not in use", |pool| {
        Some(pool.open.saturating_sub(pool.in_use))
    }),
    ("database_connections_max", "Connections to the database that may be open at most", |pool| pool.max),
    ("database_connections_waiting", "Calls that wait for a connection to the database", |pool| pool.waiting),
];

/// A counter of rare events: its name, its help text, and its value.
type EventCounter = (&'static str, &'static str, fn(&EventCounts) -> u64);

const EVENT_COUNTERS: [EventCounter; 8] = [
    ("connections_opened", "Connections to PostgreSQL that were opened", |events| events.connections_opened),
    ("connections_lost", "Connections to the database that were lost", |events| events.connections_lost),
    ("server_changes", "Changes to another server of the database URL", |events| events.server_changes),
    ("statement_retries", "Statements that ran again, because their connection was lost", |events| {
        events.statement_retries
    }),
    (
        "batch_splits",
        "Write batches that were halved, because one write could not be committed with the others",
        |events| events.batch_splits,
    ),
    ("batch_fallbacks", "Write batches that ran again with a look-up, because a conversation was missing", |events| {
        events.batch_fallbacks
    }),
    ("blocked_batches", "Write batches that waited too long for a lock of another transaction", |events| {
        events.blocked_batches
    }),
    ("uncached_reads", "SQLite reads without a cached snapshot, because the write-ahead log was full", |events| {
        events.uncached_reads
    }),
];

impl Collector for DatabaseCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let pools = self.0.pool_uses();
        for (name, help, value_of) in POOL_GAUGES {
            let values = pools.iter().filter_map(|(pool, usage)| Some((*pool, value_of(*usage)?)));
            let mut values = values.peekable();
            if values.peek().is_none() {
                continue;
            }
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (pool, value) in values {
                ConstGauge::new(i64::from(value)).encode(family.encode_family(&[("pool", pool)])?)?;
            }
        }
        let help = "Writes that wait for the current group commit to end";
        let queued = i64::try_from(self.0.queued_writes()).unwrap_or(i64::MAX);
        let gauge = encoder.encode_descriptor("database_writes_queued", help, None, MetricType::Gauge)?;
        ConstGauge::new(queued).encode(gauge)?;
        let events = self.0.event_counts();
        for (name, help, value_of) in EVENT_COUNTERS {
            let name = format!("database_{name}");
            let counter = encoder.encode_descriptor(&name, help, None, MetricType::Counter)?;
            ConstCounter::new(value_of(&events)).encode(counter)?;
        }
        Ok(())
    }
}
