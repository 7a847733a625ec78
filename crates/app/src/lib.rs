//! Parlance as a program: settings in, adapters plugged into the domain's ports, a server out.
//!
//! [`Service::build`] is the wiring diagram. Everything impure that the domain asks for, and that is neither a
//! database nor HTTP, is in [`system`].

pub mod cli;
mod commands;
mod delivery;
mod limiter;
mod logging;
mod metrics;
mod sandbox;
mod service;
pub mod settings;
pub mod system;

pub use service::{Service, StopHandle, Stores};
