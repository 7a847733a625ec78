//! All ports of the domain: the traits that adapters implement.
//!
//! With the feature `mocks`, each port has a `Mock…` type.

pub use crate::access::AuthenticationMeter; // counts failed authentications
pub use crate::access::CredentialStore; // stores credentials
pub use crate::access::RateLimiter; // counts the requests of each credential
pub use crate::access::SecretDigester; // digests secrets
pub use crate::access::SecretSource; // generates secrets
pub use crate::access::TenantStore; // checks whether a tenant exists
pub use crate::audit::AuditStore; // stores the audit log
pub use crate::conversation::ConversationStore; // stores conversations
pub use crate::event::ChangeLog; // stores the change log of each tenant
pub use crate::event::StreamAddressStore; // stores addresses that open a stream once
pub use crate::feed::FeedSink; // writes feeds
pub use crate::feed::FeedSource; // reads the data that feeds contain
pub use crate::feed::FeedStore; // lists and reads feeds
pub use crate::feed::UrlSigner; // signs download URLs of feed files
pub use crate::id::IdSource; // generates identifiers
pub use crate::idempotency::IdempotencyStore; // reads and deletes idempotency records
pub use crate::import::ImportStore; // stores imported conversations with their messages
pub use crate::lease::LeaseStore; // stores which replica holds which lease
pub use crate::message::MessageStore; // stores messages
pub use crate::privacy::ContentAuthenticator; // proves previews of retention rules and objects of the ledger
pub use crate::privacy::DatabaseCompactor; // rewrites the database without the bytes of deleted rows
pub use crate::privacy::DeletedByteStore; // removes the bytes of what was deleted
pub use crate::privacy::DerivedData; // keeps copies of stored data, such as feeds
pub use crate::privacy::ErasureLedger; // holds the erasures apart from the database
pub use crate::privacy::ErasureStore; // erases conversations
pub use crate::privacy::HoldStore; // stores holds
pub use crate::privacy::IdentifierDigester; // makes keyed digests of identifiers
pub use crate::privacy::LedgerStore; // stores what is to be written to the ledger of erasures, and what was applied
pub use crate::privacy::PrivacyRequestStore; // stores privacy requests
pub use crate::privacy::RetentionStore; // stores retention rules
pub use crate::privacy::SubjectStore; // finds and erases what is stored of a customer
pub use crate::privacy::TenantErasureStore; // erases whole tenants
pub use crate::readiness::ReadinessProbe; // checks whether a dependency is reachable
pub use crate::redaction::ExternalDetector; // finds entities with a model outside the process
pub use crate::redaction::MaskingMeter; // counts masked spans
pub use crate::redaction::RedactionStore; // stores switches and their records
pub use crate::redaction::RedactionTracer; // traces redactions
pub use crate::signing::Signer; // signs data to prove that it is unchanged
pub use crate::signing::Verifier; // verifies these signatures
pub use crate::time::Clock; // reads the wall clock
pub use crate::time::MonotonicClock; // measures elapsed time
pub use crate::vocabulary::VocabularyStore; // stores vocabularies
pub use crate::vocabulary::delivery::DeliveryStore; // stores the progress of vocabulary deliveries
pub use crate::vocabulary::delivery::TranscriptionComponent; // receives vocabularies for speech-to-text
pub use crate::webhook::EventEncoder; // encodes the bodies of requests to webhooks
pub use crate::webhook::SecretCipher; // encrypts the secrets of webhooks
pub use crate::webhook::WebhookSender; // sends requests to webhooks
pub use crate::webhook::WebhookStore; // stores webhooks and their deliveries

#[cfg(feature = "mocks")]
pub use crate::{
    access::{
        MockAuthenticationMeter, MockCredentialStore, MockRateLimiter, MockSecretDigester, MockSecretSource,
        MockTenantStore,
    },
    audit::MockAuditStore,
    conversation::MockConversationStore,
    event::{MockChangeLog, MockStreamAddressStore},
    feed::{MockFeedSink, MockFeedSource, MockFeedStore, MockUrlSigner},
    id::MockIdSource,
    idempotency::MockIdempotencyStore,
    import::MockImportStore,
    lease::MockLeaseStore,
    message::MockMessageStore,
    privacy::{
        MockContentAuthenticator, MockDatabaseCompactor, MockDeletedByteStore, MockDerivedData, MockErasureLedger,
        MockErasureStore, MockHoldStore, MockIdentifierDigester, MockLedgerStore, MockPrivacyRequestStore,
        MockRetentionStore, MockSubjectStore, MockTenantErasureStore,
    },
    readiness::MockReadinessProbe,
    redaction::{MockExternalDetector, MockMaskingMeter, MockRedactionStore, MockRedactionTracer},
    signing::{MockSigner, MockVerifier},
    time::{MockClock, MockMonotonicClock},
    vocabulary::MockVocabularyStore,
    vocabulary::delivery::{MockDeliveryStore, MockTranscriptionComponent},
    webhook::{MockEventEncoder, MockSecretCipher, MockWebhookSender, MockWebhookStore},
};
