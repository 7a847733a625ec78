//! The list of erased conversations, for those who hold copies of what was erased.

pub(crate) mod dto;
pub(crate) mod handlers;
