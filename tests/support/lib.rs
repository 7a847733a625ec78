//! Support for the test suites: temporary databases and servers, stores in memory, clients, and fixtures.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![expect(clippy::missing_panics_doc, reason = "every function panics if a test cannot continue")]

pub mod analyzer;
pub mod client;
pub mod database;
pub mod event_stream;
pub mod feeds;
pub mod fixtures;
pub mod memory;
mod memory_access;
mod memory_change_log;
mod memory_deleted_bytes;
mod memory_erasures;
mod memory_holds;
mod memory_idempotency;
mod memory_imports;
pub mod memory_leases;
mod memory_ledger;
mod memory_messages;
mod memory_pages;
mod memory_privacy;
mod memory_receipts;
mod memory_retention;
pub mod memory_stream_addresses;
mod memory_subjects;
mod memory_tenants;
mod memory_vocabularies;
mod memory_webhook;
mod memory_webhooks;
pub mod openapi_document;
mod postgres;
pub mod presidio;
pub mod python;
pub mod raw_connection;
pub mod redis;
pub mod requirements;
pub mod s3;
pub mod scripted_redis;
pub mod seeded_rng;
pub mod service;
pub mod stores;
pub mod transcription_receiver;
pub mod webhook_receiver;
pub mod webhooks;
