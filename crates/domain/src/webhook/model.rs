//! The model of a webhook.

use super::WebhookUrl;
use crate::{
    access::ApiId,
    event::{EventTypes, LogPosition},
    id::Id,
    limits::{WEBHOOK_DESCRIPTION_MAX_CHARACTERS, WEBHOOK_ROTATION_SECONDS},
    text::{check_text, text_type},
    time::Timestamp,
};

/// Marks identifiers of webhooks.
#[derive(Debug)]
pub enum WebhookKind {}

/// Marks identifiers of deliveries to webhooks.
#[derive(Debug)]
pub enum WebhookDeliveryKind {}

/// Identifies a webhook within its tenant. Webhooks order by creation.
pub type WebhookId = Id<WebhookKind>;

/// Identifies a delivery within its tenant. Its text is the `webhook-id` of every attempt.
pub type WebhookDeliveryId = Id<WebhookDeliveryKind>;

text_type! {
    /// What a webhook is for, in the words of the caller: at most 256 characters.
    WebhookDescription, |text| check_text(text, 0, WEBHOOK_DESCRIPTION_MAX_CHARACTERS)
}

/// A secret that is encrypted with a key outside of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// Why the service switched a webhook off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchOffReason {
    /// A delivery has failed for five days.
    Failing,
    /// The credential that created or changed the webhook last was revoked.
    CredentialRevoked,
    /// An event after the cursor was dropped, or the log has no entry at the cursor.
    CursorLost,
}

impl SwitchOffReason {
    const ALL: [Self; 3] = [Self::Failing, Self::CredentialRevoked, Self::CursorLost];

    /// The reason as a stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failing => "failing",
            Self::CredentialRevoked => "credential_revoked",
            Self::CursorLost => "cursor_lost",
        }
    }

    /// The reason with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// A webhook as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The identifier.
    pub id: WebhookId,
    /// The address that receives events.
    pub url: WebhookUrl,
    /// The types of events that it receives.
    pub types: EventTypes,
    /// What it is for; may be empty.
    pub description: WebhookDescription,
    /// Whether events are sent.
    pub active: bool,
    /// Why the service switched it off; `None` if it is active or a caller switched it off.
    pub switched_off: Option<SwitchOffReason>,
    /// The secret that signs requests.
    pub secret: SealedSecret,
    /// The secret before the last rotation, and the end of the time in which it signs as well.
    pub previous_secret: Option<(SealedSecret, Timestamp)>,
    /// The credential that created or changed the webhook last; `None` for a caller without one.
    pub credential: Option<ApiId>,
    /// The position up to which events have become deliveries.
    pub cursor: LogPosition,
    /// The time of creation.
    pub created_at: Timestamp,
    /// How often the webhook was changed. A change is stored only if nothing else was stored meanwhile.
    pub revision: i64,
}

impl Webhook {
    /// The secrets that sign a request at this time, the current one first.
    pub fn secrets_at(&self, now: Timestamp) -> impl Iterator<Item = &SealedSecret> {
        let previous = self.previous_secret.iter().filter(move |(_, until)| now < *until).map(|(secret, _)| secret);
        std::iter::once(&self.secret).chain(previous)
    }

    /// The webhook after a rotation: the current secret also signs until a day has passed.
    #[must_use]
    pub fn rotated(self, secret: SealedSecret, now: Timestamp) -> Self {
        let previous_secret = Some((self.secret, now.plus_seconds(WEBHOOK_ROTATION_SECONDS)));
        Self { secret, previous_secret, revision: self.revision + 1, ..self }
    }

    /// The webhook after the service switched it off.
    #[must_use]
    pub fn off(self, reason: SwitchOffReason) -> Self {
        Self { active: false, switched_off: Some(reason), revision: self.revision + 1, ..self }
    }

    /// The webhook after a change by this credential.
    #[must_use]
    pub fn changed(self, change: WebhookChange, credential: Option<ApiId>) -> Self {
        let active = change.active.unwrap_or(self.active);
        Self {
            url: change.url.unwrap_or(self.url),
            types: change.types.unwrap_or(self.types),
            description: change.description.unwrap_or(self.description),
            active,
            switched_off: self.switched_off.filter(|_| !active),
            credential,
            revision: self.revision + 1,
            ..self
        }
    }
}

/// A webhook to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// The address that receives events.
    pub url: WebhookUrl,
    /// The types of events; `None` for every type that the caller may read.
    pub types: Option<EventTypes>,
    /// What it is for.
    pub description: WebhookDescription,
}

/// A change of a webhook. What is `None` stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookChange {
    /// The address.
    pub url: Option<WebhookUrl>,
    /// The types of events.
    pub types: Option<EventTypes>,
    /// What it is for.
    pub description: Option<WebhookDescription>,
    /// Whether events are sent.
    pub active: Option<bool>,
}
