//! The audit entries of webhooks. They name no address beyond its host: a path may be a secret.

use super::{AuditAction, AuditEntry, entry::by};
use crate::{
    access::ApiId,
    event::{EventType, LogPosition},
    time::Timestamp,
    webhook::{SwitchOffReason, Webhook, WebhookId},
};

impl AuditEntry {
    /// A webhook was created.
    #[must_use]
    pub fn webhook_created(webhook: &Webhook, at: Timestamp) -> Self {
        Self::for_webhook(at, AuditAction::WebhookCreated, &webhook.id, describe(webhook))
    }

    /// A webhook was changed. The details are those after the change.
    #[must_use]
    pub fn webhook_changed(webhook: &Webhook, at: Timestamp) -> Self {
        let activity = if webhook.active { "active" } else { "inactive" };
        let details = format!("{activity}, {}", describe(webhook));
        Self::for_webhook(at, AuditAction::WebhookChanged, &webhook.id, details)
    }

    /// A webhook was removed.
    #[must_use]
    pub fn webhook_removed(id: &WebhookId, credential: Option<&ApiId>, at: Timestamp) -> Self {
        Self::for_webhook(at, AuditAction::WebhookRemoved, id, by(credential))
    }

    /// A webhook was given a new secret.
    #[must_use]
    pub fn webhook_rotated(webhook: &Webhook, credential: Option<&ApiId>, at: Timestamp) -> Self {
        let until =
            webhook.previous_secret.as_ref().map(|(_, until)| format!("the secret before signs until {until}, "));
        let details = format!("{}{}", until.unwrap_or_default(), by(credential));
        Self::for_webhook(at, AuditAction::WebhookRotated, &webhook.id, details)
    }

    /// The events after a position are sent again.
    #[must_use]
    pub fn webhook_replayed(id: &WebhookId, after: LogPosition, credential: Option<&ApiId>, at: Timestamp) -> Self {
        Self::for_webhook(at, AuditAction::WebhookReplayed, id, format!("after {after}, {}", by(credential)))
    }

    /// The service switched a webhook off.
    #[must_use]
    pub fn webhook_switched_off(id: &WebhookId, reason: SwitchOffReason, at: Timestamp) -> Self {
        Self::for_webhook(at, AuditAction::WebhookSwitchedOff, id, reason.as_str().to_owned())
    }

    fn for_webhook(at: Timestamp, action: AuditAction, id: &WebhookId, details: String) -> Self {
        Self { at, action, subject: id.as_str().to_owned(), details }
    }
}

fn describe(webhook: &Webhook) -> String {
    let types = webhook.types.iter().map(EventType::as_str).collect::<Vec<_>>().join(" ");
    format!("to {}, types {types}, {}", webhook.url.host(), by(webhook.credential.as_ref()))
}
