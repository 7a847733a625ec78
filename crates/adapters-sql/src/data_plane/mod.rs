//! The data-plane tables, which every message writes or reads. Their statements use native drivers, through
//! [`engine`](crate::engine). Lookups of idempotency records are an exception: they use the general pools.

pub(crate) mod conversations;
pub(crate) mod feed_reads;
pub(crate) mod idempotency;
pub(crate) mod messages;
pub(crate) mod read_batchers;
pub(crate) mod write_job;
