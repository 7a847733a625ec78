//! The Parlance program: reads the settings, connects the adapters to the ports of the domain, and runs the server.
//!
//! [`Stores`] connects the adapters to the ports. [`Service::build`] builds the server on top of it. [`system`] holds
//! the clocks, the identifiers, the secrets and their digests.

mod application;
mod background_tasks;
mod build_info;
mod change_log;
pub mod cli;
mod commands;
mod companion_files;
mod deleted_bytes;
mod delivery;
mod feed_announcements;
mod feed_log;
mod feed_rewriter;
mod feed_runtime;
mod feed_schedule;
mod feeds;
mod file_permissions;
mod idempotency_purge;
pub mod keys;
mod lease;
mod ledger;
mod ledger_location;
mod limiter;
mod listener;
mod logging;
mod metrics;
mod open_file_limit;
mod operator;
mod privacy_requests;
mod process_limits;
mod redactions;
mod replica_hints;
mod retention;
mod sample;
mod sample_hold;
mod sample_requests;
mod sample_webhook;
mod sandbox;
mod scrub;
mod server;
mod server_limits;
pub mod settings;
mod signals;
mod signing;
mod stop_handle;
pub mod stored_files;
mod suggestion;
pub mod system;
mod tenant_vocabulary;
pub mod tls;
mod traces;
mod webhooks;
mod wiring;
mod wiring_events;
mod wiring_feeds;
mod wiring_import;
mod wiring_privacy;
mod wiring_redaction;
mod wiring_tenants;
mod wiring_webhooks;

pub use limiter::ProcessRateLimiter;
pub use server::Service;
pub use stop_handle::StopHandle;
pub use wiring::Stores;
