//! The program itself, as a user starts and stops it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod compliance;
mod credential;
mod durability;
mod feeds;
mod log;
mod process;
mod redact;
mod sandbox;
mod start;
mod stop;
