//! Feeds whose removals answer what a test says.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    message::Message,
    ports::MessageStore,
    privacy::{DerivedData, DerivedDataKind, RemovalOutcome, RewriteRecorder},
};
use support::fixtures::acme;

/// Answers each removal with the next outcome, and the last one again and again. A removal that is done writes as many periods
/// again as its outcome says. One that fails writes one again, and fails while it writes the next, which is then the first one
/// of the next removal. During the first removal, a message arrives in a conversation of another customer, if there is one.
pub(crate) struct ScriptedFeeds {
    arriving: Option<(Arc<dyn MessageStore>, Message)>,
    outcomes: Vec<Option<RemovalOutcome>>,
    calls: AtomicUsize,
    /// The number of periods that were written again.
    written: AtomicU64,
}

impl ScriptedFeeds {
    /// `None` is a failure.
    pub(crate) fn new(
        outcomes: Vec<Option<RemovalOutcome>>,
        arriving: Option<(Arc<dyn MessageStore>, Message)>,
    ) -> Self {
        Self { arriving, outcomes, calls: AtomicUsize::new(0), written: AtomicU64::new(0) }
    }

    async fn remove(&self) -> Result<RemovalOutcome, StoreError> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if let (0, Some((messages, message))) = (call, &self.arriving) {
            let _ = messages.append(&acme(), message).await?;
        }
        self.outcomes[call.min(self.outcomes.len() - 1)]
            .ok_or_else(|| StoreError::new(StoreErrorKind::Unavailable, "the disk is full"))
    }
}

#[async_trait]
impl DerivedData for ScriptedFeeds {
    fn kind(&self) -> DerivedDataKind {
        DerivedDataKind::Feeds
    }

    async fn remove_erased(
        &self,
        _: &TenantId,
        recorder: Arc<dyn RewriteRecorder>,
    ) -> Result<RemovalOutcome, StoreError> {
        let outcome = self.remove().await;
        let count = match outcome {
            Ok(RemovalOutcome::Done(count)) => count,
            Ok(RemovalOutcome::Waiting | RemovalOutcome::NotKept) => 0,
            Err(_) => 1,
        };
        for _ in 0..count {
            let written = self.written.fetch_add(1, Ordering::Relaxed);
            recorder.record(&written.to_string()).await?;
        }
        if outcome.is_err() {
            recorder.record(&self.written.load(Ordering::Relaxed).to_string()).await?;
        }
        outcome
    }

    async fn count_of_tenant(&self, _: &TenantId) -> Result<u64, StoreError> {
        Ok(4)
    }

    async fn remove_tenant(&self, _: &TenantId) -> Result<RemovalOutcome, StoreError> {
        self.remove().await
    }
}
