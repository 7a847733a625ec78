//! The contracts of the ports. Every case runs on every implementation: a store's in memory, on SQLite and on PostgreSQL,
//! a rate limiter's in the process and on Redis.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::wildcard_enum_match_arm, reason = "what a test did not expect is all the rest")]

#[macro_use]
mod registry;

mod audit_signatures;
mod audit_store;
mod audit_tampering;
mod content;
mod conversation_store;
mod corruption;
mod credential_store;
mod database;
mod database_files;
mod delivery_store;
mod feed_listing;
mod feed_production;
mod feed_production_killed;
mod feed_source;
mod feed_store;
mod group_commit;
mod lease_store;
mod lock_waits;
mod lost_connections;
mod message_pages;
mod message_store;
mod message_store_masking;
mod processes;
mod rate_limiter;
mod receipt_store;
mod redaction_corruption;
mod redaction_store;
mod redis_recovery;
mod roles;
mod shared_reads;
mod signature_example;
mod tenant_store;
mod transcription_component;
mod turns;
mod vocabulary_pages;
mod vocabulary_store;
mod ways_to_find;
