//! The trace that the current thread works for, and the spans that begin one.

use opentelemetry::{Context, trace::TraceContextExt};
use tracing::Metadata;

/// The target of spans that exist only in traces: the root spans and the spans of outgoing requests. The log omits them.
pub(super) const TRACE_TARGET: &str = "parlance::trace";

/// Whether a span exists for traces alone.
pub(crate) fn is_only_for_traces(metadata: &Metadata<'_>) -> bool {
    metadata.target() == TRACE_TARGET
}

/// The id of the trace that the current thread works for, if any: 32 hexadecimal digits.
pub(crate) fn current_trace_id() -> Option<String> {
    Context::map_current(|context| {
        let span = context.span();
        let span = span.span_context();
        (span.is_valid() && span.is_sampled()).then(|| span.trace_id().to_string())
    })
}
