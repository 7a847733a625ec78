//! The errors of the interface: their statuses, bodies, headers and descriptions.

pub(crate) mod api_error;
pub(crate) mod envelope;
pub(crate) mod responses;
