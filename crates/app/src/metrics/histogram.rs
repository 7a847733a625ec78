//! A histogram that is counted with atomic numbers alone, so that requests never wait for each other at it.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use prometheus_client::{
    encoding::{EncodeMetric, MetricEncoder, NoLabelSet},
    metrics::{MetricType, TypedMetric},
};

/// How many durations were observed within each of some bounds. Cloning shares it.
#[derive(Clone, Debug)]
pub(super) struct Histogram(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    /// Upper bounds in seconds, ascending.
    bounds: &'static [f64],
    /// One more than there are bounds: the last counts what is beyond all of them.
    counts: Box<[AtomicU64]>,
    sum_micros: AtomicU64,
}

impl Histogram {
    pub(super) fn new(bounds: &'static [f64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::default()).collect();
        Self(Arc::new(Counted { bounds, counts, sum_micros: AtomicU64::default() }))
    }

    pub(super) fn observe(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = self.0.bounds.partition_point(|bound| *bound < seconds);
        if let Some(count) = self.0.counts.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.0.sum_micros.fetch_add(micros, Ordering::Relaxed);
    }
}

impl TypedMetric for Histogram {
    const TYPE: MetricType = MetricType::Histogram;
}

impl EncodeMetric for Histogram {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> Result<(), fmt::Error> {
        let bounds = self.0.bounds.iter().copied().chain([f64::MAX]);
        let counts = self.0.counts.iter().map(|count| count.load(Ordering::Relaxed));
        let buckets: Vec<_> = bounds.zip(counts).collect();
        let total = buckets.iter().map(|(_, count)| count).sum();
        let sum = Duration::from_micros(self.0.sum_micros.load(Ordering::Relaxed)).as_secs_f64();
        encoder.encode_histogram::<NoLabelSet>(sum, total, &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        Self::TYPE
    }
}
