//! The errors of the use cases of webhooks.

use super::InvalidWebhookUrl;
use crate::{access::PermissionDenied, error::StoreError, limits::WEBHOOK_MAX_PER_TENANT};

/// The error of a use case of webhooks.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The webhook does not exist.
    #[error("there is no such webhook")]
    NotFound,
    /// The delivery does not exist.
    #[error("there is no such delivery of the webhook")]
    DeliveryNotFound,
    /// The tenant has the maximum number of webhooks.
    #[error("there are already {WEBHOOK_MAX_PER_TENANT} webhooks, which is the limit")]
    Full,
    /// The address has a form that webhooks may not use here.
    #[error(transparent)]
    Url(#[from] InvalidWebhookUrl),
    /// The host is an address of a network that webhooks may not reach, or a name that always leads to one.
    #[error("must have a public host, or one of a network that the operator allows by `webhook_allow`")]
    AddressNotAllowed,
    /// The webhook is not active.
    #[error("the webhook is not active, so nothing is sent: switch it on first")]
    NotActive,
    /// The webhook does not name the type of the event of the delivery, at least not any more.
    #[error("the webhook does not name the type of this event, so it is not sent: add the type first")]
    TypeNotNamed,
    /// An event after the cursor was dropped.
    #[error("the cursor has expired, because events after it were dropped: choose by `replay` where to go on")]
    CursorExpired,
    /// The log has no entry at the cursor.
    #[error("the cursor is unknown here: choose by `replay` where to go on")]
    CursorUnknown,
    /// The caller lacks the permission for a type of events.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
