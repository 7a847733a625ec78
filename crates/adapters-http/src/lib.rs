//! The HTTP interface of Parlance: the services of the domain, offered through actix-web.
//!
//! [`routes`] is the whole interface on one screen. Handlers translate: a body or query into types of the domain, and
//! what the domain answers into a body. [`RequestScope`] goes around all of it: it gives every request its identifier,
//! puts every error into the body that the specification demands, and writes the request's one line of log.

mod access_line;
mod authentication;
mod body;
mod compression;
mod connection;
mod conversation_view;
mod conversations;
mod deadline;
mod description_details;
mod documentation;
mod entity_tag;
pub mod examples;
mod feeds;
#[cfg(fuzzing)]
pub mod fuzzing;
mod health;
mod index;
mod json_text;
mod load;
mod message_batches;
mod message_writer;
mod messages;
mod preference;
mod problem;
mod query;
mod reading;
mod redaction;
mod request_identity;
mod request_scope;
mod resource;
mod retry;
mod routes;
mod services;
mod singleton_headers;
mod static_content;
mod transcripts;
mod vocabularies;

pub use connection::{
    ConnectionCounts, ConnectionHandle, ConnectionLimits, ConnectionRegistry, CutReason, OutputLimits, OutputPermits,
    RESERVED_CONNECTIONS, ReplyIds, bind, connection_scope, guarded_service,
};
pub use documentation::openapi;
pub use health::Draining;
pub use load::{Load, shed_load};
pub use request_scope::{RequestObserver, RequestScope};
pub use routes::{endpoints, health_routes, routes};
pub use services::{HttpSettings, Patience, Services};
