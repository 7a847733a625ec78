//! What the records of a chain say that there is, and whether it is what is stored.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Action, CredentialFault, Entry, Finding, SwitchFault};
use crate::{
    access::Credential,
    redaction::{Entity, EntitySet, Flags, SwitchRecord},
    time::Timestamp,
};

/// What a tenant has stored that changes by recorded changes only.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its credentials, revoked ones included.
    pub credentials: Vec<Credential>,
    /// What it says of entities.
    pub flags: Flags,
    /// Every switch in the table of switches.
    pub switches: Vec<SwitchRecord>,
}

/// The same by what is on record. It grows with credentials and switches, and not with other records.
#[derive(Debug)]
pub(super) struct Recorded {
    credentials: BTreeMap<String, RecordedCredential>,
    flags: Flags,
    /// Entities that were switched since there is an audit log, whatever was switched before.
    switched: EntitySet,
    switches: BTreeMap<[u8; 32], (Entity, u32)>,
}

#[derive(Debug, Default)]
struct RecordedCredential {
    created: Option<(Timestamp, String)>,
    rotated: Option<String>,
    revoked: Option<Timestamp>,
}

impl Recorded {
    pub(super) fn nothing() -> Self {
        Self {
            credentials: BTreeMap::new(),
            flags: Flags::none(),
            switched: EntitySet::empty(),
            switches: BTreeMap::new(),
        }
    }

    /// Takes the next record into account.
    pub(super) fn apply(&mut self, entry: &Entry) {
        let change = entry.details_of_the_change();
        match entry.action {
            Action::CredentialCreated => self.credential(entry).created = Some((entry.at, change.to_owned())),
            Action::CredentialRotated => self.credential(entry).rotated = Some(change.to_owned()),
            Action::CredentialRevoked => self.credential(entry).revoked = Some(entry.at),
            Action::EntitySwitched | Action::EntitySwitchedBefore => self.switch(entry, change),
            Action::BegunLate | Action::Other(_) => {}
        }
    }

    fn credential(&mut self, entry: &Entry) -> &mut RecordedCredential {
        self.credentials.entry(entry.subject.clone()).or_default()
    }

    fn switch(&mut self, entry: &Entry, change: &str) {
        let Some((entity, to)) = Entity::from_label(&entry.subject).zip(entry.switched_to()) else { return };
        if entry.action == Action::EntitySwitched {
            self.switched.insert(entity);
        }
        if entry.action == Action::EntitySwitched || !self.switched.contains(entity) {
            self.flags.set(entity, to);
        }
        self.switches.entry(digest(entry.at, entity, change)).or_insert((entity, 0)).1 += 1;
    }

    /// Everything that is stored and not on record so, or on record and not stored.
    pub(super) fn compare(mut self, stored: &Stored) -> Vec<Finding> {
        let mut findings = Vec::new();
        for credential in &stored.credentials {
            let recorded = self.credentials.remove(credential.id.as_str());
            let fault = recorded.map_or(Some(CredentialFault::NotOnRecord), |recorded| recorded.differs(credential));
            let id = credential.id.as_str().to_owned();
            findings.extend(fault.map(|fault| Finding::Credential { id, fault }));
        }
        let missing = |id| Finding::Credential { id, fault: CredentialFault::Missing };
        findings.extend(std::mem::take(&mut self.credentials).into_keys().map(missing));
        let finding = |entity: Entity, fault| Finding::Switch { label: entity.label().to_owned(), fault };
        let changed = Entity::ALL.into_iter().filter(|entity| self.flags.get(*entity) != stored.flags.get(*entity));
        findings.extend(changed.map(|entity| finding(entity, SwitchFault::OtherThanRecorded)));
        for record in stored.switches.iter().filter(|record| !self.takes(record)) {
            findings.push(finding(record.entity, SwitchFault::NotOnRecord));
        }
        let left = self.switches.values().filter(|(_, times)| *times > 0);
        findings.extend(left.map(|(entity, _)| finding(*entity, SwitchFault::NotInLog)));
        findings
    }

    /// Whether a switch is on record and was not taken before.
    fn takes(&mut self, record: &SwitchRecord) -> bool {
        [Entry::switched(record).details, Entry::unquoted_switch(record)].iter().any(|details| {
            let times = self.switches.get_mut(&digest(record.at, record.entity, details)).map(|(_, times)| times);
            times.filter(|times| **times > 0).map(|times| *times -= 1).is_some()
        })
    }
}

impl RecordedCredential {
    /// The first thing in which a stored credential is not as it is on record.
    fn differs(&self, credential: &Credential) -> Option<CredentialFault> {
        let Some((at, created)) = &self.created else { return Some(CredentialFault::NotOnRecord) };
        let issued = [Entry::created(credential).details, Entry::unquoted_creation(credential)];
        if *at != credential.created_at || !issued.contains(created) {
            return Some(CredentialFault::IssuedOtherwise);
        }
        let until = credential.previous.as_ref().map(|(_, until)| *until);
        let rotated = until.map(|until| Entry::rotated(&credential.id, until, credential.created_at).details);
        if self.rotated != rotated {
            return Some(CredentialFault::RotatedOtherwise);
        }
        (self.revoked != credential.revoked_at).then_some(CredentialFault::RevokedOtherwise)
    }
}

fn digest(at: Timestamp, entity: Entity, details: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(at.as_micros().to_be_bytes());
    // No label holds a NUL.
    hasher.update(entity.label().as_bytes());
    hasher.update([0]);
    hasher.update(details.as_bytes());
    hasher.finalize().into()
}
