//! The run of a privacy request. Each step can be repeated, so a run that was killed or failed is begun again.

use std::sync::Arc;

use super::{
    DeletedByteStore, DerivedData, DerivedDataKind, EraseError, Erasures, FailureReason, KnownUncoveredCopy, Ledger,
    OpenRequestPosition, OpenRequests, PrivacyRequest, PrivacyRequestStatus, PrivacyRequestStore, ReceiptDraft,
    RemovalOutcome, RewriteRecorder, SubjectStore, WaitReason, failed_run::FailedRun,
    feed_period_counter::FeedPeriodCounter, request_collection::SubjectCollector,
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

/// What one pass over the messages of a customer in conversations of others came to.
#[derive(Default)]
struct MessagePass {
    found: bool,
    on_hold: bool,
}

/// Carries out privacy requests. One replica at a time runs one request, under a lease. Two runs of one request at the same
/// time do no harm.
#[derive(Clone)]
pub struct PrivacyRequestRunner {
    store: Arc<dyn PrivacyRequestStore>,
    subjects: Arc<dyn SubjectStore>,
    deleted_bytes: Arc<dyn DeletedByteStore>,
    erasures: Erasures,
    derived: Vec<Arc<dyn DerivedData>>,
    signer: Option<Arc<dyn Signer>>,
    clock: Arc<dyn Clock>,
    not_covered: Vec<KnownUncoveredCopy>,
    ledger: Option<Ledger>,
}

impl PrivacyRequestRunner {
    /// Runs requests on these stores, and removes what was erased from everything in `derived`. Receipts are signed by
    /// `signer`, and name the copies `not_covered`.
    #[must_use]
    pub fn new(
        (store, subjects, deleted_bytes): (
            Arc<dyn PrivacyRequestStore>,
            Arc<dyn SubjectStore>,
            Arc<dyn DeletedByteStore>,
        ),
        erasures: Erasures,
        derived: Vec<Arc<dyn DerivedData>>,
        (signer, not_covered): (Option<Arc<dyn Signer>>, Vec<KnownUncoveredCopy>),
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, subjects, deleted_bytes, erasures, derived, signer, clock, not_covered, ledger: None }
    }

    /// Completes no erasure before its entries are in this ledger.
    #[must_use]
    pub fn with_ledger(self, ledger: Ledger) -> Self {
        Self { ledger: Some(ledger), ..self }
    }

    /// A page of the requests that are to be run, oldest first, and of those whose stored rows are invalid.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(&self, after: Option<&OpenRequestPosition>) -> Result<OpenRequests, StoreError> {
        self.store.open(after).await
    }

    /// Runs a request from where the last run stopped. If it has to wait, the request says for what. `failed_runs` is the
    /// number of runs directly before this one that ended with a permanent error. After
    /// [`PRIVACY_REQUEST_MAX_FAILED_RUNS`](crate::limits::PRIVACY_REQUEST_MAX_FAILED_RUNS) of them, the request ends as
    /// [`RunProgress::Failed`]. If another run or an operator ends the request meanwhile, the result is how it ended.
    ///
    /// # Errors
    /// If a store fails and the request stays open. It says what it waits for if the database stores that.
    pub async fn run(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        failed_runs: u32,
    ) -> Result<RunProgress, StoreError> {
        let run = match self.run_once(tenant, request).await {
            Ok(progress) => return Ok(progress),
            Err(run) => run,
        };
        // If the end cannot be stored, for example because the audit log refuses a record, the request stays open.
        if let Some(reason) = run.failure(failed_runs)
            && let Ok(was_open) = self.fail(tenant, request, reason).await
        {
            return if was_open { Ok(RunProgress::Failed(reason)) } else { self.ended(tenant, request).await };
        }
        // The error of the run matters, not the one of a database that cannot store the reason either.
        let _ = self.record_wait(tenant, request, run.waits_for).await;
        Err(run.error)
    }

    async fn run_once(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, FailedRun> {
        self.store.start(tenant, &request.id).await?;
        if let Some(reason) = self.carry_out(tenant, request).await? {
            self.record_wait(tenant, request, reason).await?;
            return Ok(RunProgress::Waiting(reason));
        }
        self.complete(tenant, request).await.map_err(FailedRun::after_removal)
    }

    /// How a request ended that another run or an operator has ended.
    async fn ended(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, StoreError> {
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

    /// Does everything that precedes the completion. Returns what the request waits for, if anything.
    async fn carry_out(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<Option<WaitReason>, FailedRun> {
        if let Some(subject) = self.store.subject(tenant, &request.id).await? {
            if request.erases() {
                if let Some(reason) = self.erase(tenant, request, &subject).await? {
                    return Ok(Some(reason));
                }
            } else {
                let collector = SubjectCollector { store: &*self.store, subjects: &*self.subjects };
                collector.collect(tenant, request, &subject).await?;
            }
            self.store.forget_subject(tenant, &request.id).await?;
        }
        if !request.erases() {
            return Ok(None);
        }
        let is_clean = self.deleted_bytes.remove_deleted_bytes().await.map_err(FailedRun::after_removal)?;
        Ok((!is_clean).then_some(WaitReason::Readers))
    }

    async fn record_wait(
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

    /// Erases the data of the customer everywhere. Returns what the request waits for, if anything.
    async fn erase(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<Option<WaitReason>, FailedRun> {
        self.subjects.wait_for_earlier_writes().await?;
        let is_held = self.erase_conversations(tenant, request, subject).await?;
        let pass = self.erase_messages(tenant, request, subject).await?;
        // A hold that was placed after the request is waited for.
        if is_held || pass.on_hold {
            return Ok(Some(WaitReason::Hold));
        }
        if let Some(ledger) = &self.ledger
            && ledger.write_queued().await.is_err()
        {
            return Ok(Some(WaitReason::Ledger));
        }
        if let Some(reason) = self.remove_derived_data(tenant, request).await? {
            return Ok(Some(reason));
        }
        // Nothing refuses a message of the customer in a conversation of another one. What arrived while the feeds were
        // written can be in them.
        let pass = self.erase_messages(tenant, request, subject).await?;
        Ok(pass.found.then_some(WaitReason::Messages))
    }

    /// Removes what is derived from the erased data. Returns what the request waits for, if anything.
    async fn remove_derived_data(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
    ) -> Result<Option<WaitReason>, FailedRun> {
        for data in &self.derived {
            let reason = match data.kind() {
                DerivedDataKind::Feeds => WaitReason::Feeds,
                DerivedDataKind::Vocabularies => continue,
            };
            match data.remove_erased(tenant, self.recorder(tenant, request)).await {
                Ok(RemovalOutcome::Waiting) => return Ok(Some(reason)),
                Ok(RemovalOutcome::Done(_) | RemovalOutcome::NotKept) => {}
                Err(error) => return Err(FailedRun::of_derived_data(error, reason)),
            }
        }
        Ok(None)
    }

    fn recorder(&self, tenant: &TenantId, request: &PrivacyRequest) -> Arc<dyn RewriteRecorder> {
        let (store, tenant, request) = (Arc::clone(&self.store), tenant.clone(), request.id.clone());
        Arc::new(FeedPeriodCounter { store, tenant, request })
    }

    /// Erases the conversations whose customer it is or was. Returns whether a hold protects one of them.
    async fn erase_conversations(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<bool, StoreError> {
        let (mut after, mut is_held) = (None, false);
        loop {
            let page = self.subjects.conversations_of(tenant, subject, after.as_ref()).await?;
            for conversation in &page {
                match self.erasures.erase_for_request(tenant, conversation, request).await {
                    Ok(()) | Err(EraseError::NotFound) => {}
                    Err(EraseError::Held) => is_held = true,
                    Err(EraseError::Store(error)) => return Err(error),
                }
            }
            let Some(last) = page.into_iter().next_back() else { return Ok(is_held) };
            after = Some(last);
        }
    }

    /// Erases the messages of the customer in conversations of others, except for those that a hold protects.
    async fn erase_messages(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<MessagePass, StoreError> {
        let (mut after, mut pass) = (None, MessagePass::default());
        loop {
            let sent = self.subjects.messages_sent_by(tenant, subject, after.as_ref()).await?;
            pass.on_hold |= !sent.on_hold.is_empty();
            pass.found |= !sent.messages.is_empty() || !sent.on_hold.is_empty();
            if !sent.messages.is_empty() {
                let now = self.clock.now();
                self.subjects.erase_messages(tenant, &request.id, &sent.messages, now).await?;
            }
            let Some(next) = sent.next else { return Ok(pass) };
            after = Some(next);
        }
    }

    async fn complete(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, StoreError> {
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
    async fn fail(
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
