//! The tracer of requests.

use tracing::Span;

use crate::middleware::trace_parent::TraceParent;

/// Lets the program trace requests without this crate depending on OpenTelemetry.
pub trait RequestTracer: Send + Sync {
    /// Decides whether a request is traced, and begins its span. `parent` is the trace of the caller, if the request
    /// names one. `None` if the request is not traced. MUST NOT block.
    fn begin(&self, parent: Option<TraceParent<'_>>, request_id: &str) -> Option<TracedRequest>;

    /// Sets what is known at the end of a request. The span ends when it is dropped. `method` is `other` for a method
    /// that is not standard HTTP. `route` is the pattern of the path, or `None` if the path is unknown or the service
    /// returned an error. MUST NOT block.
    fn end(&self, request: &TracedRequest, method: &'static str, route: Option<&str>, status: u16);
}

/// A request that is traced.
#[derive(Debug)]
pub struct TracedRequest {
    /// The span of the request.
    pub span: Span,
    /// The id of its trace: 32 hexadecimal digits.
    pub trace_id: String,
}
