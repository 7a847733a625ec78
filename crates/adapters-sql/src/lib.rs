//! The store ports of the domain, on SQLite and PostgreSQL.
//!
//! Control-plane tables (credentials, audit, switches, vocabularies, deliveries, leases, and new tables beside them) go
//! through sea-orm, by entities or by raw statements. Data-plane tables, which every message writes or reads
//! (conversations, messages, idempotency records, feed reads, the change log), go through native drivers by way of `engine/`, which knows
//! no table.
//!
//! [`Database`] opens a database and migrates its schema. [`SqlConversations`], [`SqlMessages`], [`SqlImports`], [`SqlIdempotency`],
//! [`SqlFeedSource`], [`SqlVocabularies`], [`SqlDeliveries`], [`SqlRedaction`], [`SqlCredentials`], [`SqlTenants`],
//! [`SqlLeases`], [`SqlAudit`], [`SqlStreamAddresses`], [`SqlWebhooks`], [`SqlErasures`], [`SqlTenantErasures`],
//! [`SqlLedger`] and [`SqlChangeLog`] implement the ports on a `Database`.
//!
//! SQLite must be built with `SQLITE_ENABLE_DBPAGE_VTAB`, as `.cargo/config.toml` of this repository does by
//! `LIBSQLITE3_FLAGS`: without it, privacy requests cannot overwrite what the file keeps of deleted rows, and fail.
//!
//! In the tables of tenants' data, `tenant_id` leads every key and index. Values that are read back are parsed again. A
//! row that breaks a rule of the domain is an error that names the row: [`error::CorruptRow`].

mod control_plane;
mod data_plane;
mod database;
mod engine;
pub mod error;
mod inspection;
mod integrity;
mod migrations;
mod readiness;
mod row;
mod subject_data;

pub use control_plane::audit::SqlAudit;
pub use control_plane::compaction::SqlCompactor;
pub use control_plane::credentials::SqlCredentials;
pub use control_plane::deleted_bytes::SqlDeletedBytes;
pub use control_plane::deliveries::SqlDeliveries;
pub use control_plane::digest_key::SqlDigestKey;
pub use control_plane::erasures::SqlErasures;
pub use control_plane::holds::SqlHolds;
pub use control_plane::leases::SqlLeases;
pub use control_plane::ledger::SqlLedger;
pub use control_plane::privacy_requests::SqlPrivacyRequests;
pub use control_plane::redaction::SqlRedaction;
pub use control_plane::retention::SqlRetention;
pub use control_plane::stream_addresses::SqlStreamAddresses;
pub use control_plane::subjects::SqlSubjects;
pub use control_plane::tenant_erasures::SqlTenantErasures;
pub use control_plane::tenants::SqlTenants;
pub use control_plane::vocabularies::SqlVocabularies;
pub use control_plane::webhooks::{SqlWebhookSecrets, SqlWebhooks, StoredWebhookSecrets};
pub use data_plane::change_log::{ChangeNotifications, SqlChangeLog};
pub use data_plane::conversations::SqlConversations;
pub use data_plane::feed_reads::SqlFeedSource;
pub use data_plane::idempotency::SqlIdempotency;
pub use data_plane::imports::SqlImports;
pub use data_plane::messages::SqlMessages;
pub use database::{Database, backup};
pub use engine::event_counts::EventCounts;
pub use engine::open::DatabaseOpenError;
pub use engine::pool_use::PoolUse;
pub use engine::url_check::{DatabaseUrlError, check_database_url};
pub use inspection::{
    HostReport, HostRole, HostsReport, LockReport, RoleReport, SessionReport, describe_database, inspect_hosts,
};
pub use integrity::{ContentReport, Scrub, ScrubStep};
pub use migrations::{MigrationReport, SchemaError};
pub use readiness::DatabaseFilesProbe;
pub use subject_data::{SUBJECT_DATA, SubjectData, TenantData, TenantRowKind, TenantTable};
