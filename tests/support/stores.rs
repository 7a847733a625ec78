//! The stores under test, whichever they are, so that a case is written once for all of them.

use std::sync::Arc;

use parlance_adapters_sql::{
    Database, SqlAudit, SqlConversations, SqlCredentials, SqlDeliveries, SqlLeases, SqlMessages, SqlReceipts,
    SqlRedaction, SqlTenants, SqlVocabularies,
};
use parlance_domain::{
    access::TenantId,
    audit::Audit,
    conversation::{Conversation, Masking, Messages, Upserted},
    ports::{
        AuditStore, ConversationStore, CredentialStore, DeliveryStore, LeaseStore, MessageStore, ReceiptStore,
        RedactionStore, Signer, TenantStore, VocabularyStore,
    },
    redaction::{ActiveSets, TextRedaction},
    time::{Clock, Timestamp},
};

use crate::{
    fixtures::{CountingIds, FrozenClock, creation},
    memory::Memory,
    memory_leases::MemoryLeases,
};

/// One implementation of every store, over one set of data.
#[derive(Clone)]
pub struct Stores {
    /// Keeps conversations.
    pub conversations: Arc<dyn ConversationStore>,
    /// Keeps messages.
    pub messages: Arc<dyn MessageStore>,
    /// Keeps vocabularies.
    pub vocabularies: Arc<dyn VocabularyStore>,
    /// Keeps how far the delivery of vocabularies is.
    pub deliveries: Arc<dyn DeliveryStore>,
    /// Keeps credentials.
    pub credentials: Arc<dyn CredentialStore>,
    /// Keeps redaction switches.
    pub redaction: Arc<dyn RedactionStore>,
    /// Gives back the receipts of requests.
    pub receipts: Arc<dyn ReceiptStore>,
    /// Keeps which replica has which duty.
    pub leases: Arc<dyn LeaseStore>,
    /// Keeps the audit log.
    pub audit: Arc<dyn AuditStore>,
    /// Tells which tenants there are.
    pub tenants: Arc<dyn TenantStore>,
}

impl Stores {
    /// Creates a conversation that was not there.
    pub async fn create(&self, tenant: &TenantId, new: &Conversation, at: Timestamp) {
        let outcome = self.conversations.upsert(tenant, &creation(new), at, None).await.unwrap();
        assert_eq!(outcome, Upserted::Stored(new.id.clone()));
    }

    /// Messages as one process over these stores adds and lists them.
    #[must_use]
    pub fn process(&self, ids: &Arc<CountingIds>, now: Timestamp) -> Messages {
        let clock: Arc<dyn Clock> = Arc::new(FrozenClock(now));
        let active = ActiveSets::new(Arc::clone(&self.redaction), Arc::new(FrozenClock(now)));
        let masking = Masking::new(TextRedaction::by_rules(), active);
        let (messages, conversations) = (Arc::clone(&self.messages), Arc::clone(&self.conversations));
        Messages::new(messages, conversations, masking, Arc::clone(ids) as Arc<_>, clock)
    }

    /// The audit log of these stores, with a key that signatures are checked against.
    #[must_use]
    pub fn audit(&self, key: Option<Arc<dyn Signer>>) -> Audit {
        let (credentials, redaction) = (Arc::clone(&self.credentials), Arc::clone(&self.redaction));
        Audit::new(Arc::clone(&self.audit), credentials, redaction, key)
    }

    /// New stores in memory.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::over(Memory::default())
    }

    /// New stores in memory, whose heads of the audit log are signed by this key.
    #[must_use]
    pub fn in_memory_signing(signer: Arc<dyn Signer>) -> Self {
        Self::over(Memory::signing_with(signer))
    }

    fn over(memory: Memory) -> Self {
        let memory = Arc::new(memory);
        Self {
            conversations: Arc::clone(&memory) as Arc<_>,
            messages: Arc::clone(&memory) as Arc<_>,
            vocabularies: Arc::clone(&memory) as Arc<_>,
            deliveries: Arc::clone(&memory) as Arc<_>,
            credentials: Arc::clone(&memory) as Arc<_>,
            redaction: Arc::clone(&memory) as Arc<_>,
            receipts: Arc::clone(&memory) as Arc<_>,
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
            receipts: Arc::new(SqlReceipts::new(database.clone())),
            leases: Arc::new(SqlLeases::new(database.clone())),
            audit: Arc::new(SqlAudit::new(database.clone())),
            tenants: Arc::new(SqlTenants::new(database.clone())),
        }
    }
}
