//! Metrics of the database connections and of queued writes, read when metrics are collected.

use std::fmt;

use parlance_adapters_sql::{Database, PoolUse};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

#[derive(Debug)]
pub(super) struct DatabaseCollector(pub(super) Database);

/// A gauge that each pool has: its name, its help text, and its value if the pool measures it.
type PoolGauge = (&'static str, &'static str, fn(PoolUse) -> Option<u32>);

const POOL_GAUGES: [PoolGauge; 3] = [
    ("database_connections_open", "Connections to the database", |pool| Some(pool.open)),
    ("database_connections_in_use", "Connections to the database that are in use", |pool| Some(pool.in_use)),
    ("database_connections_waiting", "Calls that wait for a connection to the database", |pool| pool.waiting),
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
        let (name, help) = ("database_connections_lost", "Connections to the database that were lost");
        let counter = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
        ConstCounter::new(self.0.lost_connections()).encode(counter)
    }
}
