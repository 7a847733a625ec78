//! The program itself, as a user starts and stops it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod audit;
mod audit_anchor;
mod audit_keys;
mod backup;
mod compliance;
mod credential;
mod delivery;
mod doctor;
mod durability;
mod feeds;
mod log;
mod metrics;
mod process;
mod redact;
mod replicas;
mod sandbox;
mod secrecy;
mod start;
mod stop;
mod tenants;
mod tls;
