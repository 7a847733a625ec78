//! The flag of a server that is about to stop.

use std::sync::Arc;

use tokio::sync::watch;

/// A flag that marks the server as stopping, so that it gets no new requests. Clones share the flag.
#[derive(Debug, Clone)]
pub struct DrainFlag(Arc<watch::Sender<bool>>);

impl Default for DrainFlag {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl DrainFlag {
    /// Marks the server as not ready from now on.
    pub fn set(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the flag is set.
    pub(crate) async fn wait(&self) {
        // The sender lives as long as this value.
        let _ = self.0.subscribe().wait_for(|is_set| *is_set).await;
    }
}
