//! Redaction entities over HTTP (spec §4.9).

pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
