//! What the handlers work with.

use std::{
    num::NonZeroU32,
    sync::{Arc, OnceLock},
    time::Duration,
};

use actix_web::http::header::{HeaderName, InvalidHeaderName};
use parlance_domain::{
    access::{Gate, Quota, RateLimiter},
    conversation::{Conversations, Messages, Transcripts},
    feed::Feeds,
    readiness::ReadinessProbe,
    redaction::RedactionEntities,
    retry::Repeats,
    vocabulary::{PageSize, Vocabularies, delivery::Deliveries},
};

use crate::static_content::StaticContent;

/// The services of the domain that are offered. Cloning shares them.
#[derive(Clone)]
pub struct Services {
    /// Authenticates callers.
    pub gate: Gate,
    /// Holds each credential to its rate.
    pub limiter: Arc<dyn RateLimiter>,
    /// Creates, updates and finds conversations.
    pub conversations: Conversations,
    /// Adds and lists messages.
    pub messages: Messages,
    /// Gives whole transcripts.
    pub transcripts: Transcripts,
    /// Creates, validates, lists, finds and removes the entries of vocabularies.
    pub vocabularies: Vocabularies,
    /// Tells how far the delivery of vocabularies is.
    pub deliveries: Deliveries,
    /// Lists and switches redaction entities.
    pub redaction: RedactionEntities,
    /// Lists feeds and hands out their files.
    pub feeds: Feeds,
    /// Answers repeats of a request as the first was answered.
    pub repeats: Repeats,
    /// The parts that must be in reach for the service to be ready.
    pub probes: Vec<Arc<dyn ReadinessProbe>>,
}

/// What of the interface is configurable.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    id_header: HeaderName,
    secret_header: HeaderName,
    max_body_bytes: usize,
    vocabulary_page_size: PageSize,
    quota: Quota,
    patience: Patience,
    trusted_proxies: usize,
    logs_client_address: bool,
    public_url: String,
    description: Arc<OnceLock<StaticContent>>,
}

/// How long the interface waits.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For a body to arrive whole.
    pub body: Duration,
    /// For a request to be answered, the time left out in which its body arrives.
    pub request: Duration,
}

impl HttpSettings {
    /// `header_prefix` is the word before `-api-id` and `-api-secret` in the names of the two credential headers;
    /// a body of more than `max_body_bytes` bytes is refused before it is read whole.
    ///
    /// # Errors
    /// Where the prefix makes no name of a header.
    pub fn new(header_prefix: &str, max_body_bytes: usize) -> Result<Self, InvalidHeaderName> {
        let name = |suffix| HeaderName::try_from(format!("{header_prefix}-{suffix}").to_ascii_lowercase());
        let (id_header, secret_header) = (name("api-id")?, name("api-secret")?);
        let patience = Patience { body: Duration::from_secs(10), request: Duration::from_millis(1_950) };
        let quota = Quota { per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX };
        let vocabulary_page_size = PageSize::default();
        Ok(Self {
            id_header,
            secret_header,
            max_body_bytes,
            vocabulary_page_size,
            quota,
            patience,
            trusted_proxies: 0,
            logs_client_address: true,
            public_url: String::new(),
            description: Arc::default(),
        })
    }

    /// The same, but for what callers are told of their rate.
    #[must_use]
    pub fn with_quota(self, quota: Quota) -> Self {
        Self { quota, ..self }
    }

    /// The same, but for how long it waits.
    #[must_use]
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// The same, but for how many proxies stand before the server, each of which adds the address of its client to
    /// the end of `X-Forwarded-For`. With none, that header is not believed.
    #[must_use]
    pub fn with_trusted_proxies(self, trusted_proxies: usize) -> Self {
        Self { trusted_proxies, ..self }
    }

    /// The same, but for whether the log has the addresses of clients. By default it has.
    #[must_use]
    pub fn with_logged_client_address(self, logs_client_address: bool) -> Self {
        Self { logs_client_address, ..self }
    }

    /// The same, but for the address that callers reach the server at, without a slash at its end. Without one, addresses
    /// on this server are given by their path alone: what a request says of its host is not believed.
    #[must_use]
    pub fn with_public_url(self, public_url: impl Into<String>) -> Self {
        Self { public_url: public_url.into(), ..self }
    }

    /// The same, but for how many entries a page of a vocabulary has where the caller does not say.
    #[must_use]
    pub fn with_vocabulary_page_size(self, vocabulary_page_size: PageSize) -> Self {
        Self { vocabulary_page_size, ..self }
    }

    /// The name of the header that carries a credential's identifier.
    #[must_use]
    pub fn id_header(&self) -> &HeaderName {
        &self.id_header
    }

    /// The name of the header that carries a credential's secret.
    #[must_use]
    pub fn secret_header(&self) -> &HeaderName {
        &self.secret_header
    }

    /// Most bytes of a request's body.
    #[must_use]
    pub fn max_body_bytes(&self) -> usize {
        self.max_body_bytes
    }

    /// How often one credential may call.
    #[must_use]
    pub fn quota(&self) -> Quota {
        self.quota
    }

    /// How long the interface waits.
    #[must_use]
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// How many proxies stand before the server.
    #[must_use]
    pub fn trusted_proxies(&self) -> usize {
        self.trusted_proxies
    }

    /// Whether the log has the addresses of clients.
    #[must_use]
    pub fn logs_client_address(&self) -> bool {
        self.logs_client_address
    }

    /// The address of a path on this server.
    #[must_use]
    pub fn address_of(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Where the description of the interface is kept once it was made.
    pub(crate) fn description(&self) -> &OnceLock<StaticContent> {
        &self.description
    }

    /// Entries of a page of a vocabulary where the caller does not say.
    #[must_use]
    pub fn vocabulary_page_size(&self) -> PageSize {
        self.vocabulary_page_size
    }
}
