//! Redaction entities over HTTP (spec §4.9).

pub(crate) mod backtest;
pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
pub(crate) mod preview;
