//! The ports that store privacy requests, and that find and erase what they are about.

use std::sync::Arc;

use async_trait::async_trait;

use super::{
    FailureReason, OpenRequestPosition, OpenRequests, PrivacyCounts, PrivacyRequest, PrivacyRequestCursor,
    PrivacyRequestId, PrivacyRequestPage, ReceiptDraft, ReceiptIssue, SignedReceipt, WaitReason,
};
use crate::{
    access::TenantId, audit::AuditEntry, error::StoreError, event::MessageReference, id::ConversationId,
    signing::Signer, text::ExternalId, time::Timestamp, vocabulary::PageSize,
};

/// The outcome of storing a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "nothing is stored if a hold protects the customer"]
pub enum CreateOutcome {
    /// The request is stored.
    Created,
    /// A hold protects the customer, or a conversation of the customer, and the request erases. Nothing was stored.
    Held,
}

/// Stores privacy requests. Every method accesses the data of one tenant, except for [`open`](Self::open) and
/// [`newest_receipts`](Self::newest_receipts).
///
/// The external identifier of the customer is stored apart from the request, and only until
/// [`forget_subject`](Self::forget_subject).
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait PrivacyRequestStore: Send + Sync {
    /// Stores a request with the customer that it is about, and the audit entry, in one step. If the request erases, an
    /// upsert of a conversation whose customer is the subject MUST be refused as
    /// [erased](crate::conversation::UpsertOutcome::Erased) from then on. Of a hold and a
    /// request at the same time, the later one MUST see the earlier one.
    async fn create(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
        entry: AuditEntry,
    ) -> Result<CreateOutcome, StoreError>;

    /// The request with this identifier.
    async fn find(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<PrivacyRequest>, StoreError>;

    /// The page at `cursor`, or the first page, ordered by identifier.
    async fn page<'a>(
        &self,
        tenant: &TenantId,
        cursor: Option<&'a PrivacyRequestCursor>,
        size: PageSize,
    ) -> Result<PrivacyRequestPage, StoreError>;

    /// Up to 100 requests of all tenants that are pending or running, oldest first, after this position. Those whose rows are
    /// invalid MUST be told apart, so that the others are carried out. By the positions of the pages, every open request is found.
    async fn open<'a>(&self, after: Option<&'a OpenRequestPosition>) -> Result<OpenRequests, StoreError>;

    /// Marks a pending request as running.
    async fn start(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError>;

    /// Replaces what an open request waits for.
    async fn set_waiting(&self, tenant: &TenantId, id: &PrivacyRequestId, reason: WaitReason)
    -> Result<(), StoreError>;

    /// The customer that an open request is about; `None` once it was forgotten.
    async fn subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<Option<ExternalId>, StoreError>;

    /// Replaces the counts of a request that does not erase. Those of one that erases grow with each erasure.
    async fn set_counts(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        counts: &PrivacyCounts,
    ) -> Result<(), StoreError>;

    /// Adds a period of a feed that is written again to the counts of each of these requests that is open, unless this revision
    /// of it is the one that was added to that request last. All of it is one step.
    async fn add_feed_period(
        &self,
        tenant: &TenantId,
        ids: &[PrivacyRequestId],
        revision: &str,
    ) -> Result<(), StoreError>;

    /// Removes the customer that a request is about. Upserts of conversations of this customer are no longer refused for this
    /// request.
    async fn forget_subject(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), StoreError>;

    /// Appends the audit entry, and completes the running request at this time; it waits for nothing any more. If there is a draft, the store signs it as
    /// the receipt of the request, which follows the tenant's previous receipt. All of it is one step. A request that
    /// has ended already is left as it is. Returns whether the request was open.
    async fn complete<'a>(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        at: Timestamp,
        entry: AuditEntry,
        receipt: Option<(ReceiptDraft, &'a dyn Signer)>,
    ) -> Result<bool, StoreError>;

    /// Appends the audit entry, and ends the open request at this time as failed for this reason; it waits for nothing any
    /// more, and its customer is forgotten as by [`forget_subject`](Self::forget_subject). All of it is one step. The row of the
    /// request may be invalid. A request that has ended already is left as it is. Returns whether the request was open.
    async fn fail(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        end: (FailureReason, Timestamp),
        entry: AuditEntry,
    ) -> Result<bool, StoreError>;

    /// The [file](SignedReceipt::to_file) with the receipt of a request that has this number, or with the newest one.
    async fn receipt(
        &self,
        tenant: &TenantId,
        id: &PrivacyRequestId,
        issue: Option<ReceiptIssue>,
    ) -> Result<Option<String>, StoreError>;

    /// Up to 100 receipts that are the newest of their requests, of all tenants, in the order of tenants and of positions in
    /// their audit logs, after the receipt of this tenant at this position.
    async fn newest_receipts(&self, after: Option<(TenantId, u64)>) -> Result<Vec<SignedReceipt>, StoreError>;

    /// Appends the audit entry, and signs the draft as the next receipt of the request of `newest`, which follows the
    /// tenant's previous receipt. All of it is one step, and is done only if `newest` is still the newest receipt of its
    /// request. Returns whether it was done.
    async fn supersede_receipt(
        &self,
        newest: &SignedReceipt,
        entry: AuditEntry,
        draft: ReceiptDraft,
        signer: Arc<dyn Signer>,
    ) -> Result<bool, StoreError>;
}

/// The messages of a customer in conversations of others, found within a range of conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentMessages {
    /// The messages that no hold protects.
    pub messages: Vec<MessageReference>,
    /// The messages in conversations that a [hold](super::Hold) protects.
    pub on_hold: Vec<MessageReference>,
    /// The last conversation of the range; `None` if nothing follows.
    pub next: Option<ConversationId>,
}

/// What an archive contains: whole conversations, and single messages of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveItem {
    /// A conversation with all its messages.
    Conversation(ConversationId),
    /// A message.
    Message(MessageReference),
}

/// Finds what is stored of a customer. Every method accesses the data of one tenant only.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait SubjectStore: Send + Sync {
    /// Waits until every write has ended that began before this call. A conversation that a refused upsert could still
    /// have created is then visible.
    ///
    /// # Errors
    /// [`Unavailable`](crate::error::StoreErrorKind::Unavailable) if that takes too long.
    async fn wait_for_earlier_writes(&self) -> Result<(), StoreError>;

    /// Up to 100 conversations whose customer it is or was, in the order of their ids, after the one with this id.
    async fn conversations_of<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<Vec<ConversationId>, StoreError>;

    /// The number of messages of a conversation.
    async fn count_messages(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<u64, StoreError>;

    /// Messages with the role of a customer and this sender, in conversations that are not and were not theirs. Reads a
    /// bounded range of conversations in the order of their ids, after the one with this id.
    async fn messages_sent_by<'a>(
        &self,
        tenant: &TenantId,
        customer: &ExternalId,
        after: Option<&'a ConversationId>,
    ) -> Result<SentMessages, StoreError>;

    /// Removes messages, appends a [masked](crate::event::Change::MessageMasked) event for each to the change log, and adds
    /// their number to the counts of the request, in one step. Messages that are gone already are not counted. Messages in a
    /// conversation that a hold protects MUST stay, also if the hold is placed at the same time.
    async fn erase_messages(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        messages: &[MessageReference],
        at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Adds items to the archive of a request. Items that it has already are left out.
    async fn add_archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
        items: &[ArchiveItem],
    ) -> Result<(), StoreError>;

    /// All items of the archive of a request, in the order of their conversations.
    async fn archive_items(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequestId,
    ) -> Result<Vec<ArchiveItem>, StoreError>;
}
