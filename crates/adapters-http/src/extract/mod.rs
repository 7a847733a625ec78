//! Request extraction: the authorized caller, JSON bodies, query strings, headers, and validation of wire types into domain types.

pub(crate) mod accept;
pub(crate) mod authorized;
pub(crate) mod idempotency_key;
pub(crate) mod json_body;
pub(crate) mod page_parameters;
pub(crate) mod query;
pub(crate) mod validation;
