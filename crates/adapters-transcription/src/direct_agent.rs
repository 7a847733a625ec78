//! The HTTP client of requests that must reach only the configured address.

use std::time::Duration;

use ureq::{
    Agent,
    tls::{RootCerts, TlsConfig},
};

/// A client that follows no redirects and uses no proxy, so that a request with its headers and its body reaches only its
/// address. A request with its answer takes at most `timeout`. Server certificates are verified against the trust store
/// of the system. 4xx and 5xx are returned as answers, not as errors.
#[must_use]
pub fn direct_agent(timeout: Duration) -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .timeout_global(Some(timeout))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .proxy(None)
        .user_agent("parlance")
        .build();
    config.into()
}
