//! Middleware around the handlers: request context, limits, authentication and the access log.

pub(crate) mod access_log;
pub(crate) mod authentication;
pub(crate) mod change_hint;
pub(crate) mod compression;
pub(crate) mod concurrency_limit;
pub(crate) mod cross_origin;
pub(crate) mod deadline;
pub(crate) mod request_context;
pub(crate) mod request_id;
pub(crate) mod request_observer;
pub(crate) mod request_tracer;
pub(crate) mod singleton_headers;
pub(crate) mod trace_parent;
