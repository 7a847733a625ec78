//! Audit entries: the content of one audit record.

use std::fmt;

use crate::{
    access::{ApiId, Credential, Permission},
    quoting::QuotedText,
    redaction::{Activity, SwitchRecord},
    time::Timestamp,
};

/// The kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditAction {
    /// A credential was issued.
    CredentialCreated,
    /// A credential was given a new secret.
    CredentialRotated,
    /// A credential was revoked.
    CredentialRevoked,
    /// A redaction entity was switched.
    EntitySwitched,
    /// A redaction entity was switched before the audit log existed. An earlier version added the entry when the log
    /// started.
    EntitySwitchedBefore,
    /// An earlier version started or resumed the audit log in a database that had older changes. Entries for these
    /// changes follow, as they were found.
    StartedLate,
    /// A webhook was created.
    WebhookCreated,
    /// A webhook was changed.
    WebhookChanged,
    /// A webhook was removed.
    WebhookRemoved,
    /// A webhook was given a new secret.
    WebhookRotated,
    /// The events after a position are sent to a webhook again.
    WebhookReplayed,
    /// The service switched a webhook off.
    WebhookSwitchedOff,
    /// A conversation was erased.
    ConversationErased,
    /// A privacy request was made.
    PrivacyRequested,
    /// A privacy request was carried out.
    PrivacyRequestCompleted,
    /// A privacy request failed.
    PrivacyRequestFailed,
    /// The database was compacted after a privacy request was carried out.
    PrivacyRequestCompacted,
    /// A hold was placed.
    HoldPlaced,
    /// A hold was released.
    HoldReleased,
    /// The retention rules were replaced.
    RetentionChanged,
    /// The erasure of the whole tenant began.
    TenantErasureBegan,
    /// The whole tenant was erased.
    TenantErased,
    /// An action of a later version of this program. The chain covers it like any other.
    Other(Box<str>),
}

impl AuditAction {
    const BUILT_IN: [Self; 22] = [
        Self::CredentialCreated,
        Self::CredentialRotated,
        Self::CredentialRevoked,
        Self::EntitySwitched,
        Self::EntitySwitchedBefore,
        Self::StartedLate,
        Self::WebhookCreated,
        Self::WebhookChanged,
        Self::WebhookRemoved,
        Self::WebhookRotated,
        Self::WebhookReplayed,
        Self::WebhookSwitchedOff,
        Self::ConversationErased,
        Self::PrivacyRequested,
        Self::PrivacyRequestCompleted,
        Self::PrivacyRequestFailed,
        Self::PrivacyRequestCompacted,
        Self::HoldPlaced,
        Self::HoldReleased,
        Self::RetentionChanged,
        Self::TenantErasureBegan,
        Self::TenantErased,
    ];

    /// The action as it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::CredentialCreated => "credential.created",
            Self::CredentialRotated => "credential.rotated",
            Self::CredentialRevoked => "credential.revoked",
            Self::EntitySwitched => "entity.switched",
            Self::EntitySwitchedBefore => "entity.switched_before",
            Self::StartedLate => "audit.begun_late",
            Self::WebhookCreated => "webhook.created",
            Self::WebhookChanged => "webhook.changed",
            Self::WebhookRemoved => "webhook.removed",
            Self::WebhookRotated => "webhook.rotated",
            Self::WebhookReplayed => "webhook.replayed",
            Self::WebhookSwitchedOff => "webhook.switched_off",
            Self::ConversationErased => "conversation.erased",
            Self::PrivacyRequested => "privacy.requested",
            Self::PrivacyRequestCompleted => "privacy.completed",
            Self::PrivacyRequestFailed => "privacy.failed",
            Self::PrivacyRequestCompacted => "privacy.compacted",
            Self::HoldPlaced => "hold.placed",
            Self::HoldReleased => "hold.released",
            Self::RetentionChanged => "retention.changed",
            Self::TenantErasureBegan => "tenant.erasure_began",
            Self::TenantErased => "tenant.erased",
            Self::Other(word) => word,
        }
    }

    /// The action with this stored word.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        Self::BUILT_IN.into_iter().find(|action| action.as_str() == word).unwrap_or_else(|| Self::Other(word.into()))
    }
}

/// The operating-system user who runs a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// The user id.
    pub uid: u32,
    /// The user name, if the system knows it.
    pub name: Option<String>,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPERATOR_PREFIX}{}", self.uid)?;
        self.name.iter().try_for_each(|name| write!(f, " {}", QuotedText(name)))
    }
}

/// The start of the part of the details that names the operator.
const OPERATOR_PREFIX: &str = "run by uid ";

/// The separator before that part, if other details precede it.
const SEPARATOR: &str = "; ";

/// One audit entry. It contains no secret and no digest of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The time of the change, by the service's clock.
    pub at: Timestamp,
    /// The kind of change.
    pub action: AuditAction,
    /// The object of the change: the identifier of a credential or the label of an entity.
    pub subject: String,
    /// The details in words: the change, and its author if known.
    pub details: String,
}

impl AuditEntry {
    /// A credential was issued.
    #[must_use]
    pub fn credential_created(credential: &Credential) -> Self {
        let details = format!("{}, named {}", permissions(credential), QuotedText(credential.name.as_str()));
        Self::for_credential(credential.created_at, AuditAction::CredentialCreated, &credential.id, details)
    }

    /// The creation details in the format of old versions, which did not quote names.
    pub(super) fn legacy_creation_details(credential: &Credential) -> String {
        format!("{}, named {}", permissions(credential), credential.name.as_str())
    }

    /// A credential was rotated; its previous secret is accepted until `previous_valid_until`.
    #[must_use]
    pub fn credential_rotated(id: &ApiId, previous_valid_until: Timestamp, at: Timestamp) -> Self {
        let details = format!("the secret before is accepted until {previous_valid_until}");
        Self::for_credential(at, AuditAction::CredentialRotated, id, details)
    }

    /// A credential was revoked.
    #[must_use]
    pub fn credential_revoked(id: &ApiId, at: Timestamp) -> Self {
        Self::for_credential(at, AuditAction::CredentialRevoked, id, String::new())
    }

    fn for_credential(at: Timestamp, action: AuditAction, id: &ApiId, details: String) -> Self {
        Self { at, action, subject: id.as_str().to_owned(), details }
    }

    /// A redaction entity was switched.
    #[must_use]
    pub fn entity_switched(record: &SwitchRecord) -> Self {
        let SwitchRecord { switched_at: at, actor: by, entity, from, to, .. } = record;
        let details = format!("{} to {}, {by}", activity_word(*from), activity_word(*to));
        Self { at: *at, action: AuditAction::EntitySwitched, subject: entity.label().to_owned(), details }
    }

    /// The switch details in the format of old versions, which did not quote texts of the operator.
    pub(super) fn legacy_switch_details(SwitchRecord { actor: by, from, to, .. }: &SwitchRecord) -> String {
        format!("{} to {}, {}", activity_word(*from), activity_word(*to), by.unquoted())
    }

    /// The same entry with the operator who ran the command.
    #[must_use]
    pub fn with_operator(mut self, operator: &Operator) -> Self {
        let separator = if self.details.is_empty() { "" } else { SEPARATOR };
        self.details = format!("{}{separator}{operator}", self.details);
        self
    }

    /// The details without the operator.
    pub(super) fn change_details(&self) -> &str {
        let change = self.details.rsplit_once(OPERATOR_PREFIX).map_or(&*self.details, |(change, _)| change);
        change.strip_suffix(SEPARATOR).unwrap_or(change)
    }

    /// The activity after the recorded switch.
    pub(super) fn activity_after(&self) -> Option<Activity> {
        let change = self.details.split(',').next().unwrap_or_default();
        [Activity::On, Activity::Off].into_iter().find(|to| change.ends_with(&format!(" to {}", activity_word(*to))))
    }
}

/// The author of a change that a caller made, in words.
pub(super) fn by(credential: Option<&ApiId>) -> String {
    credential.map_or_else(|| "by a caller without a credential".to_owned(), |id| format!("by {id}"))
}

fn permissions(credential: &Credential) -> String {
    credential.permissions.iter().map(Permission::as_str).collect::<Vec<_>>().join(" ")
}

fn activity_word(activity: Activity) -> &'static str {
    match activity {
        Activity::On => "active",
        Activity::Off => "inactive",
    }
}

/// An entry for tests.
#[cfg(test)]
pub(super) fn sample_entry() -> AuditEntry {
    AuditEntry {
        at: Timestamp::EPOCH,
        action: AuditAction::CredentialRevoked,
        subject: "a".to_owned(),
        details: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(details: &str) -> AuditEntry {
        let action = AuditAction::CredentialRevoked;
        AuditEntry { at: Timestamp::EPOCH, action, subject: "a".to_owned(), details: details.to_owned() }
    }

    #[test]
    fn an_action_of_a_later_version_keeps_its_word() {
        assert_eq!(AuditAction::from_word("credential.revoked"), AuditAction::CredentialRevoked);
        assert_eq!(AuditAction::from_word("transcript.opened").as_str(), "transcript.opened");
    }

    #[test]
    fn the_operator_is_the_last_part_of_the_details() {
        let root = Operator { uid: 0, name: Some("ro\"ot\n".to_owned()) };
        assert_eq!(entry("").with_operator(&root).details, r#"run by uid 0 "ro\"ot\u{a}""#);
        let nameless = Operator { uid: 1000, name: None };
        assert_eq!(entry("active to inactive").with_operator(&nameless).details, "active to inactive; run by uid 1000");
    }

    #[test]
    fn the_details_of_the_change_exclude_the_operator() {
        let operator = Operator { uid: 0, name: Some("root".to_owned()) };
        for details in ["", "active to inactive, on \"a; b\""] {
            assert_eq!(entry(details).change_details(), details);
            assert_eq!(entry(details).with_operator(&operator).change_details(), details);
        }
    }

    #[test]
    fn the_activity_after_a_switch_is_read_from_its_details() {
        assert_eq!(entry("active to inactive, by x").activity_after(), Some(Activity::Off));
        assert_eq!(entry("inactive to active, on inactive to inactive").activity_after(), Some(Activity::On));
        assert_eq!(entry("").activity_after(), None);
    }
}
