//! The delivery of vocabularies by signed `PUT` requests to a transcription component.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    time::Clock,
    vocabulary::delivery::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
};
use ureq::{
    Agent,
    http::{StatusCode, Uri},
};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::{
    DeliveryTracer, SIGNATURE_HEADER, SignatureHeaders, TIMESTAMP_HEADER, direct_agent, encode_document,
    signature_headers,
};

/// The placeholder of the tenant in an address.
const TENANT_PLACEHOLDER: &str = "{tenant}";

/// The minimum length of a key. Shorter keys could be guessed.
const MIN_KEY_BYTES: usize = 16;

/// An address of the transcription component, with the placeholder `{tenant}`. `Debug` prints only the scheme, because
/// the address may hold a password. Dropping the value overwrites its memory.
#[derive(Clone, PartialEq, Eq)]
pub struct AddressTemplate(Zeroizing<String>);

impl ZeroizeOnDrop for AddressTemplate {}

/// The address is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be http://host:port/path or https://…, where {{tenant}} is replaced by the tenant")]
pub struct InvalidComponentUrl;

/// The key that signs documents. `Debug` never prints it. Dropping the value overwrites its memory.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey(Zeroizing<Vec<u8>>);

impl ZeroizeOnDrop for SigningKey {}

/// The key is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 16 bytes or more")]
pub struct InvalidSigningKey;

impl AddressTemplate {
    /// Parses an address.
    ///
    /// # Errors
    /// [`InvalidComponentUrl`] if the address, with a tenant in place of `{tenant}`, has no host or another scheme
    /// than `http` and `https`.
    pub fn parse(text: &str) -> Result<Self, InvalidComponentUrl> {
        let template = Self(Zeroizing::new(text.to_owned()));
        let uri: Uri = text.replace(TENANT_PLACEHOLDER, "tenant").parse().map_err(|_| InvalidComponentUrl)?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let host = uri.host().filter(|host| !host.is_empty());
        scheme.and(host).map(|_| template).ok_or(InvalidComponentUrl)
    }

    /// The host and the port of the component.
    #[must_use]
    pub fn authority(&self) -> Option<(String, u16)> {
        let uri: Uri = self.0.replace(TENANT_PLACEHOLDER, "tenant").parse().ok()?;
        let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 });
        let host = uri.host()?.trim_start_matches('[').trim_end_matches(']');
        Some((host.to_owned(), port))
    }

    fn for_tenant(&self, tenant: &TenantId) -> String {
        self.0.replace(TENANT_PLACEHOLDER, tenant.as_str())
    }
}

impl fmt::Debug for AddressTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.0.split(':').next().unwrap_or_default())
    }
}

impl SigningKey {
    /// Uses the bytes of a text as a key.
    ///
    /// # Errors
    /// [`InvalidSigningKey`] if the text has fewer than 16 bytes.
    pub fn parse(text: &str) -> Result<Self, InvalidSigningKey> {
        if text.len() < MIN_KEY_BYTES {
            return Err(InvalidSigningKey);
        }
        Ok(Self(Zeroizing::new(text.as_bytes().to_vec())))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(***)")
    }
}

/// A transcription component that receives each tenant's vocabulary by HTTP.
#[derive(Clone)]
pub struct HttpComponent {
    agent: Agent,
    address: AddressTemplate,
    key: SigningKey,
    clock: Arc<dyn Clock>,
    tracer: Option<Arc<dyn DeliveryTracer>>,
}

impl HttpComponent {
    /// A component at this address, with this signing key.
    #[must_use]
    pub fn new(address: AddressTemplate, key: SigningKey, clock: Arc<dyn Clock>) -> Self {
        let agent = direct_agent(Duration::from_secs(DELIVERY_TIMEOUT_SECONDS));
        Self { agent, address, key, clock, tracer: None }
    }

    /// Sets the tracer of requests; `None` for no traces.
    #[must_use]
    pub fn with_tracer(self, tracer: Option<Arc<dyn DeliveryTracer>>) -> Self {
        Self { tracer, ..self }
    }
}

#[async_trait]
impl TranscriptionComponent for HttpComponent {
    #[tracing::instrument(level = "debug", name = "transcription.http_component.push", skip_all, fields(%tenant))]
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError> {
        let body = encode_document(tenant, snapshot);
        let SignatureHeaders { timestamp, signature } = signature_headers(&self.key.0, self.clock.now(), &body);
        let (agent, address) = (self.agent.clone(), self.address.for_tenant(tenant));
        let traced = self.tracer.as_ref().and_then(|tracer| Some((tracer, tracer.begin()?)));
        let traceparent = traced.as_ref().map(|(_, delivery)| delivery.traceparent.clone());
        let sent = tokio::task::spawn_blocking(move || {
            let request = agent.put(address).content_type("application/json");
            // Not signed: the signature covers the time and the document.
            let request = traceparent.into_iter().fold(request, |request, value| request.header("traceparent", value));
            request.header(TIMESTAMP_HEADER, timestamp).header(SIGNATURE_HEADER, signature).send(&body[..])
        });
        let sent = sent.await;
        if let Some((tracer, delivery)) = &traced {
            let answer = sent.as_ref().ok().and_then(|sent| sent.as_ref().ok());
            tracer.end(delivery, answer.map(|response| response.status().as_u16()));
        }
        match sent {
            Ok(Ok(response)) => check_status(response.status()),
            Ok(Err(error)) => Err(delivery_error(&error)),
            Err(join_error) => Err(DeliveryError::new(DeliveryErrorKind::Failed, join_error)),
        }
    }
}

/// Maps a status to a result. A status that asks for a later retry is a failure of the component. Other client errors
/// and redirects are refusals.
fn check_status(status: StatusCode) -> Result<(), DeliveryError> {
    let kind = match status {
        _ if status.is_success() => return Ok(()),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => {
            DeliveryErrorKind::Failed
        }
        _ if status.is_redirection() || status.is_client_error() => DeliveryErrorKind::Refused,
        _ => DeliveryErrorKind::Failed,
    };
    Err(DeliveryError::new(kind, format!("the component responded with status {}", status.as_u16())))
}

/// Maps an error of the client. The client's message is kept only if it cannot contain the address.
#[expect(clippy::wildcard_enum_match_arm, reason = "ureq may add variants; all others concern an invalid response")]
fn delivery_error(error: &ureq::Error) -> DeliveryError {
    match error {
        ureq::Error::Timeout(phase) => DeliveryError::new(DeliveryErrorKind::TimedOut, format!("timeout: {phase}")),
        ureq::Error::Io(error) => DeliveryError::new(DeliveryErrorKind::Unreachable, error.kind().to_string()),
        ureq::Error::HostNotFound => DeliveryError::new(DeliveryErrorKind::Unreachable, "the host name is not found"),
        ureq::Error::ConnectionFailed => DeliveryError::new(DeliveryErrorKind::Unreachable, "the connection failed"),
        ureq::Error::Rustls(error) => DeliveryError::new(DeliveryErrorKind::Unreachable, error.to_string()),
        ureq::Error::Tls(error) => DeliveryError::new(DeliveryErrorKind::Unreachable, *error),
        _ => DeliveryError::new(DeliveryErrorKind::Failed, "the component sent an invalid HTTP response"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_an_http_scheme_and_a_host() {
        for text in ["http://h", "https://h:8443/v/{tenant}?a=b", "http://127.0.0.1:1/", "https://u:p@h/{tenant}.json"]
        {
            assert!(AddressTemplate::parse(text).is_ok(), "{text}");
        }
        for text in ["", "h", "/path", "ftp://h/", "http://", "http:///p", "http://h /", "file:///p"] {
            assert_eq!(AddressTemplate::parse(text), Err(InvalidComponentUrl), "{text}");
        }
    }

    #[test]
    fn every_placeholder_is_replaced_by_the_tenant() {
        let template = AddressTemplate::parse("http://{tenant}.h/v/{tenant}").unwrap();
        assert_eq!(template.for_tenant(&TenantId::parse("acme-2").unwrap()), "http://acme-2.h/v/acme-2");
    }

    #[test]
    fn debug_prints_neither_the_address_nor_the_key() {
        let template = AddressTemplate::parse("https://user:hush@h/").unwrap();
        let key = SigningKey::parse("hush-hush-hush-hush").unwrap();
        assert_eq!(format!("{template:?} {key:?}"), "https:*** SigningKey(***)");
    }

    #[test]
    fn a_key_needs_at_least_16_bytes() {
        assert!(SigningKey::parse("0123456789abcdef").is_ok());
        assert_eq!(SigningKey::parse("0123456789abcde"), Err(InvalidSigningKey));
    }

    #[test]
    fn a_status_is_mapped_to_success_refusal_or_failure() {
        let kind = |status| check_status(StatusCode::from_u16(status).unwrap()).err().map(|error| error.kind());
        for (expected, statuses) in [
            (None, &[200, 201, 204][..]),
            (Some(DeliveryErrorKind::Refused), &[301, 307, 400, 401, 403, 404, 409, 413]),
            (Some(DeliveryErrorKind::Failed), &[408, 425, 429, 500, 502, 503, 504]),
        ] {
            assert!(statuses.iter().all(|status| kind(*status) == expected), "{expected:?}");
        }
    }
}
