//! One transcript, read page by page so that no transcript is in memory as a whole.

use std::sync::Arc;

use crate::{
    access::TenantId,
    error::StoreError,
    id::ConversationId,
    message::{
        Message, MessagePage, MessageRedaction, MessageStore, PageLimit,
        redaction::{ContextWindow, context_tail},
    },
};

/// The messages of one conversation, page by page.
pub struct Transcript {
    store: Arc<dyn MessageStore>,
    redaction: MessageRedaction,
    tenant: TenantId,
    conversation: ConversationId,
    /// The last messages of the previous page, as they are stored.
    last_context: Vec<Message>,
    next_page: MessagePage,
}

impl Transcript {
    pub(super) fn new(
        store: Arc<dyn MessageStore>,
        redaction: MessageRedaction,
        tenant: TenantId,
        conversation: ConversationId,
        first: MessagePage,
    ) -> Self {
        Self { store, redaction, tenant, conversation, last_context: Vec::new(), next_page: first }
    }

    /// The next page, redacted like a page of a list, and whether more messages follow. A page has at most
    /// [`TRANSCRIPT_PAGE_MESSAGES`](crate::limits::TRANSCRIPT_PAGE_MESSAGES) messages. After the last page the result
    /// is empty.
    ///
    /// # Errors
    /// If a store fails. The pages that were returned before are then only a part of the transcript.
    pub async fn next_page(&mut self) -> Result<(Vec<Message>, bool), StoreError> {
        let after = self.next_page.next_cursor();
        let page = std::mem::replace(&mut self.next_page, MessagePage { messages: Vec::new(), has_more: false });
        if let Some(after) = after {
            self.next_page =
                self.store.page(&self.tenant, &self.conversation, Some(&after), PageLimit::TRANSCRIPT).await?;
        }
        let active = self.redaction.active_entities(&self.tenant).await?;
        let last_context = context_tail(&page.messages).to_vec();
        let window = ContextWindow { before: &self.last_context, after: &self.next_page.messages };
        let redacted = self.redaction.redact_for_read(page.messages, window, active).await?;
        self.last_context = last_context;
        Ok((redacted, !self.next_page.messages.is_empty()))
    }
}
