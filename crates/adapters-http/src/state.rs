//! Application data of the handlers: the domain services and the settings of the interface.

use std::{
    num::NonZeroU32,
    sync::{Arc, OnceLock},
    time::Duration,
};

use actix_web::http::header::{HeaderName, HeaderValue, InvalidHeaderName};
use parlance_domain::{
    access::{Authenticator, Quota, RateLimiter},
    backtest::Backtest,
    conversation::Conversations,
    event::{Events, StreamAddresses},
    feed::Feeds,
    idempotency::Idempotency,
    message::{Messages, RedactionPreview, Transcripts},
    privacy::{Erasures, Holds, PrivacyRequests, Retention},
    readiness::ReadinessProbe,
    redaction::RedactionEntities,
    vocabulary::{PageSize, Vocabularies, delivery::Deliveries},
    webhook::Webhooks,
};

use crate::response::static_content::StaticContent;

/// The domain services behind the interface. Clones share them.
#[derive(Clone)]
pub struct Services {
    /// Authenticates callers.
    pub authenticator: Authenticator,
    /// Limits the request rate of each credential.
    pub rate_limiter: Arc<dyn RateLimiter>,
    /// Creates, updates and finds conversations.
    pub conversations: Conversations,
    /// Adds and lists messages.
    pub messages: Messages,
    /// Reads whole transcripts.
    pub transcripts: Transcripts,
    /// Reads what has changed.
    pub events: Events,
    /// Issues addresses that open a stream once.
    pub stream_addresses: StreamAddresses,
    /// Creates, validates, lists, finds and removes the entries of vocabularies.
    pub vocabularies: Vocabularies,
    /// Reports the status of vocabulary deliveries.
    pub deliveries: Deliveries,
    /// Erases conversations, and lists which ones were erased.
    pub erasures: Erasures,
    /// Receives privacy requests, and gives out what they come to.
    pub privacy_requests: PrivacyRequests,
    /// Places, lists and releases holds.
    pub holds: Holds,
    /// Previews, replaces and shows retention rules.
    pub retention: Retention,
    /// Creates, changes and lists webhooks and their deliveries.
    pub webhooks: Webhooks,
    /// Lists and switches redaction entities.
    pub redaction: RedactionEntities,
    /// Shows what redaction would do to texts.
    pub preview: RedactionPreview,
    /// Counts what entities would mask in what is stored.
    pub backtest: Backtest,
    /// Lists feeds and serves their files.
    pub feeds: Feeds,
    /// Returns the stored response for a request that repeats an idempotency key.
    pub idempotency: Idempotency,
    /// The probes that must succeed for the service to be ready.
    pub probes: Vec<Arc<dyn ReadinessProbe>>,
}

/// The settings of the interface.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    id_header: HeaderName,
    secret_header: HeaderName,
    max_body_bytes: usize,
    vocabulary_page_size: PageSize,
    quota: Quota,
    timeouts: RequestTimeouts,
    trusted_proxies: usize,
    logs_client_address: bool,
    public_url: String,
    cors_origins: Vec<String>,
    openapi_document: Arc<OnceLock<StaticContent>>,
}

/// The timeouts of a request.
#[derive(Debug, Clone, Copy)]
pub struct RequestTimeouts {
    /// For the whole body to arrive.
    pub body: Duration,
    /// For the response, excluding the time in which the body arrives.
    pub request: Duration,
}

impl HttpSettings {
    /// Settings with default values. `header_prefix` is the part before `-api-id` and `-api-secret` in the names of the
    /// two credential headers. A body of more than `max_body_bytes` bytes is refused before it is read completely.
    ///
    /// # Errors
    /// The prefix does not form a valid header name.
    pub fn new(header_prefix: &str, max_body_bytes: usize) -> Result<Self, InvalidHeaderName> {
        let name = |suffix| HeaderName::try_from(format!("{header_prefix}-{suffix}").to_ascii_lowercase());
        let (id_header, secret_header) = (name("api-id")?, name("api-secret")?);
        let timeouts = RequestTimeouts { body: Duration::from_secs(10), request: Duration::from_millis(1_950) };
        let quota = Quota { per_second: NonZeroU32::MAX, burst: NonZeroU32::MAX };
        let vocabulary_page_size = PageSize::default();
        Ok(Self {
            id_header,
            secret_header,
            max_body_bytes,
            vocabulary_page_size,
            quota,
            timeouts,
            trusted_proxies: 0,
            logs_client_address: true,
            public_url: String::new(),
            cors_origins: Vec::new(),
            openapi_document: Arc::default(),
        })
    }

    /// Sets the quota that the rate limit headers report.
    #[must_use]
    pub fn with_quota(self, quota: Quota) -> Self {
        Self { quota, ..self }
    }

    /// Sets the timeouts.
    #[must_use]
    pub fn with_timeouts(self, timeouts: RequestTimeouts) -> Self {
        Self { timeouts, ..self }
    }

    /// Sets the number of trusted proxies in front of the server. Each of them appends the address of its client to
    /// `X-Forwarded-For`. With zero proxies that header is ignored.
    #[must_use]
    pub fn with_trusted_proxies(self, trusted_proxies: usize) -> Self {
        Self { trusted_proxies, ..self }
    }

    /// Sets whether the log contains client addresses. By default it does.
    #[must_use]
    pub fn with_logged_client_address(self, logs_client_address: bool) -> Self {
        Self { logs_client_address, ..self }
    }

    /// Sets the URL at which callers reach the server, without a trailing slash. Without this setting, URLs on this
    /// server are given as paths: the host that a request names is not trusted.
    #[must_use]
    pub fn with_public_url(self, public_url: impl Into<String>) -> Self {
        Self { public_url: public_url.into(), ..self }
    }

    /// Sets the origins whose pages may read answers, such as `https://desk.example`. By default, none may.
    #[must_use]
    pub fn with_cors_origins(self, cors_origins: Vec<String>) -> Self {
        Self { cors_origins, ..self }
    }

    /// Sets the number of entries on a vocabulary page when the caller specifies none.
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

    /// The largest allowed request body, in bytes.
    #[must_use]
    pub fn max_body_bytes(&self) -> usize {
        self.max_body_bytes
    }

    /// The quota that the rate limit headers report.
    #[must_use]
    pub fn quota(&self) -> Quota {
        self.quota
    }

    /// The timeouts of a request.
    #[must_use]
    pub fn timeouts(&self) -> RequestTimeouts {
        self.timeouts
    }

    /// The number of trusted proxies in front of the server.
    #[must_use]
    pub fn trusted_proxies(&self) -> usize {
        self.trusted_proxies
    }

    /// Whether the log contains client addresses.
    #[must_use]
    pub fn logs_client_address(&self) -> bool {
        self.logs_client_address
    }

    /// The URL of a path on this server; the path itself if no public URL is set.
    #[must_use]
    pub fn url_for(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Whether pages of this origin may read answers.
    pub(crate) fn allows_origin(&self, origin: &HeaderValue) -> bool {
        self.cors_origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
    }

    /// The cache of the OpenAPI document.
    pub(crate) fn openapi_document(&self) -> &OnceLock<StaticContent> {
        &self.openapi_document
    }

    /// The number of entries on a vocabulary page when the caller specifies none.
    #[must_use]
    pub fn vocabulary_page_size(&self) -> PageSize {
        self.vocabulary_page_size
    }
}
