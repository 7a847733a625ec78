//! Custom vocabularies over HTTP (spec §4.7 and §4.8). Every operation is available under two paths.

pub(crate) mod dto;
mod errors;
pub(crate) mod export;
pub(crate) mod handlers;
pub(crate) mod status;
pub(crate) mod validation;
