//! Parlance as a program: settings in, adapters plugged into the domain's ports, a server out.
//!
//! [`Stores`] is the wiring diagram, and [`Service::build`] puts the server around it. Everything impure that the domain asks for, and that is neither a
//! database nor HTTP, is in [`system`].

mod application;
pub mod cli;
mod commands;
mod delivery;
mod duty;
mod feeds;
mod forgetting;
pub mod keys;
mod limiter;
mod listener;
mod logging;
mod metrics;
mod open_files;
mod operator;
mod private_files;
mod process_limits;
mod sample;
mod sandbox;
mod scrub;
mod server;
mod service;
pub mod settings;
mod signing;
pub mod system;
pub mod tls;

pub use limiter::ProcessRateLimiter;
pub use server::{Service, StopHandle};
pub use service::Stores;
