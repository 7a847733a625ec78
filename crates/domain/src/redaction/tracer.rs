//! The port that traces redactions.

/// Traces the redaction of messages. It receives neither texts nor tenants.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait RedactionTracer: Send + Sync {
    /// Begins the span of a redaction. The span ends when the value is dropped. `None` if the redaction is not traced.
    /// MUST NOT block: it is called within the request.
    fn begin(&self) -> Option<Box<dyn OpenSpan>>;
}

/// A span that has begun, and ends when it is dropped.
pub trait OpenSpan: Send + Sync {}
