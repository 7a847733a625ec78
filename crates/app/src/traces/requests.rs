//! The spans of requests.

use opentelemetry::{
    Context, KeyValue,
    trace::{SpanContext, SpanId, Status, TraceContextExt, TraceFlags, TraceId, TraceState},
};
use parlance_adapters_http::{RequestTracer, TraceParent, TracedRequest};
use tracing::info_span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{context::TRACE_TARGET, sampler::Sampler};

/// The tracer of requests. It traces a request if the caller or the sampler wants it.
pub(super) struct RequestSpans {
    sampler: Sampler,
    scheme: &'static str,
}

impl RequestSpans {
    pub(super) fn new(sampler: Sampler, scheme: &'static str) -> Self {
        Self { sampler, scheme }
    }
}

impl RequestTracer for RequestSpans {
    fn begin(&self, parent: Option<TraceParent<'_>>, request_id: &str) -> Option<TracedRequest> {
        if !parent.map_or_else(|| self.sampler.decide(), |parent| parent.is_sampled) {
            return None;
        }
        let span = info_span!(
            target: TRACE_TARGET, parent: None, "request",
            otel.kind = "server", url.scheme = self.scheme, request_id
        );
        if let Some(caller) = parent.and_then(caller_context) {
            // Fails only for a disabled span.
            let _ = span.set_parent(caller);
        }
        let trace_id = span.context().span().span_context().trace_id().to_string();
        Some(TracedRequest { span, trace_id })
    }

    fn end(&self, request: &TracedRequest, method: &'static str, route: Option<&str>, status: u16) {
        let context = request.span.context();
        let span = context.span();
        // The names for other methods are those of the semantic conventions.
        let (name, method) = if method == "other" { ("HTTP", "_OTHER") } else { (method, method) };
        span.set_attribute(KeyValue::new("http.request.method", method));
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        match route {
            Some(route) => {
                span.update_name(format!("{name} {route}"));
                span.set_attribute(KeyValue::new("http.route", route.to_owned()));
            }
            None => span.update_name(name),
        }
        if status >= 500 {
            span.set_attribute(KeyValue::new("error.type", status.to_string()));
            span.set_status(Status::error(""));
        }
    }
}

/// The span of the caller.
fn caller_context(parent: TraceParent<'_>) -> Option<Context> {
    let (trace, span) = (TraceId::from_hex(parent.trace_id).ok()?, SpanId::from_hex(parent.span_id).ok()?);
    let span = SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::default());
    Some(Context::new().with_remote_span_context(span))
}
