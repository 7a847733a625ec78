//! The architecture, kept by tests: who may name whom, what a store needs to exist, and how the sources are written.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod decision_records;
mod dependencies;
mod documents;
mod generated;
mod guarantees;
mod rule_words;
mod sources;
mod workspace;
