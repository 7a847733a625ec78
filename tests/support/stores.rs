//! The stores under test. One contract case runs on every implementation.

use std::sync::Arc;

use parlance_adapters_sql::{
    Database, SqlAudit, SqlChangeLog, SqlCompactor, SqlConversations, SqlCredentials, SqlDeletedBytes, SqlDeliveries,
    SqlErasures, SqlHolds, SqlIdempotency, SqlImports, SqlLeases, SqlLedger, SqlMessages, SqlPrivacyRequests,
    SqlRedaction, SqlRetention, SqlStreamAddresses, SqlSubjects, SqlTenantErasures, SqlTenants, SqlVocabularies,
    SqlWebhooks,
};
use parlance_domain::{
    access::TenantId,
    audit::Audit,
    conversation::{Conversation, Conversations, FieldRedaction, UpsertOutcome},
    message::{MessageRedaction, Messages},
    ports::{
        AuditStore, ChangeLog, ConversationStore, CredentialStore, DatabaseCompactor, DeletedByteStore, DeliveryStore,
        ErasureStore, HoldStore, IdempotencyStore, ImportStore, LeaseStore, LedgerStore, MessageStore,
        PrivacyRequestStore, RedactionStore, RetentionStore, Signer, StreamAddressStore, SubjectStore,
        TenantErasureStore, TenantStore, VocabularyStore, WebhookStore,
    },
    privacy::ArchiveReader,
    redaction::{ActiveEntityCache, TextRedaction},
    time::{Clock, Timestamp},
};

use crate::{
    fixtures::{CountingIds, FrozenClock, upsert_for},
    memory::MemoryStore,
    memory_leases::MemoryLeases,
    memory_stream_addresses::MemoryStreamAddresses,
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
    /// The store of imported conversations.
    pub imports: Arc<dyn ImportStore>,
    /// The store of idempotency records.
    pub idempotency: Arc<dyn IdempotencyStore>,
    /// The store of leases.
    pub leases: Arc<dyn LeaseStore>,
    /// The store of the audit log.
    pub audit: Arc<dyn AuditStore>,
    /// The change log.
    pub log: Arc<dyn ChangeLog>,
    /// The store of streaming addresses.
    pub stream_addresses: Arc<dyn StreamAddressStore>,
    /// The store of webhooks.
    pub webhooks: Arc<dyn WebhookStore>,
    /// Erasures.
    pub erasures: Arc<dyn ErasureStore>,
    /// The store of privacy requests.
    pub privacy_requests: Arc<dyn PrivacyRequestStore>,
    /// The compaction of the database.
    pub compactor: Arc<dyn DatabaseCompactor>,
    /// The removal of deleted bytes.
    pub deleted_bytes: Arc<dyn DeletedByteStore>,
    /// What is stored of a customer.
    pub subjects: Arc<dyn SubjectStore>,
    /// The queue and the objects of the ledger of erasures.
    pub ledger: Arc<dyn LedgerStore>,
    /// The store of holds.
    pub holds: Arc<dyn HoldStore>,
    /// The store of retention rules.
    pub retention: Arc<dyn RetentionStore>,
    /// Erasures of whole tenants.
    pub tenant_erasures: Arc<dyn TenantErasureStore>,
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

    /// The reader of archives of one process on these stores.
    #[must_use]
    pub fn archive_reader(&self, ids: &Arc<CountingIds>, now: Timestamp) -> ArchiveReader {
        let active_entities = ActiveEntityCache::new(Arc::clone(&self.redaction), Arc::new(FrozenClock(now)));
        let fields = FieldRedaction::new(active_entities);
        let clock: Arc<dyn Clock> = Arc::new(FrozenClock(now));
        let conversations =
            Conversations::new(Arc::clone(&self.conversations), fields, Arc::clone(ids) as Arc<_>, clock);
        ArchiveReader::new(conversations, self.message_service(ids, now))
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
            imports: Arc::clone(&memory) as Arc<_>,
            idempotency: Arc::clone(&memory) as Arc<_>,
            leases: Arc::new(MemoryLeases::default()),
            audit: Arc::clone(&memory) as Arc<_>,
            log: Arc::clone(&memory) as Arc<_>,
            stream_addresses: Arc::new(MemoryStreamAddresses::default()),
            webhooks: Arc::clone(&memory) as Arc<_>,
            erasures: Arc::clone(&memory) as Arc<_>,
            privacy_requests: Arc::clone(&memory) as Arc<_>,
            compactor: Arc::clone(&memory) as Arc<_>,
            deleted_bytes: Arc::clone(&memory) as Arc<_>,
            subjects: Arc::clone(&memory) as Arc<_>,
            ledger: Arc::clone(&memory) as Arc<_>,
            holds: Arc::clone(&memory) as Arc<_>,
            retention: Arc::clone(&memory) as Arc<_>,
            tenant_erasures: Arc::clone(&memory) as Arc<_>,
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
            imports: Arc::new(SqlImports::new(database.clone())),
            idempotency: Arc::new(SqlIdempotency::new(database.clone())),
            leases: Arc::new(SqlLeases::new(database.clone())),
            audit: Arc::new(SqlAudit::new(database.clone())),
            log: Arc::new(SqlChangeLog::new(database.clone())),
            stream_addresses: Arc::new(SqlStreamAddresses::new(database.clone())),
            webhooks: Arc::new(SqlWebhooks::new(database.clone())),
            erasures: Arc::new(SqlErasures::new(database.clone())),
            privacy_requests: Arc::new(SqlPrivacyRequests::new(database.clone())),
            compactor: Arc::new(SqlCompactor::new(database.clone())),
            deleted_bytes: Arc::new(SqlDeletedBytes::new(database.clone())),
            subjects: Arc::new(SqlSubjects::new(database.clone())),
            ledger: Arc::new(SqlLedger::new(database.clone())),
            holds: Arc::new(SqlHolds::new(database.clone())),
            retention: Arc::new(SqlRetention::new(database.clone())),
            tenant_erasures: Arc::new(SqlTenantErasures::new(database.clone())),
            tenants: Arc::new(SqlTenants::new(database.clone())),
        }
    }
}
