//! What is recorded of one change.

use std::fmt;

use crate::{
    access::{ApiId, Credential, Permission},
    quoting::Quoted,
    redaction::{Activity, SwitchRecord},
    time::Timestamp,
};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A credential was issued.
    CredentialCreated,
    /// A credential was given a new secret.
    CredentialRotated,
    /// A credential was revoked.
    CredentialRevoked,
    /// A redaction entity was switched.
    EntitySwitched,
    /// A redaction entity was switched before there was an audit log: recorded when the log was begun.
    EntitySwitchedBefore,
    /// The audit log was begun, or gone on with, in a database with older changes. They follow as they were found.
    BegunLate,
    /// What a later version of this program records. It is part of the chain like any other.
    Other(Box<str>),
}

impl Action {
    const KNOWN: [Self; 6] = [
        Self::CredentialCreated,
        Self::CredentialRotated,
        Self::CredentialRevoked,
        Self::EntitySwitched,
        Self::EntitySwitchedBefore,
        Self::BegunLate,
    ];

    /// The word for it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::CredentialCreated => "credential.created",
            Self::CredentialRotated => "credential.rotated",
            Self::CredentialRevoked => "credential.revoked",
            Self::EntitySwitched => "entity.switched",
            Self::EntitySwitchedBefore => "entity.switched_before",
            Self::BegunLate => "audit.begun_late",
            Self::Other(word) => word,
        }
    }

    /// The action of this word.
    #[must_use]
    pub fn of_word(word: &str) -> Self {
        Self::KNOWN.into_iter().find(|action| action.as_str() == word).unwrap_or_else(|| Self::Other(word.into()))
    }
}

/// The user of the operating system who runs a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// The number of the user.
    pub uid: u32,
    /// The user's name, where the system says one.
    pub name: Option<String>,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{RUN_BY}{}", self.uid)?;
        self.name.iter().try_for_each(|name| write!(f, " {}", Quoted(name)))
    }
}

/// Begins the part of the details that names the operator.
const RUN_BY: &str = "run by uid ";

/// Stands before that part, where the details have others.
const SEPARATOR: &str = "; ";

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
        let details = format!("{}, named {}", permissions(credential), Quoted(credential.name.as_str()));
        Self::of_credential(credential.created_at, Action::CredentialCreated, &credential.id, details)
    }

    /// What records of versions that did not quote names say of the same.
    pub(super) fn unquoted_creation(credential: &Credential) -> String {
        format!("{}, named {}", permissions(credential), credential.name.as_str())
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

    /// What records of versions that did not quote texts of the operator say of the same switch.
    pub(super) fn unquoted_switch(SwitchRecord { by, from, to, .. }: &SwitchRecord) -> String {
        format!("{} to {}, {}", word(*from), word(*to), by.unquoted())
    }

    /// What is recorded of a tenant's changes that are older than its audit log: that they follow, then each of them as it
    /// was found. Nothing where there are none.
    #[must_use]
    pub fn found_late(credentials: &[Credential], switches: &[SwitchRecord]) -> Vec<Self> {
        let mut found = Vec::new();
        for credential in credentials {
            let Credential { id, created_at, previous, revoked_at, .. } = credential;
            found.push(Self::created(credential));
            found.extend(previous.as_ref().map(|(_, until)| Self::rotated(id, *until, *created_at)));
            found.extend(revoked_at.map(|at| Self::revoked(id, at)));
        }
        let before = |record| Self { action: Action::EntitySwitchedBefore, ..Self::switched(record) };
        found.extend(switches.iter().map(before));
        let at = found.iter().map(|entry| entry.at).max();
        let details = "changes that are older than the audit log follow, as they were found".to_owned();
        let begun = at.map(|at| Self { at, action: Action::BegunLate, subject: "audit".to_owned(), details });
        begun.into_iter().chain(found).collect()
    }

    /// The same with who ran the command that did it.
    #[must_use]
    pub fn run_by(mut self, operator: &Operator) -> Self {
        let separator = if self.details.is_empty() { "" } else { SEPARATOR };
        self.details = format!("{}{separator}{operator}", self.details);
        self
    }

    /// The details without who ran the command.
    pub(super) fn details_of_the_change(&self) -> &str {
        let change = self.details.rsplit_once(RUN_BY).map_or(&*self.details, |(change, _)| change);
        change.strip_suffix(SEPARATOR).unwrap_or(change)
    }

    /// What a record of a switch says is in force from then on.
    pub(super) fn switched_to(&self) -> Option<Activity> {
        let change = self.details.split(',').next().unwrap_or_default();
        [Activity::On, Activity::Off].into_iter().find(|to| change.ends_with(&format!(" to {}", word(*to))))
    }
}

fn permissions(credential: &Credential) -> String {
    credential.permissions.iter().map(Permission::as_str).collect::<Vec<_>>().join(" ")
}

fn word(activity: Activity) -> &'static str {
    match activity {
        Activity::On => "active",
        Activity::Off => "inactive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(details: &str) -> Entry {
        let action = Action::CredentialRevoked;
        Entry { at: Timestamp::EPOCH, action, subject: "a".to_owned(), details: details.to_owned() }
    }

    #[test]
    fn an_action_of_a_later_version_keeps_its_word() {
        assert_eq!(Action::of_word("credential.revoked"), Action::CredentialRevoked);
        assert_eq!(Action::of_word("transcript.opened").as_str(), "transcript.opened");
    }

    #[test]
    fn who_ran_the_command_is_the_last_of_the_details() {
        let root = Operator { uid: 0, name: Some("ro\"ot\n".to_owned()) };
        assert_eq!(entry("").run_by(&root).details, r#"run by uid 0 "ro\"ot\u{a}""#);
        let nameless = Operator { uid: 1000, name: None };
        assert_eq!(entry("active to inactive").run_by(&nameless).details, "active to inactive; run by uid 1000");
    }

    #[test]
    fn the_change_is_read_without_who_ran_the_command() {
        let operator = Operator { uid: 0, name: Some("root".to_owned()) };
        for details in ["", "active to inactive, on \"a; b\""] {
            assert_eq!(entry(details).details_of_the_change(), details);
            assert_eq!(entry(details).run_by(&operator).details_of_the_change(), details);
        }
    }

    #[test]
    fn a_switch_says_what_is_in_force() {
        assert_eq!(entry("active to inactive, by x").switched_to(), Some(Activity::Off));
        assert_eq!(entry("inactive to active, on inactive to inactive").switched_to(), Some(Activity::On));
        assert_eq!(entry("").switched_to(), None);
    }
}
