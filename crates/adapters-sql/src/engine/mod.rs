//! Pools, writers and readers of each database. The engine knows no table.

pub(crate) mod commit_spans;
pub(crate) mod event_counts;
pub(crate) mod open;
pub(crate) mod open_diagnosis;
pub(crate) mod pool_use;
pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod url_check;
pub(crate) mod write_queue;
pub(crate) mod write_transaction;
