//! The traces of requests and deliveries, sent to a collector by OTLP (OpenTelemetry) over HTTP.
//!
//! Whether a request is traced is decided once, before it has a span. Everything else makes ordinary `tracing` spans:
//! inside a traced request they become spans of the trace, elsewhere [`filter::trace_filter`] refuses them.

mod context;
mod deliveries;
mod export_queue;
mod filter;
mod http_client;
mod redactions;
mod requests;
mod resource;
mod sampler;

use std::sync::Arc;

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::{Sampler as SdkSampler, SdkTracerProvider};
use parlance_adapters_http::RequestTracer;
use parlance_adapters_transcription::DeliveryTracer;
use parlance_domain::{access::TenantId, redaction::RedactionTracer};
use tracing::Span;
use tracing_subscriber::{Layer, Registry};

pub(crate) use context::{current_trace_id, is_only_for_traces};
pub(crate) use http_client::{ProbeOutcome, probe_collector};

use self::{
    deliveries::DeliverySpans, export_queue::ExportThread, filter::trace_filter, redactions::RedactionSpans,
    requests::RequestSpans, sampler::Sampler,
};
use crate::{metrics::TraceMetrics, settings::TraceSettings};

/// Begins traces, if traces are on. Clones share the counters.
#[derive(Clone, Default)]
pub(crate) struct Tracers {
    sampler: Option<Sampler>,
    pub(crate) metrics: TraceMetrics,
}

/// Sends spans to the collector. Dropping the value sends the queued spans, within a few seconds.
#[must_use = "spans that end after this is dropped are lost"]
pub(crate) struct TraceExport {
    provider: SdkTracerProvider,
    thread: ExportThread,
}

impl TraceExport {
    /// Starts the thread that sends spans.
    ///
    /// # Errors
    /// If the thread, its runtime or the HTTP exporter cannot be made, or the system has no random numbers.
    pub(crate) fn start(settings: &TraceSettings) -> anyhow::Result<(Tracers, Self)> {
        let tracers = Tracers { sampler: Some(Sampler::new(settings.sampling)), metrics: TraceMetrics::default() };
        let resource = resource::describe_process()?;
        let thread = ExportThread::start(settings, &resource, tracers.metrics.clone())?;
        let provider = SdkTracerProvider::builder()
            .with_span_processor(thread.queue())
            // The filter lets only the spans of traced requests pass.
            .with_sampler(SdkSampler::AlwaysOn)
            .with_resource(resource)
            .build();
        Ok((tracers, Self { provider, thread }))
    }

    /// The layer that makes spans of traces. Log events are no part of a trace.
    pub(crate) fn layer(&self) -> Box<dyn Layer<Registry> + Send + Sync> {
        let layer = tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("parlance"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false);
        layer.with_filter(trace_filter()).boxed()
    }
}

impl Drop for TraceExport {
    fn drop(&mut self) {
        self.thread.stop();
    }
}

impl Tracers {
    /// The tracer of requests that arrive by this scheme; `None` if traces are off.
    pub(crate) fn request_tracer(&self, scheme: &'static str) -> Option<Arc<dyn RequestTracer>> {
        let sampler = self.sampler?;
        Some(Arc::new(RequestSpans::new(sampler, scheme)))
    }

    /// The tracer of the requests that deliver vocabularies; `None` if traces are off.
    pub(crate) fn delivery_tracer(&self) -> Option<Arc<dyn DeliveryTracer>> {
        self.sampler.map(|_| Arc::new(DeliverySpans) as Arc<dyn DeliveryTracer>)
    }

    /// Begins the trace of a delivery; a disabled span if it is not traced.
    pub(crate) fn begin_delivery(&self, tenant: &TenantId) -> Span {
        let is_sampled = self.sampler.is_some_and(Sampler::decide);
        if is_sampled { deliveries::begin(tenant) } else { Span::none() }
    }
}

/// The tracer of redactions. Its spans are ordinary ones: a trace has them, and so has the log at `debug`.
pub(crate) fn redaction_tracer() -> Arc<dyn RedactionTracer> {
    Arc::new(RedactionSpans)
}
