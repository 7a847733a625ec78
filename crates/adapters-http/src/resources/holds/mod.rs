//! Holds, which protect conversations from erasure.

pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
