//! Tests of the architecture: allowed dependencies, a contract suite for each store, and rules for sources and docs.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod changelog;
mod decision_records;
mod dependencies;
mod documents;
mod error_rules;
mod generated;
mod guarantees;
mod imports;
mod packages;
mod repetitions;
mod sources;
mod spans;
mod terms;
mod use_cases;
mod workspace;
