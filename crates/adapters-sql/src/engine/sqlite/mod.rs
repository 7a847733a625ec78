//! SQLite on the caller's thread.
//!
//! A read of a few rows takes tens of microseconds, less than a hand-over to another thread. One connection writes: see
//! [`writer`].

pub(crate) mod checkpointer;
mod database_files;
mod general_pool;
mod location;
mod pool;
mod readers;
mod snapshot_cache;
mod unallocated_space;
pub(crate) mod writer;
mod writer_signals;

pub(crate) use database_files::{DatabaseFiles, WAL_SUFFIXES, with_suffix};
pub(crate) use general_pool::{close_unfinished, connect};
#[cfg(test)]
pub(crate) use location::WalDatabase;
pub(crate) use location::{BUSY_TIMEOUT, DatabaseLocation};
pub(crate) use readers::Readers;
pub(crate) use unallocated_space::clear_unallocated_space;
pub(crate) use writer_signals::WriterSignals;
