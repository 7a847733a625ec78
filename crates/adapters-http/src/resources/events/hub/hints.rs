//! Hints that the change log has new entries.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes the hub, so that it reads the change log at once and not only after its polling interval. Nothing depends on a
/// hint: one that is lost costs time only. Clones wake the same hub.
#[derive(Debug, Clone, Default)]
pub struct ChangeHints(Arc<Hints>);

#[derive(Debug, Default)]
struct Hints {
    /// The change log may have new entries.
    any: Notify,
    /// This process has written.
    own: Notify,
}

impl ChangeHints {
    /// Reports that the change log may have new entries. Many reports become one.
    pub fn notify(&self) {
        self.0.any.notify_one();
    }

    /// Reports a write of this process.
    pub(crate) fn report_write(&self) {
        self.notify();
        self.0.own.notify_one();
    }

    /// Waits for a write of this process since the last call, so that other replicas can be told.
    pub async fn own_write(&self) {
        self.0.own.notified().await;
    }

    /// Waits for a report since the last call.
    pub(super) async fn notified(&self) {
        self.0.any.notified().await;
    }
}
