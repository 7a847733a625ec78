//! Vocabularies as signed `PUT` requests to a transcription component.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    time::Clock,
    vocabulary::delivery::{DeliveryError, DeliveryFailure, TranscriptionComponent, VocabularyEdition},
};
use ureq::{
    Agent,
    http::{StatusCode, Uri},
    tls::{RootCerts, TlsConfig},
};

use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::{SIGNATURE_HEADER, TIMESTAMP_HEADER, document, sign};

/// What stands for the tenant in an address.
const TENANT: &str = "{tenant}";

/// Fewest bytes of a key: what is shorter could be guessed.
const KEY_MIN_BYTES: usize = 16;

/// An address of the transcription component, in which `{tenant}` stands for the tenant. Shown, it is its scheme only,
/// for it may hold a password. It is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct AddressTemplate(Zeroizing<String>);

impl ZeroizeOnDrop for AddressTemplate {}

/// What is no address to send to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address to send to: http://host:port/path or https://…, in which {{tenant}} stands for the tenant")]
pub struct UnusableAddress;

/// A key that documents are signed with. It is never shown, and is overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey(Zeroizing<Vec<u8>>);

impl ZeroizeOnDrop for SigningKey {}

/// What is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 16 bytes or more")]
pub struct UnusableKey;

impl AddressTemplate {
    /// Reads an address.
    ///
    /// # Errors
    /// [`UnusableAddress`] unless it is a whole address of HTTP once a tenant stands in it.
    pub fn parse(text: &str) -> Result<Self, UnusableAddress> {
        let template = Self(Zeroizing::new(text.to_owned()));
        let uri: Uri = text.replace(TENANT, "tenant").parse().map_err(|_| UnusableAddress)?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let host = uri.host().filter(|host| !host.is_empty());
        scheme.and(host).map(|_| template).ok_or(UnusableAddress)
    }

    /// The host and the port that are connected to.
    #[must_use]
    pub fn authority(&self) -> Option<(String, u16)> {
        let uri: Uri = self.0.replace(TENANT, "tenant").parse().ok()?;
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 });
        let host = uri.host()?.trim_start_matches('[').trim_end_matches(']');
        Some((host.to_owned(), port))
    }

    fn of(&self, tenant: &TenantId) -> String {
        self.0.replace(TENANT, tenant.as_str())
    }
}

impl fmt::Debug for AddressTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.0.split(':').next().unwrap_or_default())
    }
}

impl SigningKey {
    /// Takes the bytes of this text as a key.
    ///
    /// # Errors
    /// [`UnusableKey`] where they are fewer than 16.
    pub fn parse(text: &str) -> Result<Self, UnusableKey> {
        if text.len() < KEY_MIN_BYTES {
            return Err(UnusableKey);
        }
        Ok(Self(Zeroizing::new(text.as_bytes().to_vec())))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(***)")
    }
}

/// Sends each tenant's vocabulary by HTTP.
#[derive(Clone)]
pub struct HttpComponent {
    agent: Agent,
    address: AddressTemplate,
    key: SigningKey,
    clock: Arc<dyn Clock>,
}

impl HttpComponent {
    /// Sends to this address, signed with this key. Certificates are held against those that the system trusts. Neither
    /// redirects nor proxies are followed: what is sent goes where it was said to go.
    #[must_use]
    pub fn new(address: AddressTemplate, key: SigningKey, clock: Arc<dyn Clock>) -> Self {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .timeout_global(Some(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS)))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent("parlance")
            .build();
        Self { agent: config.into(), address, key, clock }
    }
}

#[async_trait]
impl TranscriptionComponent for HttpComponent {
    async fn bring(&self, tenant: &TenantId, edition: &VocabularyEdition) -> Result<(), DeliveryError> {
        let body = document(tenant, edition);
        let (timestamp, signature) = sign(&self.key.0, self.clock.now(), &body);
        let (agent, address) = (self.agent.clone(), self.address.of(tenant));
        let sent = tokio::task::spawn_blocking(move || {
            let request = agent.put(address).content_type("application/json");
            request.header(TIMESTAMP_HEADER, timestamp).header(SIGNATURE_HEADER, signature).send(&body[..])
        });
        match sent.await {
            Ok(Ok(answer)) => judge(answer.status()),
            Ok(Err(error)) => Err(failure(&error)),
            Err(broken) => Err(DeliveryError::new(DeliveryFailure::Failed, broken)),
        }
    }
}

/// What a status says. One that asks to come back later is a failure of the component, any other of the client's is a
/// refusal, and so is a redirect.
fn judge(status: StatusCode) -> Result<(), DeliveryError> {
    let kind = match status {
        _ if status.is_success() => return Ok(()),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => DeliveryFailure::Failed,
        _ if status.is_redirection() || status.is_client_error() => DeliveryFailure::Refused,
        _ => DeliveryFailure::Failed,
    };
    Err(DeliveryError::new(kind, format!("it answered with status {}", status.as_u16())))
}

/// What an error says. Its own words are kept only where they cannot repeat the address.
#[expect(clippy::wildcard_enum_match_arm, reason = "the library adds kinds; all others are about how it answered")]
fn failure(error: &ureq::Error) -> DeliveryError {
    match error {
        ureq::Error::Timeout(what) => DeliveryError::new(DeliveryFailure::TimedOut, format!("no {what} in time")),
        ureq::Error::Io(error) => DeliveryError::new(DeliveryFailure::Unreachable, error.kind().to_string()),
        ureq::Error::HostNotFound => DeliveryError::new(DeliveryFailure::Unreachable, "its name is not known"),
        ureq::Error::ConnectionFailed => DeliveryError::new(DeliveryFailure::Unreachable, "no connection came about"),
        ureq::Error::Rustls(error) => DeliveryError::new(DeliveryFailure::Unreachable, error.to_string()),
        ureq::Error::Tls(error) => DeliveryError::new(DeliveryFailure::Unreachable, *error),
        _ => DeliveryError::new(DeliveryFailure::Failed, "it did not answer as HTTP demands"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_of_http_and_a_host() {
        for text in ["http://h", "https://h:8443/v/{tenant}?a=b", "http://127.0.0.1:1/", "https://u:p@h/{tenant}.json"]
        {
            assert!(AddressTemplate::parse(text).is_ok(), "{text}");
        }
        for text in ["", "h", "/path", "ftp://h/", "http://", "http:///p", "http://h /", "file:///p"] {
            assert_eq!(AddressTemplate::parse(text), Err(UnusableAddress), "{text}");
        }
    }

    #[test]
    fn the_tenant_stands_wherever_the_template_says() {
        let template = AddressTemplate::parse("http://{tenant}.h/v/{tenant}").unwrap();
        assert_eq!(template.of(&TenantId::parse("acme-2").unwrap()), "http://acme-2.h/v/acme-2");
    }

    #[test]
    fn neither_the_address_nor_the_key_is_shown() {
        let template = AddressTemplate::parse("https://user:hush@h/").unwrap();
        let key = SigningKey::parse("hush-hush-hush-hush").unwrap();
        assert_eq!(format!("{template:?} {key:?}"), "https:*** SigningKey(***)");
    }

    #[test]
    fn a_key_has_16_bytes_or_more() {
        assert!(SigningKey::parse("0123456789abcdef").is_ok());
        assert_eq!(SigningKey::parse("0123456789abcde"), Err(UnusableKey));
    }

    #[test]
    fn a_status_says_whether_it_was_taken_refused_or_failed() {
        let kind = |status| judge(StatusCode::from_u16(status).unwrap()).err().map(|error| error.kind());
        for (said, statuses) in [
            (None, &[200, 201, 204][..]),
            (Some(DeliveryFailure::Refused), &[301, 307, 400, 401, 403, 404, 409, 413]),
            (Some(DeliveryFailure::Failed), &[408, 425, 429, 500, 502, 503, 504]),
        ] {
            assert!(statuses.iter().all(|status| kind(*status) == said), "{said:?}");
        }
    }
}
