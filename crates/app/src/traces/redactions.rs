//! The spans of redactions.

use parlance_domain::redaction::{OpenSpan, RedactionTracer};
use tracing::{Span, debug_span};

/// Makes a span of each redaction that a subscriber wants.
pub(super) struct RedactionSpans;

/// A span that ends with the value.
struct RedactionSpan(#[expect(dead_code, reason = "held until the redaction ends")] Span);

impl OpenSpan for RedactionSpan {}

impl RedactionTracer for RedactionSpans {
    fn begin(&self) -> Option<Box<dyn OpenSpan>> {
        let span = debug_span!("redaction");
        if span.is_disabled() { None } else { Some(Box::new(RedactionSpan(span))) }
    }
}
