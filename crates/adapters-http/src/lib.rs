//! The HTTP interface of Parlance: the domain services, served through actix-web.
//!
//! [`routes`] registers the whole interface. Handlers translate a body or query into domain types, and domain results
//! into response bodies. [`RequestScope`] wraps every request: it assigns the request id, writes every error body in
//! the form of the specification, and writes the request's line of the access log.

mod connection;
mod drain_flag;
mod errors;
mod extract;
#[cfg(fuzzing)]
pub mod fuzzing;
mod method_routing;
mod middleware;
mod openapi;
pub mod records;
mod resources;
mod response;
mod routes;
mod state;

pub use connection::{
    ConnectionCounts, ConnectionHandle, ConnectionLimits, ConnectionRegistry, CutReason, GuardReplies, OutputLimits,
    OutputPermits, RESERVED_CONNECTIONS, bind, connection_scope, guarded_service,
};
pub use drain_flag::DrainFlag;
pub use middleware::concurrency_limit::{ConcurrencyLimit, shed_load};
pub use middleware::cross_origin::allow_origins;
pub use middleware::request_context::{REQUEST_SPAN, RequestScope};
pub use middleware::request_observer::RequestObserver;
pub use middleware::request_tracer::{RequestTracer, TracedRequest};
pub use middleware::trace_parent::TraceParent;
pub use openapi::{examples, openapi};
pub use resources::events::hub::{ChangeHints, EventHub};
pub use resources::webhooks::event_json::JsonEventEncoder;
pub use routes::{endpoints, health_routes, routes};
pub use state::{HttpSettings, RequestTimeouts, Services};
