//! Which spans are part of a trace.

use parlance_adapters_http::REQUEST_SPAN;
use tracing::{Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    Registry,
    filter::{FilterExt, dynamic_filter_fn, filter_fn},
    layer::Filter,
};

use super::context::is_only_for_traces;

/// Lets the root of a trace pass, and inside a trace the spans of calls. No event passes: its fields are for the log.
pub(super) fn trace_filter() -> impl Filter<Registry> + Send + Sync + 'static {
    // Decided once for each place in the code: most places are neither.
    let may_pass = filter_fn(|metadata| is_only_for_traces(metadata) || is_own_span(metadata));
    // The current span is one that this filter has let pass.
    let is_in_trace =
        dynamic_filter_fn(|metadata, context| is_only_for_traces(metadata) || context.lookup_current().is_some());
    may_pass.with_max_level_hint(LevelFilter::DEBUG).and(is_in_trace.with_max_level_hint(LevelFilter::DEBUG))
}

/// Whether this is a span of our own code that belongs in a trace.
fn is_own_span(metadata: &Metadata<'_>) -> bool {
    let is_ours = metadata.target().starts_with("parlance");
    // The log has this span for a request. A trace has its root span instead.
    metadata.is_span() && is_ours && metadata.name() != REQUEST_SPAN
}
