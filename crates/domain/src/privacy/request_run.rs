//! The run of a privacy request. Each step can be repeated, so a run that was killed is begun again.

use std::sync::Arc;

use super::{
    ArchiveItem, DeletedByteStore, DerivedData, DerivedDataKind, EraseError, Erasures, KnownUncoveredCopy, Ledger,
    PrivacyCounts, PrivacyRequest, PrivacyRequestStore, ReceiptDraft, RemovalOutcome, SubjectStore, WaitReason,
};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    signing::Signer,
    text::ExternalId,
    time::Clock,
};

/// Whether a run has come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunProgress {
    /// The request is completed.
    Completed,
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

    /// The requests that are to be run, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(&self) -> Result<Vec<(TenantId, PrivacyRequest)>, StoreError> {
        self.store.open().await
    }

    /// Runs a request from where the last run came to. If it has to wait, the request says for what.
    ///
    /// # Errors
    /// If a store fails. The request stays open.
    pub async fn run(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, StoreError> {
        self.store.start(tenant, &request.id).await?;
        if let Some(reason) = self.carry_out(tenant, request).await? {
            self.record_wait(tenant, request, reason).await?;
            return Ok(RunProgress::Waiting(reason));
        }
        self.complete(tenant, request).await?;
        Ok(RunProgress::Completed)
    }

    /// Does everything that precedes the completion. Returns what the request waits for, if anything.
    async fn carry_out(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<Option<WaitReason>, StoreError> {
        if let Some(subject) = self.store.subject(tenant, &request.id).await? {
            if request.erases() {
                if let Some(reason) = self.erase(tenant, request, &subject).await? {
                    return Ok(Some(reason));
                }
            } else {
                self.collect(tenant, request, &subject).await?;
            }
            self.store.forget_subject(tenant, &request.id).await?;
        }
        let has_bytes_left = request.erases() && !self.deleted_bytes.remove_deleted_bytes().await?;
        Ok(has_bytes_left.then_some(WaitReason::Readers))
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
    ) -> Result<Option<WaitReason>, StoreError> {
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
    ) -> Result<Option<WaitReason>, StoreError> {
        for data in &self.derived {
            let reason = match data.kind() {
                DerivedDataKind::Feeds => WaitReason::Feeds,
                DerivedDataKind::Vocabularies => continue,
            };
            match data.remove_erased(tenant).await {
                Ok(RemovalOutcome::Waiting) => return Ok(Some(reason)),
                Ok(RemovalOutcome::Done(count)) => {
                    self.store.add_feed_periods(tenant, &request.id, count).await?;
                }
                Ok(RemovalOutcome::NotKept) => {}
                Err(error) => {
                    self.record_wait(tenant, request, reason).await?;
                    return Err(error);
                }
            }
        }
        Ok(None)
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

    /// Counts what is stored of a customer, and notes it for the archive if there is one.
    async fn collect(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<(), StoreError> {
        let (mut counts, mut after) = (PrivacyCounts::default(), None);
        loop {
            let page = self.subjects.conversations_of(tenant, subject, after.as_ref()).await?;
            counts.conversations = counts.conversations.saturating_add(page.len() as u64);
            for conversation in &page {
                let messages = self.subjects.count_messages(tenant, conversation).await?;
                counts.messages = counts.messages.saturating_add(messages);
            }
            let items = page.iter().cloned().map(ArchiveItem::Conversation).collect();
            self.add_to_archive(tenant, request, items).await?;
            let Some(last) = page.into_iter().next_back() else { break };
            after = Some(last);
        }
        let mut after: Option<ConversationId> = None;
        loop {
            let sent = self.subjects.messages_sent_by(tenant, subject, after.as_ref()).await?;
            let items: Vec<_> = sent.messages.into_iter().chain(sent.on_hold).map(ArchiveItem::Message).collect();
            counts.messages_elsewhere = counts.messages_elsewhere.saturating_add(items.len() as u64);
            self.add_to_archive(tenant, request, items).await?;
            let Some(next) = sent.next else { break };
            after = Some(next);
        }
        self.store.set_counts(tenant, &request.id, &counts).await
    }

    async fn add_to_archive(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        items: Vec<ArchiveItem>,
    ) -> Result<(), StoreError> {
        if items.is_empty() || !request.has_archive() {
            return Ok(());
        }
        self.subjects.add_archive_items(tenant, &request.id, &items).await
    }

    async fn complete(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<(), StoreError> {
        let missing = || StoreError::new(StoreErrorKind::Unexpected, "an open request is gone");
        let current = self.store.find(tenant, &request.id).await?.ok_or_else(missing)?;
        let now = self.clock.now();
        let receipt = match &self.signer {
            Some(signer) if request.erases() => {
                Some((ReceiptDraft::for_request(tenant, &current, now, &self.not_covered)?, &**signer))
            }
            _ => None,
        };
        let entry = AuditEntry::privacy_request_completed(&current, now);
        self.store.complete(tenant, &request.id, now, entry, receipt).await
    }
}
