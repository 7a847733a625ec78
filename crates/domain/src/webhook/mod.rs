//! Webhooks: endpoints of a tenant that receive its events by signed HTTP requests (Standard Webhooks).
//!
//! Each endpoint is a reader of the change log with a stored cursor. The [`Dispatcher`] of one replica moves the cursor and
//! adds a [delivery](WebhookDelivery) for each event in one transaction, and sends deliveries until they succeed. Deliveries
//! hold references, never content.

mod attempt;
mod deliveries;
mod delivery;
mod dispatcher;
mod error;
mod model;
mod network;
mod page;
mod retry;
mod sender;
mod signature;
mod slots;
mod store;
mod url;
mod webhooks;

pub use attempt::{AttemptFailure, DeliveryAttempt};
pub use delivery::{
    AttemptedDelivery, DeliverySubject, PendingDelivery, WebhookDelivery, WebhookDeliveryState, WebhookDeliveryStatus,
};
pub use dispatcher::{Dispatcher, DispatcherPorts, EndedAttempt};
pub use error::WebhookError;
pub use model::{
    NewWebhook, SealedSecret, SwitchOffReason, Webhook, WebhookChange, WebhookDeliveryId, WebhookDescription, WebhookId,
};
pub use network::{AllowedNetworks, InvalidNetwork, Network};
pub use page::{DeliveryPage, WebhookCursor, WebhookPage};
pub use retry::Jitter;
pub use sender::{EventEncoder, SecretCipher, WebhookRequest, WebhookSender};
pub use signature::{InvalidSecret, WebhookSecret, sign};
pub use slots::{EndpointKey, Slots};
pub use store::{ActiveWebhook, Backlog, DeliveryQuery, Enqueue, WebhookInsertOutcome, WebhookStore};
pub use url::{InvalidWebhookUrl, UrlScheme, WebhookHost, WebhookUrl};
pub use webhooks::{IssuedWebhook, Webhooks};

#[cfg(feature = "mocks")]
pub use sender::{MockEventEncoder, MockSecretCipher, MockWebhookSender};
#[cfg(feature = "mocks")]
pub use store::MockWebhookStore;
