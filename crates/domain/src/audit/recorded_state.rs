//! The state that the audit records describe, and its comparison with the stored state.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{AuditAction, AuditEntry, CredentialFault, Finding, SwitchFault};
use crate::{
    access::Credential,
    redaction::{Entity, EntitySet, Flags, SwitchRecord},
    time::Timestamp,
};

/// The stored data of a tenant that only recorded changes may alter.
#[derive(Debug, Clone)]
pub struct StoredState {
    /// The credentials, including revoked ones.
    pub credentials: Vec<Credential>,
    /// The redaction flags.
    pub flags: Flags,
    /// The switch log.
    pub switches: Vec<SwitchRecord>,
}

/// The same state according to the audit records. Its size depends on the number of credentials and switches only.
#[derive(Debug)]
pub(super) struct RecordedState {
    credentials: BTreeMap<String, RecordedCredential>,
    flags: Flags,
    /// Entities with a switch that was recorded when it happened. Entries for switches before the log do not override
    /// it.
    switched: EntitySet,
    switches: BTreeMap<[u8; 32], (Entity, u32)>,
    /// Whether the erasure of the tenant began, which removes the stored data step by step.
    is_erased: bool,
}

#[derive(Debug, Default)]
struct RecordedCredential {
    created: Option<(Timestamp, String)>,
    rotated: Option<String>,
    revoked: Option<Timestamp>,
}

impl RecordedState {
    pub(super) fn empty() -> Self {
        Self {
            credentials: BTreeMap::new(),
            flags: Flags::none(),
            switched: EntitySet::empty(),
            switches: BTreeMap::new(),
            is_erased: false,
        }
    }

    /// Applies the next record.
    pub(super) fn apply(&mut self, entry: &AuditEntry) {
        let change_details = entry.change_details();
        match entry.action {
            AuditAction::CredentialCreated => {
                self.credential(entry).created = Some((entry.at, change_details.to_owned()));
            }
            AuditAction::CredentialRotated => self.credential(entry).rotated = Some(change_details.to_owned()),
            AuditAction::CredentialRevoked => self.credential(entry).revoked = Some(entry.at),
            AuditAction::EntitySwitched | AuditAction::EntitySwitchedBefore => self.switch(entry, change_details),
            AuditAction::TenantErasureBegan | AuditAction::TenantErased => self.is_erased = true,
            // The dispatcher moves cursors without records, so webhooks are not compared with their records.
            AuditAction::StartedLate
            | AuditAction::WebhookCreated
            | AuditAction::WebhookChanged
            | AuditAction::WebhookRemoved
            | AuditAction::WebhookRotated
            | AuditAction::WebhookReplayed
            | AuditAction::WebhookSwitchedOff
            | AuditAction::ConversationErased
            | AuditAction::PrivacyRequested
            | AuditAction::PrivacyRequestCompleted
            | AuditAction::PrivacyRequestFailed
            | AuditAction::PrivacyRequestCompacted
            | AuditAction::HoldPlaced
            | AuditAction::HoldReleased
            | AuditAction::RetentionChanged
            | AuditAction::Other(_) => {}
        }
    }

    fn credential(&mut self, entry: &AuditEntry) -> &mut RecordedCredential {
        self.credentials.entry(entry.subject.clone()).or_default()
    }

    fn switch(&mut self, entry: &AuditEntry, details: &str) {
        let Some((entity, to)) = Entity::from_label(&entry.subject).zip(entry.activity_after()) else { return };
        if entry.action == AuditAction::EntitySwitched {
            self.switched.insert(entity);
        }
        if entry.action == AuditAction::EntitySwitched || !self.switched.contains(entity) {
            self.flags.set(entity, to);
        }
        self.switches.entry(digest(entry.at, entity, details)).or_insert((entity, 0)).1 += 1;
    }

    /// All differences between the stored state and the recorded state.
    pub(super) fn compare(mut self, stored: &StoredState) -> Vec<Finding> {
        if self.is_erased {
            return compare_erased(stored);
        }
        let mut findings = Vec::new();
        for credential in &stored.credentials {
            let recorded = self.credentials.remove(credential.id.as_str());
            let fault = recorded.map_or(Some(CredentialFault::NotRecorded), |recorded| recorded.differs(credential));
            let id = credential.id.as_str().to_owned();
            findings.extend(fault.map(|fault| Finding::Credential { id, fault }));
        }
        let missing = |id| Finding::Credential { id, fault: CredentialFault::Missing };
        findings.extend(std::mem::take(&mut self.credentials).into_keys().map(missing));
        let finding = |entity: Entity, fault| Finding::Switch { label: entity.label().to_owned(), fault };
        let changed = Entity::ALL.into_iter().filter(|entity| self.flags.get(*entity) != stored.flags.get(*entity));
        findings.extend(changed.map(|entity| finding(entity, SwitchFault::FlagMismatch)));
        for record in stored.switches.iter().filter(|record| !self.consume_match(record)) {
            findings.push(finding(record.entity, SwitchFault::NotRecorded));
        }
        let unmatched = self.switches.values().filter(|(_, times)| *times > 0);
        findings.extend(unmatched.map(|(entity, _)| finding(*entity, SwitchFault::NotInLog)));
        findings
    }

    /// Whether an unmatched record of this switch exists. That record is then marked as matched.
    fn consume_match(&mut self, record: &SwitchRecord) -> bool {
        [AuditEntry::entity_switched(record).details, AuditEntry::legacy_switch_details(record)].iter().any(|details| {
            let times =
                self.switches.get_mut(&digest(record.switched_at, record.entity, details)).map(|(_, times)| times);
            times.filter(|times| **times > 0).map(|times| *times -= 1).is_some()
        })
    }
}

/// The faults of a tenant whose erasure began: every credential that is still stored must be revoked.
fn compare_erased(stored: &StoredState) -> Vec<Finding> {
    let usable = stored.credentials.iter().filter(|credential| credential.revoked_at.is_none());
    let finding = |credential: &Credential| Finding::Credential {
        id: credential.id.as_str().to_owned(),
        fault: CredentialFault::RevocationMismatch,
    };
    usable.map(finding).collect()
}

impl RecordedCredential {
    /// The first difference between a stored credential and its records.
    fn differs(&self, credential: &Credential) -> Option<CredentialFault> {
        let Some((at, created)) = &self.created else { return Some(CredentialFault::NotRecorded) };
        let creations =
            [AuditEntry::credential_created(credential).details, AuditEntry::legacy_creation_details(credential)];
        if *at != credential.created_at || !creations.contains(created) {
            return Some(CredentialFault::CreationMismatch);
        }
        let until = credential.previous.as_ref().map(|(_, until)| *until);
        let rotated =
            until.map(|until| AuditEntry::credential_rotated(&credential.id, until, credential.created_at).details);
        if self.rotated != rotated {
            return Some(CredentialFault::RotationMismatch);
        }
        (self.revoked != credential.revoked_at).then_some(CredentialFault::RevocationMismatch)
    }
}

fn digest(at: Timestamp, entity: Entity, details: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(at.as_micros().to_be_bytes());
    // A label contains no NUL, so it ends at the separator.
    hasher.update(entity.label().as_bytes());
    hasher.update([0]);
    hasher.update(details.as_bytes());
    hasher.finalize().into()
}
