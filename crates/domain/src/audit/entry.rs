//! What is recorded of one change.

use crate::{
    access::{ApiId, Credential, Permission},
    redaction::{Activity, SwitchRecord},
    time::Timestamp,
};

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A credential was issued.
    CredentialCreated,
    /// A credential was given a new secret.
    CredentialRotated,
    /// A credential was revoked.
    CredentialRevoked,
    /// A redaction entity was switched.
    EntitySwitched,
}

/// A word that names no action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("names no action")]
pub struct UnknownAction;

impl Action {
    const ALL: [Self; 4] =
        [Self::CredentialCreated, Self::CredentialRotated, Self::CredentialRevoked, Self::EntitySwitched];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CredentialCreated => "credential.created",
            Self::CredentialRotated => "credential.rotated",
            Self::CredentialRevoked => "credential.revoked",
            Self::EntitySwitched => "entity.switched",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    /// [`UnknownAction`] for any other.
    pub fn parse(word: &str) -> Result<Self, UnknownAction> {
        Self::ALL.into_iter().find(|action| action.as_str() == word).ok_or(UnknownAction)
    }
}

/// What is recorded of one change. It holds no secret and no digest of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it was done, by the service's clock.
    pub at: Timestamp,
    /// What was done.
    pub action: Action,
    /// What it was done to: the identifier of a credential, or the label of an entity.
    pub subject: String,
    /// How, and by whom where that is known, in words.
    pub details: String,
}

impl Entry {
    /// A credential was issued.
    #[must_use]
    pub fn created(credential: &Credential) -> Self {
        let words: Vec<_> = credential.permissions.iter().map(Permission::as_str).collect();
        let details = format!("{}, named {}", words.join(" "), credential.name.as_str());
        Self::of_credential(credential.created_at, Action::CredentialCreated, &credential.id, details)
    }

    /// A credential was given a new secret; the one before is accepted until then.
    #[must_use]
    pub fn rotated(id: &ApiId, keep_until: Timestamp, at: Timestamp) -> Self {
        let details = format!("the secret before is accepted until {keep_until}");
        Self::of_credential(at, Action::CredentialRotated, id, details)
    }

    /// A credential was revoked.
    #[must_use]
    pub fn revoked(id: &ApiId, at: Timestamp) -> Self {
        Self::of_credential(at, Action::CredentialRevoked, id, String::new())
    }

    fn of_credential(at: Timestamp, action: Action, id: &ApiId, details: String) -> Self {
        Self { at, action, subject: id.as_str().to_owned(), details }
    }

    /// A redaction entity was switched.
    #[must_use]
    pub fn switched(record: &SwitchRecord) -> Self {
        let SwitchRecord { at, by, entity, from, to, .. } = record;
        let details = format!("{} to {}, {by}", word(*from), word(*to));
        Self { at: *at, action: Action::EntitySwitched, subject: entity.label().to_owned(), details }
    }
}

fn word(activity: Activity) -> &'static str {
    match activity {
        Activity::On => "active",
        Activity::Off => "inactive",
    }
}
