//! The ports of sending: the sender of requests, the encoder of events, and the cipher of secrets.

use async_trait::async_trait;

use super::{AttemptFailure, SealedSecret, WebhookDeliveryId, WebhookId, WebhookSecret, WebhookUrl};
use crate::{access::TenantId, error::StoreError, event::Event, time::Timestamp};

/// A signed request to a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookRequest {
    /// The address.
    pub url: WebhookUrl,
    /// The header `webhook-id`.
    pub id: WebhookDeliveryId,
    /// The header `webhook-timestamp`: seconds since 1970.
    pub timestamp: i64,
    /// The header `webhook-signature`.
    pub signature: String,
    /// The body, in JSON.
    pub body: Vec<u8>,
}

/// Sends requests to webhooks.
#[cfg_attr(feature = "mocks", mockall::automock)]
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Sends a request by `POST`, and returns the status of a success: 200 to 299.
    ///
    /// The sender MUST resolve the host, check each address by [`AllowedNetworks::permits`](super::AllowedNetworks::permits)
    /// and connect to a checked address. It follows no redirect, uses no proxy, reads a bounded part of the answer, and ends
    /// within [`WEBHOOK_TIMEOUT_SECONDS`](crate::limits::WEBHOOK_TIMEOUT_SECONDS).
    async fn send(&self, request: &WebhookRequest) -> Result<u16, AttemptFailure>;
}

/// Encodes the bodies of requests.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait EventEncoder: Send + Sync {
    /// The body of an event: what reading the event gives.
    fn encode(&self, event: &Event) -> Vec<u8>;

    /// The body of a test.
    fn encode_test(&self, id: &WebhookDeliveryId, at: Timestamp) -> Vec<u8>;
}

/// Encrypts secrets with a key that is not in the store.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait SecretCipher: Send + Sync {
    /// Encrypts the secret of a webhook. The result MUST NOT decrypt for another webhook or tenant.
    fn seal(&self, tenant: &TenantId, webhook: &WebhookId, secret: &WebhookSecret) -> Result<SealedSecret, StoreError>;

    /// Decrypts the secret of a webhook.
    fn open(&self, tenant: &TenantId, webhook: &WebhookId, sealed: &SealedSecret) -> Result<WebhookSecret, StoreError>;
}
