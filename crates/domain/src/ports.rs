//! The hexagon's edge on one screen: everything that the domain asks of the world.
//!
//! With the feature `mocks` each port has a `Mock…` beside it.

pub use crate::access::AuthenticationMeter; // counts authentications that fail
pub use crate::access::CredentialStore; // keeps credentials
pub use crate::access::RateLimiter; // counts the requests of each credential
pub use crate::access::SecretDigester; // digests secrets
pub use crate::access::SecretSource; // makes secrets
pub use crate::access::TenantStore; // tells which tenants there are
pub use crate::audit::AuditStore; // keeps the audit log
pub use crate::conversation::ConversationStore; // keeps conversations
pub use crate::conversation::MessageStore; // keeps messages
pub use crate::feed::AddressSigner; // signs the addresses of files
pub use crate::feed::FeedSink; // writes feeds
pub use crate::feed::FeedSource; // gives what feeds are made of
pub use crate::feed::FeedStore; // lists and reads feeds
pub use crate::id::IdSource; // makes identifiers
pub use crate::lease::LeaseStore; // keeps which replica has which duty
pub use crate::readiness::ReadinessProbe; // tells whether a part is in reach
pub use crate::redaction::ExternalDetector; // finds what takes a model, outside the process
pub use crate::redaction::MaskingMeter; // counts what is masked
pub use crate::redaction::RedactionStore; // keeps switches and their records
pub use crate::retry::ReceiptStore; // gives back the receipts of requests
pub use crate::signing::Signer; // signs what must be shown to be unchanged
pub use crate::signing::Verifier; // checks such signatures
pub use crate::time::Clock; // tells the time of day
pub use crate::time::MonotonicClock; // tells how much time passes
pub use crate::vocabulary::VocabularyStore; // keeps vocabularies
pub use crate::vocabulary::delivery::DeliveryStore; // keeps how far the delivery of vocabularies is
pub use crate::vocabulary::delivery::TranscriptionComponent; // takes vocabularies, to hear by them
