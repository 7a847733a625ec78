//! Sends signed requests to webhooks.
//!
//! The addresses of webhooks come from callers, so a request must not reach what only this server can reach. The sender
//! resolves the host itself, checks every address, and connects to exactly a checked one. It follows no redirect and uses no
//! proxy, and of an answer it reads the head, at most 64 KiB.

mod authorities;
mod bounded_stream;
mod resolver;
mod sender;

pub use authorities::{Authorities, InvalidAuthorities};
pub use resolver::{Resolver, SystemResolver};
pub use sender::HttpWebhookSender;
