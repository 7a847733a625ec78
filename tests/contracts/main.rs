//! Contract suites of the ports. Every case runs on every implementation of its port.
//!
//! Cases of stores run in memory, on SQLite and on PostgreSQL. Cases of rate limiters run in the process and on Redis.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]
#![expect(clippy::wildcard_enum_match_arm, reason = "tests treat every other variant as unexpected")]

#[macro_use]
mod contract_macros;

mod audit_signatures;
mod audit_store;
mod audit_tampering;
mod change_log;
mod change_log_watermark;
mod closed_database;
mod compaction;
mod compaction_postgres;
mod conversation_indexes;
mod conversation_locks;
mod conversation_store;
mod conversation_store_page_order;
mod conversation_store_pages;
mod corruption;
mod credential_store;
mod database;
mod database_files;
mod deleted_byte_store;
mod delivery_store;
mod delivery_transitions;
mod digest_key;
mod erasure_ledger;
mod erasure_store;
mod event_counts;
mod external_detector;
mod feed_formats;
mod feed_hours;
mod feed_links;
mod feed_listing;
mod feed_production;
mod feed_production_killed;
mod feed_source;
mod feed_source_late_changes;
#[macro_use]
mod feed_store;
mod feed_manifests;
mod feed_store_hours;
mod feed_store_tenants;
mod group_commit;
mod hold_store;
mod idempotency_store;
mod import;
mod import_dry_run;
mod import_store;
mod index_selection;
mod integrity;
mod late_changes;
mod lease_store;
mod ledger_store;
mod lock_waits;
mod lost_connections;
mod message_preconditions;
mod message_store;
mod message_store_masking;
mod message_store_number_runs;
mod message_store_pages;
mod message_store_redactions;
mod multiple_processes;
mod privacy_request_failures;
mod privacy_request_invalid;
mod privacy_request_runs;
mod privacy_request_store;
mod rate_limiter;
mod read_batching;
mod redaction_corruption;
mod redaction_store;
mod redis_recovery;
mod retention_store;
mod roles;
mod schema_upgrades;
mod scripted_feeds;
mod signature_example;
mod sqlite_database;
mod stream_address_store;
mod subject_data;
mod subject_store;
mod tenant_erasure_removal;
mod tenant_erasure_rows;
mod tenant_erasure_runs;
mod tenant_erasure_store;
mod tenant_store;
mod transcription_component;
mod vocabulary_pages;
mod vocabulary_store;
mod webhook_secrets;
mod webhook_sender;
mod webhook_store;
mod webhook_store_deliveries;
mod webhook_store_types;
