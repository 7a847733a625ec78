//! The stores of the domain, kept in SQLite or PostgreSQL through sea-orm.
//!
//! [`Database`] opens a database and brings its schema up to date; [`SqlConversations`], [`SqlMessages`],
//! [`SqlVocabularies`], [`SqlRedaction`], [`SqlCredentials`], [`SqlLeases`] and [`SqlAudit`]
//! implement the ports on it. `tenant_id`
//! leads every key and index of what belongs to a tenant. Whatever is read back is parsed again: a row that breaks a rule
//! of the domain is a named failure, see [`error::CorruptRow`].

mod audit;
pub mod backup;
mod columns;
mod connections;
mod content;
mod conversations;
mod copied;
mod credentials;
mod database;
mod deliveries;
mod entity;
pub mod error;
mod feed_source;
mod general_pool;
mod group_commit;
mod inspection;
mod leases;
mod messages;
mod opening;
mod postgres;
mod readiness;
mod receipts;
mod redaction;
mod redaction_audit;
mod refusal;
mod schema;
mod sqlite;
mod tenants;
mod vocabularies;
mod vocabulary_changes;

pub use audit::SqlAudit;
pub use connections::PoolUse;
pub use content::{ContentReport, Scrub, ScrubStep};
pub use conversations::SqlConversations;
pub use credentials::SqlCredentials;
pub use database::Database;
pub use deliveries::SqlDeliveries;
pub use feed_source::SqlFeedSource;
pub use leases::SqlLeases;
pub use messages::SqlMessages;
pub use opening::OpenError;
pub use readiness::FilesProbe;
pub use receipts::SqlReceipts;
pub use redaction::SqlRedaction;
pub use schema::SchemaError;
pub use tenants::SqlTenants;
pub use vocabularies::SqlVocabularies;
