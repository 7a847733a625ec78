//! The data-plane tables, which every message writes or reads. Their statements use native drivers, through
//! [`engine`](crate::engine). Idempotency records are an exception: their lookup, their purge and their
//! insertion with a vocabulary entry use the general pools.

pub(crate) mod change_log;
pub(crate) mod conversations;
pub(crate) mod feed_reads;
pub(crate) mod idempotency;
pub(crate) mod imports;
pub(crate) mod messages;
pub(crate) mod read_batchers;
#[cfg(test)]
mod statement_list;
pub(crate) mod write_job;
