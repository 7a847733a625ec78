//! The control-plane tables: credentials, audit, switches, vocabularies, deliveries, leases, streaming addresses, webhooks, erasures and their
//! ledger. sea-orm reads and writes them.

pub(crate) mod approval_columns;
pub(crate) mod audit;
pub(crate) mod compaction;
pub(crate) mod credentials;
pub(crate) mod deleted_bytes;
pub(crate) mod deliveries;
pub(crate) mod digest_key;
pub(crate) mod entities;
pub(crate) mod erasures;
pub(crate) mod holds;
pub(crate) mod leases;
pub(crate) mod ledger;
mod ledger_queue;
mod pages;
mod privacy_receipts;
mod privacy_request_rows;
pub(crate) mod privacy_requests;
pub(crate) mod redaction;
pub(crate) mod redaction_audit;
pub(crate) mod redaction_columns;
pub(crate) mod retention;
mod statements;
pub(crate) mod stream_addresses;
pub(crate) mod subjects;
pub(crate) mod tenant_erasures;
pub(crate) mod tenants;
pub(crate) mod vocabularies;
pub(crate) mod vocabulary_changes;
pub(crate) mod webhooks;
mod write_waits;
