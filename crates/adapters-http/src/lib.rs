//! The HTTP interface of Parlance: the services of the domain, offered through actix-web.
//!
//! [`routes`] is the whole interface on one screen. Handlers translate: a body or query into types of the domain, and
//! what the domain answers into a body. [`RequestScope`] goes around all of it: it gives every request its identifier,
//! puts every error into the body that the specification demands, and writes the request's one line of log.

mod authentication;
mod body;
mod conversation_view;
mod conversations;
mod deadline;
mod description_details;
mod documentation;
pub mod examples;
mod feeds;
#[cfg(fuzzing)]
pub mod fuzzing;
mod health;
mod json_text;
mod load;
mod message_batches;
mod message_writer;
mod messages;
mod problem;
mod query;
mod reading;
mod redaction;
mod request_scope;
mod resource;
mod retry;
mod routes;
mod services;
mod transcripts;
mod vocabularies;

pub use documentation::openapi;
pub use health::Draining;
pub use load::{Load, shed_load};
pub use request_scope::{RequestObserver, RequestScope};
pub use routes::{endpoints, routes};
pub use services::{HttpSettings, Patience, Services};
