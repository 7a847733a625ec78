//! What the suites stand on: databases that vanish with their test, stores in memory, and named inhabitants.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![expect(clippy::missing_panics_doc, reason = "everything here panics where a test cannot go on")]

pub mod client;
pub mod database;
pub mod description;
pub mod dice;
pub mod feeds;
pub mod fixtures;
pub mod memory;
mod memory_access;
pub mod memory_leases;
mod memory_receipts;
mod memory_vocabularies;
mod postgres;
pub mod python;
pub mod raw;
pub mod receiver;
pub mod redis;
pub mod s3;
pub mod scripted_redis;
pub mod service;
pub mod stores;
