//! The responses to the errors of the operations on webhooks.

use parlance_domain::webhook::WebhookError;

use crate::errors::api_error::{ApiError, RefusalKind};

/// Converts an error whose cursor belongs to the part `cursor` of the request.
pub(super) fn webhook_error_at(cursor: &'static str) -> impl Fn(WebhookError) -> ApiError {
    move |error| match error {
        WebhookError::NotFound => ApiError::not_found("path:webhookId", &error),
        WebhookError::DeliveryNotFound => ApiError::not_found("path:deliveryId", &error),
        WebhookError::Full => ApiError::refused_at(RefusalKind::RuleViolation, "", "max_entries", &error),
        WebhookError::Url(_) => ApiError::refused_at(RefusalKind::RuleViolation, "/url", "url", &error),
        WebhookError::AddressNotAllowed => {
            ApiError::refused_at(RefusalKind::RuleViolation, "/url", "address_allowed", &error)
        }
        WebhookError::NotActive => ApiError::refused_at(RefusalKind::Conflict, "path:webhookId", "active", &error),
        WebhookError::TypeNotNamed => ApiError::refused_at(RefusalKind::Conflict, "path:deliveryId", "types", &error),
        WebhookError::CursorExpired => ApiError::refused_at(RefusalKind::Gone, cursor, "cursor_expired", &error),
        WebhookError::CursorUnknown => ApiError::refused_at(RefusalKind::Gone, cursor, "cursor_unknown", &error),
        WebhookError::Denied(denied) => denied.into(),
        WebhookError::Store(error) => error.into(),
    }
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        webhook_error_at("/active")(error)
    }
}
