//! Redaction entities over HTTP (spec §4.9).

pub(crate) mod dto;
pub(crate) mod handlers;
