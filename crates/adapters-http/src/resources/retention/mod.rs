//! Retention rules, which say for how long conversations are kept.

pub(crate) mod dto;
mod errors;
pub(crate) mod handlers;
