//! Connections to PostgreSQL: their options, and the pools, batches and writer that use them.

mod address;
pub(crate) mod batch;
mod chunks;
mod connect;
mod connection_losses;
pub(crate) mod copy;
pub(crate) mod copy_in;
mod cpu_pressure;
mod current_host;
mod general_pool;
mod options;
mod peer_writes;
mod pool;
mod pooled_connection;
mod read_batcher;
mod session;
pub(crate) mod write_batcher;
pub(crate) mod writer;
pub(crate) mod writer_connection;
mod writer_stats;

pub(crate) use address::address;
pub(crate) use chunks::chunk_by_size;
pub(crate) use connect::Servers;
pub(crate) use connection_losses::{CHECK_WRITER_AFTER, ConnectionLosses};
pub(crate) use general_pool::open_general_pool;
pub(crate) use options::{is_local_server, parse_servers};
pub(crate) use pool::{Batchers, PerThreadPools};
pub(crate) use read_batcher::{BatchLimits, BatchQuery, ReadBatcher};
pub(crate) use session::ensure_writable;
pub(crate) use writer_stats::WriterStats;
