//! The use case of an import.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use super::{
    ConversationRecord, CreateOutcome, ImportError, ImportOptions, ImportOutcome, ImportStore, dry_run::DryRun,
};
use crate::{
    access::{AuthorizedCaller, TenantId, WriteConversations},
    conversation::{Conversations, ImportWrite, ImportedAs, ImportedConversation, PreparedImport, UpsertRequest},
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    message::{ImportDay, Messages, NewMessage, Role},
    privacy::{ErasureStore, TenantErasureStore},
    sync::lock,
};

/// Imports conversations with their messages.
///
/// A record can be imported any number of times, by any number of processes: what is stored already is not added again.
/// So an import that was interrupted is started again from the first record.
#[derive(Clone)]
pub struct Import {
    store: Arc<dyn ImportStore>,
    erasures: Arc<dyn ErasureStore>,
    tenant_erasures: Arc<dyn TenantErasureStore>,
    conversations: Conversations,
    messages: Messages,
    dry_run: Arc<Mutex<DryRun>>,
}

impl Import {
    /// Creates new conversations in `store`, and adds to existing ones by these services. `erasures` tells which messages
    /// were erased, and `tenant_erasures` why a record is refused as erased.
    #[must_use]
    pub fn new(
        store: Arc<dyn ImportStore>,
        (erasures, tenant_erasures): (Arc<dyn ErasureStore>, Arc<dyn TenantErasureStore>),
        conversations: Conversations,
        messages: Messages,
    ) -> Self {
        Self { store, erasures, tenant_erasures, conversations, messages, dry_run: Arc::default() }
    }

    /// Imports a record: upserts its conversation, and appends those of its messages that are not stored yet. Each text is
    /// masked as if its message had been sent to the service. Records of one conversation must be imported one after
    /// another. A message of a customer counts as stored if a message of the same client time was erased from the
    /// conversation.
    ///
    /// A dry run counts what occurs in several records as an import would. The clones of an import count together.
    ///
    /// # Errors
    /// [`ImportError::Refused`], [`ImportError::Identifiers`] or [`ImportError::Erased`] if the record is refused, and nothing
    /// of it is stored; [`ImportError::Store`], and a part of it may be stored. If the whole tenant is erased or being erased,
    /// the error of the store has the kind [`TenantErased`](StoreErrorKind::TenantErased).
    pub async fn import(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        record: &ConversationRecord,
        options: ImportOptions,
    ) -> Result<ImportOutcome, ImportError> {
        let tenant = caller.tenant();
        match self.import_record(tenant, record, options).await {
            Err(ImportError::Erased) if self.tenant_erasures.find(tenant).await?.is_some() => {
                let reason = "no record of the tenant can be imported any more";
                Err(StoreError::new(StoreErrorKind::TenantErased, reason).into())
            }
            outcome => outcome,
        }
    }

    /// Checks the identifiers of a conversation as [`import`](Self::import) does, and stores nothing.
    ///
    /// # Errors
    /// [`ImportError::Identifiers`] if the policy refuses one of them; [`ImportError::Store`].
    pub async fn check(
        &self,
        caller: &AuthorizedCaller<WriteConversations>,
        conversation: &UpsertRequest,
    ) -> Result<(), ImportError> {
        Ok(self.conversations.check_identifiers(caller.tenant(), conversation).await?)
    }

    async fn import_record(
        &self,
        tenant: &TenantId,
        record: &ConversationRecord,
        options: ImportOptions,
    ) -> Result<ImportOutcome, ImportError> {
        let ConversationRecord { conversation, updates, messages } = record;
        self.messages.check_senders(tenant, messages).await?;
        let mut prepared = self.conversations.prepare_import(tenant, conversation.clone()).await?;
        if options.dry_run {
            return self.count(tenant, record, &prepared).await;
        }
        if prepared.existing.is_none() {
            if let Some(added) = self.create(tenant, &prepared, messages, options.feed_day).await? {
                return Ok(ImportOutcome { conversation: ImportedAs::Created, added, present: 0 });
            }
            prepared = self.conversations.prepare_import(tenant, conversation.clone()).await?;
        }
        let write = if *updates { ImportWrite::Upsert } else { ImportWrite::CreateOnly };
        let ImportedConversation { id, outcome } = self.conversations.import(tenant, prepared, write).await?;
        let kept = self.without_erased(tenant, &id, messages).await?;
        let added = self.messages.import(tenant, &id, &kept, options.feed_day).await?;
        Ok(ImportOutcome { conversation: outcome, added, present: messages.len() - added })
    }

    /// The messages without those that an erasure removed from their conversation. Of these, only the time is known: they were
    /// sent by customers.
    async fn without_erased<'new>(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
        messages: &'new [NewMessage],
    ) -> Result<Cow<'new, [NewMessage]>, StoreError> {
        let erased = self.erasures.erased_messages(tenant, conversation).await?;
        if erased.is_empty() {
            return Ok(Cow::Borrowed(messages));
        }
        let times: BTreeSet<_> = erased.into_iter().map(|position| position.sent_at).collect();
        let is_erased = |new: &&NewMessage| new.sender.role == Role::Customer && times.contains(&new.sent_at);
        Ok(messages.iter().filter(|new| !is_erased(new)).cloned().collect())
    }

    /// What would become of a record, without writing it.
    async fn count(
        &self,
        tenant: &TenantId,
        ConversationRecord { conversation, updates, messages }: &ConversationRecord,
        PreparedImport { upsert, existing, .. }: &PreparedImport,
    ) -> Result<ImportOutcome, ImportError> {
        let missing = match existing {
            Some(existing) => {
                let kept = self.without_erased(tenant, &existing.id, messages).await?.into_owned();
                self.messages.missing(tenant, &existing.id, kept).await?
            }
            None => messages.clone(),
        };
        let mut dry_run = lock(&self.dry_run);
        let outcome = dry_run.count_conversation(tenant, upsert, existing.as_ref(), *updates);
        let added = dry_run.count_messages(tenant, &conversation.external_id, &missing);
        Ok(ImportOutcome { conversation: outcome, added, present: messages.len() - added })
    }

    /// Creates the conversation with its messages. Returns their number; `None` if the conversation exists by now.
    async fn create(
        &self,
        tenant: &TenantId,
        prepared: &PreparedImport,
        messages: &[NewMessage],
        feed_day: ImportDay,
    ) -> Result<Option<usize>, ImportError> {
        let id = &prepared.upsert.new_id;
        let first = self.messages.first_messages(tenant, id, messages, feed_day).await?;
        match self.store.create(tenant, &prepared.upsert, prepared.at, &first.messages).await? {
            CreateOutcome::Created => {
                self.conversations.count_import(prepared);
                Ok(Some(self.messages.import_remaining(tenant, id, first, (messages, feed_day)).await?))
            }
            CreateOutcome::Exists => Ok(None),
            CreateOutcome::Erased => Err(ImportError::Erased),
        }
    }
}
