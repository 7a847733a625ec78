//! Erases what the database holds of a customer, for a privacy request.

use super::{EraseError, Erasures, PrivacyRequest, SubjectStore};
use crate::{access::TenantId, error::StoreError, text::ExternalId, time::Clock};

/// What one pass over the messages of a customer in conversations of others came to.
#[derive(Default)]
pub(super) struct MessagePass {
    pub(super) found: bool,
    on_hold: bool,
}

/// Erases the rows of a customer. A repeated call goes on where the last one stopped.
pub(super) struct SubjectEraser<'a> {
    pub(super) subjects: &'a dyn SubjectStore,
    pub(super) erasures: &'a Erasures,
    pub(super) clock: &'a dyn Clock,
}

impl SubjectEraser<'_> {
    /// Erases everything of the customer that no hold protects. Returns whether a hold protects something, also one that was
    /// placed after the request.
    pub(super) async fn erase(
        &self,
        tenant: &TenantId,
        request: &PrivacyRequest,
        subject: &ExternalId,
    ) -> Result<bool, StoreError> {
        self.subjects.wait_for_earlier_writes().await?;
        let is_held = self.erase_conversations(tenant, request, subject).await?;
        let pass = self.erase_messages(tenant, request, subject).await?;
        Ok(is_held || pass.on_hold)
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
    pub(super) async fn erase_messages(
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
}
