//! The queue of ended spans, and the thread that sends them to the collector.
//!
//! A request never waits for the collector: a span that finds the queue full is dropped and counted.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use opentelemetry::Context;
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanExporter, SpanProcessor},
};
use tokio::runtime::{Builder, Runtime};

use super::http_client::BlockingClient;
use crate::{metrics::TraceMetrics, settings::TraceSettings};

/// The largest number of spans that wait to be sent.
const QUEUE_CAPACITY: usize = 4_096;

/// The largest number of spans in one request to the collector.
const MAX_BATCH: usize = 512;

/// How long a span waits for others before it is sent.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// How long one request to the collector may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);

/// The time after which a batch is not sent again.
const RETRY_FOR: Duration = Duration::from_secs(5);

/// How long the end of the process may wait for the last spans to be sent.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest time between two warnings that spans were not sent.
const WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// What the queue holds.
enum Entry {
    Span(Box<SpanData>),
    /// Wakes the thread, because it is to stop.
    Stop,
}

/// The end of the queue into which spans go.
pub(super) struct SpanQueue {
    spans: SyncSender<Entry>,
    metrics: TraceMetrics,
}

impl fmt::Debug for SpanQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpanQueue")
    }
}

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if self.spans.try_send(Entry::Span(Box::new(span))).is_err() {
            self.metrics.record_dropped(1);
        }
    }

    // [`ExportThread::stop`] sends the queued spans: the SDK must not wait for them.
    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    // As above.
    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// A handle of the thread that sends spans.
pub(super) struct ExportThread {
    spans: SyncSender<Entry>,
    metrics: TraceMetrics,
    is_stopping: Arc<AtomicBool>,
    stopped: Receiver<()>,
}

impl ExportThread {
    /// Starts the thread.
    pub(super) fn start(settings: &TraceSettings, resource: &Resource, metrics: TraceMetrics) -> anyhow::Result<Self> {
        let (spans, queue) = mpsc::sync_channel(QUEUE_CAPACITY);
        let (confirm, stopped) = mpsc::sync_channel(1);
        let is_stopping = Arc::new(AtomicBool::new(false));
        let export_loop = ExportLoop {
            queue,
            exporter: otlp_exporter(settings, resource)?,
            // Drives the timer between two attempts. The client itself blocks this thread.
            runtime: Builder::new_current_thread().enable_time().build()?,
            metrics: metrics.clone(),
            is_stopping: Arc::clone(&is_stopping),
            last_warning: None,
        };
        let run = move || {
            export_loop.run();
            let _ = confirm.send(());
        };
        thread::Builder::new().name("traces".to_owned()).spawn(run)?;
        Ok(Self { spans, metrics, is_stopping, stopped })
    }

    pub(super) fn queue(&self) -> SpanQueue {
        SpanQueue { spans: self.spans.clone(), metrics: self.metrics.clone() }
    }

    /// Sends the queued spans, and waits for at most [`STOP_TIMEOUT`].
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Release);
        // A full queue wakes the thread as well.
        let _ = self.spans.try_send(Entry::Stop);
        let _ = self.stopped.recv_timeout(STOP_TIMEOUT);
    }
}

fn otlp_exporter(settings: &TraceSettings, resource: &Resource) -> anyhow::Result<OtlpExporter> {
    let headers = settings.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut exporter = OtlpExporter::builder()
        .with_http()
        .with_http_client(BlockingClient::new(REQUEST_TIMEOUT))
        .with_endpoint(settings.traces_url())
        .with_headers(headers.collect())
        .with_timeout(RETRY_FOR)
        .build()
        .context("otlp_endpoint")?;
    exporter.set_resource(resource);
    Ok(exporter)
}

/// Sends spans, on a thread of its own.
struct ExportLoop {
    queue: Receiver<Entry>,
    exporter: OtlpExporter,
    runtime: Runtime,
    metrics: TraceMetrics,
    is_stopping: Arc<AtomicBool>,
    last_warning: Option<Instant>,
}

impl ExportLoop {
    fn run(mut self) {
        loop {
            let is_stopping = self.is_stopping.load(Ordering::Acquire);
            let Some(batch) = (if is_stopping { self.queued() } else { self.next_batch() }) else { return };
            if !batch.is_empty() {
                self.send(batch);
            }
        }
    }

    /// The spans that are queued already, as many as one request may hold; `None` if there is none.
    fn queued(&self) -> Option<Vec<SpanData>> {
        let batch: Vec<_> = self.queue.try_iter().filter_map(Entry::into_span).take(MAX_BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    }

    /// Waits for a span, and then for others until [`MAX_DELAY`] is over, the batch is full, or the thread is to stop. The
    /// batch is empty if the thread is to stop. `None` if the queue is empty and nothing can be added to it any more.
    fn next_batch(&self) -> Option<Vec<SpanData>> {
        let mut batch: Vec<_> = self.queue.recv().ok()?.into_span().into_iter().collect();
        let end = Instant::now() + MAX_DELAY;
        while !batch.is_empty() && batch.len() < MAX_BATCH {
            match self.queue.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Entry::Span(span)) => batch.push(*span),
                Ok(Entry::Stop) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        Some(batch)
    }

    fn send(&mut self, batch: Vec<SpanData>) {
        let spans = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let Err(error) = self.runtime.block_on(self.exporter.export(batch)) else { return };
        self.metrics.record_failed_export(spans);
        if self.last_warning.is_none_or(|last| last.elapsed() >= WARNING_INTERVAL) {
            self.last_warning = Some(Instant::now());
            let (cause, dropped_since_start) = (error.to_string(), self.metrics.dropped());
            tracing::warn!(
                cause,
                dropped_since_start,
                "failed to send traces: check otlp_endpoint and the collector there"
            );
        }
    }
}

impl Entry {
    fn into_span(self) -> Option<SpanData> {
        match self {
            Self::Span(span) => Some(*span),
            Self::Stop => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{SettingFlags, Settings, Sources};

    #[test]
    fn the_thread_ends_when_nothing_can_give_it_spans_any_more() {
        let endpoint = |name: &str| (name == "PARLANCE_OTLP_ENDPOINT").then(|| "http://127.0.0.1:9".to_owned());
        let sources = Sources::new(&SettingFlags::default(), endpoint, None).unwrap();
        let settings = Settings::read(&sources).unwrap().traces.unwrap();
        let resource = Resource::builder_empty().build();
        let thread = ExportThread::start(&settings, &resource, TraceMetrics::default()).unwrap();
        let ExportThread { spans, stopped, .. } = thread;
        drop(spans);
        assert_eq!(stopped.recv_timeout(Duration::from_secs(10)), Ok(()));
    }
}
