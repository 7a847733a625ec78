//! Tests of the `parlance` binary: its commands, settings, log, signals and exit codes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod audit;
mod audit_anchor;
mod audit_keys;
mod backup;
mod collector;
mod completions;
mod compliance;
mod config;
mod credential;
mod delivery;
mod doctor;
mod durability;
mod examples;
mod failures;
mod feeds;
mod health;

mod help;
mod import;
mod key_rotation;
mod key_rotation_webhooks;
mod ledger;
mod ledger_of_another_time;
mod log;
mod memory;
mod metrics;
mod modes;
mod privacy_compact;
mod privacy_fail;
mod privacy_scan;
mod process;
mod receipt_mutants;
mod receipt_sample;
mod receipts;
mod redact;
mod replicas;
mod sandbox;
mod scrub;
mod secrecy;
mod start;
mod stop;
mod stored_files;
mod tenant_erase;
mod tenant_erase_again;
mod tenant_erase_beside;
mod tenants;
mod tls;
mod trace_export;
mod traces;
mod version;
