//! Parlance as a program: settings in, adapters plugged into the domain's ports, a server out.
//!
//! [`Service::build`] is the wiring diagram. Everything impure that the domain asks for, and that is neither a
//! database nor HTTP, is in [`system`].

pub mod cli;
mod commands;
mod feeds;
mod limiter;
mod logging;
mod sandbox;
mod service;
pub mod settings;
mod signing;
pub mod system;
pub mod tls;

pub use service::{Service, StopHandle, Stores};
