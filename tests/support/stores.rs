//! The stores under test. One contract case runs on every implementation.

use std::sync::Arc;

use parlance_adapters_sql::{
    Database, SqlAudit, SqlConversations, SqlCredentials, SqlDeliveries, SqlIdempotency, SqlLeases, SqlMessages,
    SqlRedaction, SqlTenants, SqlVocabularies,
};
use parlance_domain::{
    access::TenantId,
    audit::Audit,
    conversation::{Conversation, UpsertOutcome},
    message::{MessageRedaction, Messages},
    ports::{
        AuditStore, ConversationStore, CredentialStore, DeliveryStore, IdempotencyStore, LeaseStore, MessageStore,
        RedactionStore, Signer, TenantStore, VocabularyStore,
    },
    redaction::{ActiveEntityCache, TextRedaction},
    time::{Clock, Timestamp},
};

use crate::{
    fixtures::{CountingIds, FrozenClock, upsert_for},
    memory::MemoryStore,
    memory_leases::MemoryLeases,
};

/// One implementation of every store. All of them share their data.
#[derive(Clone)]
pub struct TestStores {
    /// The store of conversations.
    pub conversations: Arc<dyn ConversationStore>,
    /// The store of messages.
    pub messages: Arc<dyn MessageStore>,
    /// The store of vocabularies.
    pub vocabularies: Arc<dyn VocabularyStore>,
    /// The store of deliveries.
    pub deliveries: Arc<dyn DeliveryStore>,
    /// The store of credentials.
    pub credentials: Arc<dyn CredentialStore>,
    /// The store of redaction switches.
    pub redaction: Arc<dyn RedactionStore>,
    /// The store of idempotency records.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// The store of leases.
    pub leases: Arc<dyn LeaseStore>,
    /// The store of the audit log.
    pub audit: Arc<dyn AuditStore>,
    /// The store of tenants.
    pub tenants: Arc<dyn TenantStore>,
}

impl TestStores {
    /// Creates a new conversation.
    pub async fn create_conversation(&self, tenant: &TenantId, new: &Conversation, at: Timestamp) {
        let outcome = self.conversations.upsert(tenant, &upsert_for(new), at, None).await.unwrap();
        assert_eq!(outcome, UpsertOutcome::Stored(new.id.clone()));
    }

    /// The message service of one process on these stores.
    #[must_use]
    pub fn message_service(&self, ids: &Arc<CountingIds>, now: Timestamp) -> Messages {
        let clock: Arc<dyn Clock> = Arc::new(FrozenClock(now));
        let active_entities = ActiveEntityCache::new(Arc::clone(&self.redaction), Arc::new(FrozenClock(now)));
        let redaction = MessageRedaction::new(TextRedaction::rules_only(), active_entities);
        let (messages, conversations) = (Arc::clone(&self.messages), Arc::clone(&self.conversations));
        Messages::new(messages, conversations, redaction, Arc::clone(ids) as Arc<_>, clock)
    }

    /// The service that reads, verifies and signs the audit log of these stores. Without a key, it signs no head and
    /// verifies no signature.
    #[must_use]
    pub fn audit_service(&self, key: Option<Arc<dyn Signer>>) -> Audit {
        let (credentials, redaction) = (Arc::clone(&self.credentials), Arc::clone(&self.redaction));
        Audit::new(Arc::clone(&self.audit), credentials, redaction, key)
    }

    /// Empty stores in memory.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::from_memory(MemoryStore::default())
    }

    /// Empty stores in memory that sign heads of the audit log with this key.
    #[must_use]
    pub fn in_memory_signing(signer: Arc<dyn Signer>) -> Self {
        Self::from_memory(MemoryStore::with_signer(signer))
    }

    fn from_memory(memory: MemoryStore) -> Self {
        let memory = Arc::new(memory);
        Self {
            conversations: Arc::clone(&memory) as Arc<_>,
            messages: Arc::clone(&memory) as Arc<_>,
            vocabularies: Arc::clone(&memory) as Arc<_>,
            deliveries: Arc::clone(&memory) as Arc<_>,
            credentials: Arc::clone(&memory) as Arc<_>,
            redaction: Arc::clone(&memory) as Arc<_>,
            idempotency: Arc::clone(&memory) as Arc<_>,
            leases: Arc::new(MemoryLeases::default()),
            audit: Arc::clone(&memory) as Arc<_>,
            tenants: memory,
        }
    }

    /// The stores in this database.
    #[must_use]
    pub fn in_sql(database: &Database) -> Self {
        Self {
            conversations: Arc::new(SqlConversations::new(database.clone())),
            messages: Arc::new(SqlMessages::new(database.clone())),
            vocabularies: Arc::new(SqlVocabularies::new(database.clone())),
            deliveries: Arc::new(SqlDeliveries::new(database.clone())),
            credentials: Arc::new(SqlCredentials::new(database.clone())),
            redaction: Arc::new(SqlRedaction::new(database.clone())),
            idempotency: Arc::new(SqlIdempotency::new(database.clone())),
            leases: Arc::new(SqlLeases::new(database.clone())),
            audit: Arc::new(SqlAudit::new(database.clone())),
            tenants: Arc::new(SqlTenants::new(database.clone())),
        }
    }
}
