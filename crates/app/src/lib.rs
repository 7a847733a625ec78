//! The Parlance program: reads the settings, connects the adapters to the ports of the domain, and runs the server.
//!
//! [`Stores`] connects the adapters to the ports. [`Service::build`] builds the server on top of it. [`system`] holds
//! the clocks, the identifiers, the secrets and their digests.

mod application;
mod background_tasks;
mod build_info;
pub mod cli;
mod commands;
mod delivery;
mod feed_log;
mod feed_runtime;
mod feed_schedule;
mod feeds;
mod file_permissions;
mod idempotency_purge;
pub mod keys;
mod lease;
mod limiter;
mod listener;
mod logging;
mod metrics;
mod open_file_limit;
mod operator;
mod process_limits;
mod redactions;
mod sample;
mod sandbox;
mod scrub;
mod server;
pub mod settings;
mod signals;
mod signing;
mod stop_handle;
mod suggestion;
pub mod system;
pub mod tls;
mod traces;
mod wiring;
mod wiring_import;
mod wiring_redaction;

pub use limiter::ProcessRateLimiter;
pub use server::Service;
pub use stop_handle::StopHandle;
pub use wiring::Stores;
