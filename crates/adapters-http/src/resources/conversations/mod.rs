//! Conversations over HTTP (spec §4.1 to §4.3).

pub(crate) mod criteria;
pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
pub(crate) mod json;
