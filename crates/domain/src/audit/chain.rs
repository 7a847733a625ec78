//! The hash chain of audit records: each record holds the SHA-256 digest (FIPS 180-4) of itself and of its predecessor.

use sha2::{Digest, Sha256};

use super::{AuditEntry, ChainBreak, ChainFault, ChainHead};
use crate::{access::TenantId, time::Timestamp};

/// An audit entry with its position in a tenant's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// The position in the chain, counted from one without gaps.
    pub sequence: u64,
    /// The recorded change.
    pub entry: AuditEntry,
    /// The digest of the preceding record; zeros for the first record.
    pub previous: [u8; 32],
    /// The digest of this record, which covers `previous`.
    pub hash: [u8; 32],
}

impl AuditRecord {
    /// The record that appends this entry after the head `before`.
    #[must_use]
    pub fn next_in_chain(before: &ChainHead, tenant: &TenantId, entry: AuditEntry) -> Self {
        let sequence = before.sequence + 1;
        let hash = digest(tenant, sequence, &entry, &before.hash);
        Self { sequence, entry, previous: before.hash, hash }
    }

    /// The head of a chain that ends with this record.
    #[must_use]
    pub fn head(&self) -> ChainHead {
        ChainHead { sequence: self.sequence, hash: self.hash }
    }

    /// Verifies that this record is unaltered and follows the head `before`.
    ///
    /// # Errors
    /// The [`ChainBreak`] at this position.
    pub fn verify(&self, tenant: &TenantId, before: &ChainHead) -> Result<ChainHead, ChainBreak> {
        let fault = if self.sequence != before.sequence + 1 {
            Some(ChainFault::Missing)
        } else if self.previous != before.hash {
            Some(ChainFault::Unlinked)
        } else if self.hash != digest(tenant, self.sequence, &self.entry, &self.previous) {
            Some(ChainFault::Altered)
        } else {
            None
        };
        let sequence = before.sequence + 1;
        fault.map_or(Ok(self.head()), |fault| Err(ChainBreak { sequence, fault }))
    }
}

/// The length precedes each part, so two different records never have the same input.
fn digest(tenant: &TenantId, sequence: u64, entry: &AuditEntry, previous: &[u8; 32]) -> [u8; 32] {
    let AuditEntry { at, action, subject, details } = entry;
    let timestamp = Timestamp::as_micros(*at).to_be_bytes();
    let sequence = sequence.to_be_bytes();
    let parts: [&[u8]; 7] = [
        previous,
        tenant.as_str().as_bytes(),
        &sequence,
        &timestamp,
        action.as_str().as_bytes(),
        subject.as_bytes(),
        details.as_bytes(),
    ];
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::AuditAction;

    fn tenant() -> TenantId {
        TenantId::parse("acme").unwrap()
    }

    fn entry(subject: &str, details: &str) -> AuditEntry {
        let action = AuditAction::CredentialRevoked;
        AuditEntry { at: Timestamp::EPOCH, action, subject: subject.to_owned(), details: details.to_owned() }
    }

    #[test]
    fn a_record_follows_the_one_before_it() {
        let first = AuditRecord::next_in_chain(&ChainHead::START, &tenant(), entry("a", "b"));
        let second = AuditRecord::next_in_chain(&first.head(), &tenant(), entry("c", "d"));
        assert_eq!(second.verify(&tenant(), &first.head()), Ok(second.head()));
        assert_eq!((second.sequence, second.previous), (2, first.hash));
    }

    #[test]
    fn every_altered_field_is_detected() {
        let record = AuditRecord::next_in_chain(&ChainHead::START, &tenant(), entry("a", "b"));
        let altered = |change: fn(&mut AuditRecord)| {
            let mut record = record.clone();
            change(&mut record);
            record.verify(&tenant(), &ChainHead::START).unwrap_err().fault
        };
        assert_eq!(altered(|record| record.entry.details.push('c')), ChainFault::Altered);
        assert_eq!(altered(|record| record.entry.at = record.entry.at.plus_seconds(1)), ChainFault::Altered);
        assert_eq!(altered(|record| record.entry.action = AuditAction::CredentialCreated), ChainFault::Altered);
        assert_eq!(altered(|record| record.hash = [1; 32]), ChainFault::Altered);
        assert_eq!(altered(|record| record.previous = [1; 32]), ChainFault::Unlinked);
        assert_eq!(altered(|record| record.sequence = 2), ChainFault::Missing);
    }

    #[test]
    fn text_cannot_move_from_one_field_to_the_next_unnoticed() {
        let hash =
            |subject, details| AuditRecord::next_in_chain(&ChainHead::START, &tenant(), entry(subject, details)).hash;
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }

    #[test]
    fn a_record_of_one_tenant_is_invalid_in_the_chain_of_another() {
        let record = AuditRecord::next_in_chain(&ChainHead::START, &tenant(), entry("a", "b"));
        let other = TenantId::parse("globex").unwrap();
        assert_eq!(record.verify(&other, &ChainHead::START).unwrap_err().fault, ChainFault::Altered);
    }
}
