//! What the handlers work with.

use std::sync::Arc;

use actix_web::http::header::{HeaderName, InvalidHeaderName};
use parlance_domain::{
    access::{Gate, RateLimiter},
    conversation::{Conversations, Messages, Transcripts},
    feed::Feeds,
    readiness::ReadinessProbe,
    redaction::RedactionEntities,
    retry::Repeats,
    vocabulary::{PageSize, Vocabularies},
};

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
        Ok(Self { id_header, secret_header, max_body_bytes, vocabulary_page_size: PageSize::default() })
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

    /// Entries of a page of a vocabulary where the caller does not say.
    #[must_use]
    pub fn vocabulary_page_size(&self) -> PageSize {
        self.vocabulary_page_size
    }
}
