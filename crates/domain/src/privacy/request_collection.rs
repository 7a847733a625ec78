//! Counts what is stored of a customer for a request that does not erase, and lists it for the archive if there is one.

use super::{ArchiveItem, PrivacyCounts, PrivacyRequest, PrivacyRequestStore, SubjectStore};
use crate::{access::TenantId, error::StoreError, id::ConversationId, text::ExternalId};

/// Counts what is stored of a customer, and lists it for the archive if there is one.
pub(super) struct SubjectCollector<'a> {
    pub(super) store: &'a dyn PrivacyRequestStore,
    pub(super) subjects: &'a dyn SubjectStore,
}

impl SubjectCollector<'_> {
    /// Counts and lists what is stored of a customer.
    pub(super) async fn collect(
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
}
