//! The handle that stops a running server.

use std::time::Duration;

use parlance_adapters_http::DrainFlag;
use tokio::time::sleep;

use crate::listener::ListenerHandle;

/// A handle that stops a running [`Service`](crate::Service).
#[derive(Clone)]
pub struct StopHandle {
    pub(crate) listener: ListenerHandle,
    pub(crate) draining: DrainFlag,
    pub(crate) delay: Duration,
}

impl StopHandle {
    /// The number of open connections of callers.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.listener.open_connections()
    }

    /// The number of requests of callers that are not answered yet.
    #[must_use]
    pub fn open_requests(&self) -> usize {
        self.listener.open_requests()
    }

    /// Stops the server. Readiness reports the stop at once. If `graceful`, the server then waits for the shutdown delay,
    /// in which a load balancer takes it out, and requests in flight finish.
    pub async fn stop(&self, graceful: bool) {
        self.draining.set();
        if graceful {
            sleep(self.delay).await;
        }
        self.listener.stop(graceful).await;
    }
}
