//! Messages over HTTP (spec §4.4 and §4.5).

pub(crate) mod batch;
pub(crate) mod dto;
pub(crate) mod errors;
pub(crate) mod handlers;
pub(crate) mod include;
pub(crate) mod json;
