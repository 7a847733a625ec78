//! Metrics of the connection to Redis, read when metrics are collected.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use parlance_adapters_redis::Redis;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

/// Reports the connection of this Redis, once it is set. Clones share it.
#[derive(Clone, Default)]
pub(super) struct RedisCollector(pub(super) Arc<OnceLock<Redis>>);

impl fmt::Debug for RedisCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisCollector")
    }
}

impl Collector for RedisCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let status = self.0.get().map(Redis::connection_status).unwrap_or_default();
        let help = "Connections to Redis";
        let gauge = encoder.encode_descriptor("redis_connections_open", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::from(status.is_open)).encode(gauge)?;
        let help = "Connections to Redis that were dropped after a failed call";
        let counter = encoder.encode_descriptor("redis_connections_lost", help, None, MetricType::Counter)?;
        ConstCounter::new(status.lost_connections).encode(counter)
    }
}
