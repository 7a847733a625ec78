//! The Parlance program: reads the settings, connects the adapters to the ports of the domain, and runs the server.
//!
//! [`Stores`] connects the adapters to the ports. [`Service::build`] builds the server on top of it. [`system`] holds
//! the clocks, the identifiers, the secrets and their digests.

mod application;
mod background_tasks;
pub mod cli;
mod commands;
mod delivery;
mod feed_runtime;
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
mod sample;
mod sandbox;
mod scrub;
mod server;
pub mod settings;
mod signals;
mod signing;
mod stop_handle;
pub mod system;
pub mod tls;
mod wiring;

pub use limiter::ProcessRateLimiter;
pub use server::Service;
pub use stop_handle::StopHandle;
pub use wiring::Stores;
