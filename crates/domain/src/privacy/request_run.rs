//! The run of a privacy request. Each step can be repeated, so a run that was killed is begun again.

use std::sync::Arc;

use super::{
    ArchiveItem, EraseError, Erasures, FeedRewrite, FeedRewriter, KnownUncoveredCopy, Ledger, PrivacyCounts,
    PrivacyRequest, PrivacyRequestStore, ReceiptDraft, SubjectStore,
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
    /// Another run of feeds, the ledger or a hold holds it up, so it must be run again.
    Waiting,
}

/// Carries out privacy requests. One replica at a time runs one request, under a lease. Two runs of one request at the same
/// time do no harm.
#[derive(Clone)]
pub struct PrivacyRequestRunner {
    store: Arc<dyn PrivacyRequestStore>,
    subjects: Arc<dyn SubjectStore>,
    erasures: Erasures,
    feeds: Arc<dyn FeedRewriter>,
    signer: Option<Arc<dyn Signer>>,
    clock: Arc<dyn Clock>,
    not_covered: Vec<KnownUncoveredCopy>,
    ledger: Option<Ledger>,
}

impl PrivacyRequestRunner {
    /// Runs requests on these stores. Receipts are signed by `signer`, and name the copies `not_covered`.
    #[must_use]
    pub fn new(
        (store, subjects): (Arc<dyn PrivacyRequestStore>, Arc<dyn SubjectStore>),
        erasures: Erasures,
        feeds: Arc<dyn FeedRewriter>,
        (signer, not_covered): (Option<Arc<dyn Signer>>, Vec<KnownUncoveredCopy>),
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, subjects, erasures, feeds, signer, clock, not_covered, ledger: None }
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

    /// Runs a request from where the last run came to.
    ///
    /// # Errors
    /// If a store fails. The request stays open.
    pub async fn run(&self, tenant: &TenantId, request: &PrivacyRequest) -> Result<RunProgress, StoreError> {
        self.store.start(tenant, &request.id).await?;
        if let Some(subject) = self.store.subject(tenant, &request.id).await? {
            if request.erases() {
                if self.erase(tenant, request, &subject).await? == RunProgress::Waiting {
                    return Ok(RunProgress::Waiting);
                }
            } else {
                self.collect(tenant, request, &subject).await?;
            }
            self.store.forget_subject(tenant, &request.id).await?;
        }
        self.complete(tenant, request).await?;
        Ok(RunProgress::Completed)
    }

    async fn erase(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<RunProgress, StoreError> {
        self.subjects.wait_for_earlier_writes().await?;
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
            let Some(last) = page.into_iter().next_back() else { break };
            after = Some(last);
        }
        let mut after = None;
        loop {
            let sent = self.subjects.messages_sent_by(tenant, subject, after.as_ref()).await?;
            is_held |= !sent.on_hold.is_empty();
            if !sent.messages.is_empty() {
                let now = self.clock.now();
                self.subjects.erase_messages(tenant, &request.id, &sent.messages, now).await?;
            }
            let Some(next) = sent.next else { break };
            after = Some(next);
        }
        // A hold that was placed after the request is waited for.
        if is_held {
            return Ok(RunProgress::Waiting);
        }
        if let Some(ledger) = &self.ledger
            && ledger.write_queued().await.is_err()
        {
            return Ok(RunProgress::Waiting);
        }
        match self.feeds.rewrite(tenant).await? {
            FeedRewrite::LeaseHeld => return Ok(RunProgress::Waiting),
            FeedRewrite::Written(periods) => self.store.add_feed_periods(tenant, &request.id, periods).await?,
            FeedRewrite::NotProduced => {}
        }
        Ok(RunProgress::Completed)
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
