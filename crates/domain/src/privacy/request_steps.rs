//! The steps of the run of a privacy request. Each step can be repeated, so a run that was killed or failed is begun again.

use std::sync::Arc;

use super::{
    DeletedByteStore, DerivedData, Erasures, FailureReason, KnownUncoveredCopy, Ledger, PrivacyRequest,
    PrivacyRequestStatus, PrivacyRequestStore, ReceiptDraft, SubjectStore, WaitReason, failed_run::FailedRun,
    request_collection::SubjectCollector, subject_erasure::SubjectEraser,
};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    signing::Signer,
    text::ExternalId,
    time::Clock,
};

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunProgress {
    /// The request is completed.
    Completed,
    /// The request has failed, and is not run again.
    Failed(FailureReason),
    /// The request must be run again.
    Waiting(WaitReason),
}

/// The steps of the run of a request, with the ports and settings that they use.
#[derive(Clone)]
pub(super) struct RequestSteps {
    pub(super) store: Arc<dyn PrivacyRequestStore>,
    pub(super) subjects: Arc<dyn SubjectStore>,
    pub(super) deleted_bytes: Arc<dyn DeletedByteStore>,
    pub(super) erasures: Erasures,
    pub(super) derived: Vec<Arc<dyn DerivedData>>,
    pub(super) signer: Option<Arc<dyn Signer>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) not_covered: Vec<KnownUncoveredCopy>,
    pub(super) ledger: Option<Ledger>,
}

impl RequestSteps {
    /// How a request ended that another run or an operator has ended.
    pub(super) async fn ended(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, StoreError> {
        let ended = self.current(tenant, request).await?;
        Ok(match (ended.status, ended.failure) {
            (PrivacyRequestStatus::Completed, _) => RunProgress::Completed,
            (PrivacyRequestStatus::Failed, Some(reason)) => RunProgress::Failed(reason),
            (PrivacyRequestStatus::Failed, None) => RunProgress::Failed(FailureReason::InternalError),
            (PrivacyRequestStatus::Pending | PrivacyRequestStatus::Running, _) => {
                RunProgress::Waiting(ended.waiting_for.unwrap_or(WaitReason::Service))
            }
        })
    }

    async fn current(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<PrivacyRequest, StoreError> {
        let missing = || StoreError::new(StoreErrorKind::Unexpected, "an open request is gone");
        self.store.find(tenant, &request.id).await?.ok_or_else(missing)
    }

    /// Marks the request as running. Returns the customer that it is about, unless the customer is forgotten already.
    pub(super) async fn begin(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
    ) -> Result<Option<ExternalId>, StoreError> {
        self.store.start(tenant, &request.id).await?;
        self.store.subject(tenant, &request.id).await
    }

    /// Erases the rows of the customer, or counts and lists them if the request does not erase. Returns what the request
    /// waits for, if anything.
    pub(super) async fn treat_rows(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<Option<WaitReason>, FailedRun> {
        if request.erases() {
            let is_held = self.eraser().erase(tenant, request, subject).await?;
            return Ok(is_held.then_some(WaitReason::Hold));
        }
        let collector = SubjectCollector { store: &*self.store, subjects: &*self.subjects };
        collector.collect(tenant, request, subject).await?;
        Ok(None)
    }

    /// Forgets the customer, unless an erasure finds new messages of it. Returns what the request waits for, if anything.
    pub(super) async fn forget_subject(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<Option<WaitReason>, FailedRun> {
        // Nothing refuses a message of the customer in a conversation of another one. What arrived while the feeds were
        // written can be in them.
        if request.erases() && self.eraser().erase_messages(tenant, request, subject).await?.found {
            return Ok(Some(WaitReason::Messages));
        }
        self.store.forget_subject(tenant, &request.id).await?;
        Ok(None)
    }

    fn eraser(&self) -> SubjectEraser<'_> {
        SubjectEraser { subjects: &*self.subjects, erasures: &self.erasures, clock: &*self.clock }
    }

    /// Ends a run of a request that has to wait.
    pub(super) async fn wait(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        reason: WaitReason,
    ) -> Result<RunProgress, StoreError> {
        self.record_wait(tenant, request, reason).await?;
        Ok(RunProgress::Waiting(reason))
    }

    pub(super) async fn record_wait(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        reason: WaitReason,
    ) -> Result<(), StoreError> {
        if request.waiting_for == Some(reason) {
            return Ok(());
        }
        self.store.set_waiting(tenant, &request.id, reason).await
    }

    pub(super) async fn complete(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
    ) -> Result<RunProgress, StoreError> {
        let current = self.current(tenant, request).await?;
        let now = self.clock.now();
        let receipt = match &self.signer {
            Some(signer) if request.erases() => {
                Some((ReceiptDraft::for_request(tenant, &current, now, &self.not_covered)?, &**signer))
            }
            _ => None,
        };
        let entry = AuditEntry::privacy_request_completed(&current, now);
        let was_open = self.store.complete(tenant, &request.id, now, entry, receipt).await?;
        if was_open { Ok(RunProgress::Completed) } else { self.ended(tenant, request).await }
    }

    /// Ends a request that cannot be carried out. What was erased stays erased.
    pub(super) async fn fail(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        reason: FailureReason,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let entry = AuditEntry::privacy_request_failed(&request.id, reason, now);
        self.store.fail(tenant, &request.id, (reason, now), entry).await
    }
}
