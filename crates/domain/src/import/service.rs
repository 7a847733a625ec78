//! The use case of an import.

use super::{ConversationRecord, ImportError, ImportOptions, ImportOutcome};
use crate::{
    access::{AuthorizedCaller, WriteConversations},
    conversation::{Conversations, ImportWrite, ImportedAs, ImportedConversation},
    message::{ImportTarget, Messages},
};

/// Imports conversations with their messages.
///
/// A record can be imported any number of times, by any number of processes: what is stored already is not added again.
/// So an import that was interrupted is started again from the first record.
#[derive(Clone)]
pub struct Import {
    conversations: Conversations,
    messages: Messages,
}

impl Import {
    /// Uses these services.
    #[must_use]
    pub fn new(conversations: Conversations, messages: Messages) -> Self {
        Self { conversations, messages }
    }

    /// Imports a record: upserts its conversation, and appends those of its messages that are not stored yet. Each text is
    /// masked as if its message had been sent to the service. Records of one conversation must be imported one after
    /// another.
    ///
    /// # Errors
    /// [`ImportError::Refused`] or [`ImportError::Identifiers`] if the record is refused, and nothing of it is stored;
    /// [`ImportError::Store`], and a part of it may be stored.
    pub async fn import(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        record: &ConversationRecord,
        options: ImportOptions,
    ) -> Result<ImportOutcome, ImportError> {
        let tenant = caller.tenant();
        let ConversationRecord { conversation, updates, messages } = record;
        self.messages.check_senders(tenant, messages).await?;
        let write = match (options.dry_run, *updates) {
            (true, _) => ImportWrite::Nothing,
            (false, true) => ImportWrite::Upsert,
            (false, false) => ImportWrite::CreateOnly,
        };
        let ImportedConversation { id, outcome } =
            self.conversations.import(tenant, conversation.clone(), write).await?;
        let total = messages.len();
        let Some(id) = id else {
            return Ok(ImportOutcome { conversation: ImportedAs::Created, added: total, present: 0 });
        };
        let target = ImportTarget { id, is_new: outcome == ImportedAs::Created };
        let added = if options.dry_run {
            self.messages.missing(tenant, &target.id, messages.clone()).await?.len()
        } else {
            self.messages.import(tenant, &target, messages, options.feed_day).await?
        };
        Ok(ImportOutcome { conversation: outcome, added, present: total - added })
    }
}
