//! The tracer of the requests that deliver vocabularies.

use tracing::Span;

/// Lets the program trace deliveries without this crate depending on OpenTelemetry.
pub trait DeliveryTracer: Send + Sync {
    /// Begins the span of a `PUT` request within the current span. `None` if the delivery is not traced. MUST NOT
    /// block.
    fn begin(&self) -> Option<TracedDelivery>;

    /// Sets the result of the request: the status of the answer, or `None` without an answer. The span ends when it is
    /// dropped. MUST NOT block.
    fn end(&self, delivery: &TracedDelivery, status: Option<u16>);
}

/// A request of a delivery that is traced.
#[derive(Debug)]
pub struct TracedDelivery {
    /// The span of the request.
    pub span: Span,
    /// The value of the header `traceparent` (W3C Trace Context).
    pub traceparent: String,
}
