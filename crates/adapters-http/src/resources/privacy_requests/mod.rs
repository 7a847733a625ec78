//! Privacy requests: access to what is stored of a customer, and its erasure.

mod archive_stream;
pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
