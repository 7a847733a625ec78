//! The spans of deliveries of vocabularies.

use opentelemetry::{
    KeyValue,
    trace::{Status, TraceContextExt},
};
use parlance_adapters_transcription::{DeliveryTracer, TracedDelivery};
use parlance_domain::access::TenantId;
use tracing::{Span, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::context::{TRACE_TARGET, current_trace_id};

/// Begins the trace of the delivery of one vocabulary.
pub(super) fn begin(tenant: &TenantId) -> Span {
    info_span!(target: TRACE_TARGET, parent: None, "vocabulary.delivery", tenant = tenant.as_str())
}

/// The tracer of requests to the transcription component.
pub(super) struct DeliverySpans;

impl DeliveryTracer for DeliverySpans {
    fn begin(&self) -> Option<TracedDelivery> {
        current_trace_id()?;
        let span = info_span!(target: TRACE_TARGET, "PUT", otel.kind = "client", http.request.method = "PUT");
        let otel_context = span.context();
        let otel_span = otel_context.span();
        let ids = otel_span.span_context();
        let traceparent = format!("00-{}-{}-01", ids.trace_id(), ids.span_id());
        Some(TracedDelivery { span, traceparent })
    }

    fn end(&self, delivery: &TracedDelivery, status: Option<u16>) {
        let context = delivery.span.context();
        let span = context.span();
        if let Some(status) = status {
            span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        }
        // For a client span, the conventions of OpenTelemetry count 4xx as errors too.
        let is_error = status.is_none_or(|status| status >= 400);
        if is_error {
            let kind = status.map_or_else(|| "no_answer".to_owned(), |status| status.to_string());
            span.set_attribute(KeyValue::new("error.type", kind));
            span.set_status(Status::error(""));
        }
    }
}
