//! The observer of responses.

use std::time::Duration;

/// Observes responses, for example to count them.
pub trait RequestObserver: Send + Sync {
    /// Called before the body of a response is sent. `method` is `other` for a method that is not standard HTTP.
    /// `route` is the pattern of the path, or `None` if the path is unknown or the service returned an error. `took` is
    /// the time from the start of the request to this call. MUST NOT block.
    fn on_response(&self, method: &'static str, route: Option<&str>, status: u16, took: Duration);
}
