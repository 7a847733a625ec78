//! Metrics of the connections of callers, read when metrics are collected.

use std::fmt;

use parlance_adapters_http::ConnectionRegistry;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
};

pub(super) struct ConnectionCollector(pub(super) ConnectionRegistry);

impl fmt::Debug for ConnectionCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConnectionCollector")
    }
}

impl Collector for ConnectionCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let counts = self.0.counts();
        let open = i64::try_from(counts.open).unwrap_or(i64::MAX);
        let gauge = encoder.encode_descriptor("connections_open", "Connections of callers", None, MetricType::Gauge)?;
        ConstGauge::new(open).encode(gauge)?;
        let help = "Connections of callers that were refused because of a cap";
        let counter = encoder.encode_descriptor("connections_refused", help, None, MetricType::Counter)?;
        ConstCounter::new(counts.refused).encode(counter)?;
        let help = "Connections of callers that the server ended, by reason";
        let mut family = encoder.encode_descriptor("connections_cut", help, None, MetricType::Counter)?;
        for (reason, count) in counts.cut {
            ConstCounter::new(count).encode(family.encode_family(&[("reason", reason.as_str())])?)?;
        }
        Ok(())
    }
}
