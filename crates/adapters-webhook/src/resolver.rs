//! The resolution of host names.

use std::{io, net::IpAddr};

use async_trait::async_trait;
use tokio::net::lookup_host;

/// Resolves host names.
#[async_trait]
pub trait Resolver: Send + Sync {
    /// The addresses of a host.
    ///
    /// # Errors
    /// If there is none.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    #[tracing::instrument(level = "debug", name = "webhook.resolver.resolve", skip_all)]
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        // The port does not matter.
        Ok(lookup_host((host, 443)).await?.map(|address| address.ip()).collect())
    }
}
