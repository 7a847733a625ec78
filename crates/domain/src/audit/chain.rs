//! How records hang together: each holds the SHA-256 digest (FIPS 180-4) of itself and of the one before.

use sha2::{Digest, Sha256};

use super::{Break, Entry, Fault, Head};
use crate::{access::TenantId, time::Timestamp};

/// An entry in its place in a tenant's chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its place, counted from one without gaps.
    pub sequence: u64,
    /// What is recorded.
    pub entry: Entry,
    /// The digest of the record before; zeros before the first.
    pub previous: [u8; 32],
    /// The digest of this record with `previous`.
    pub hash: [u8; 32],
}

impl Record {
    /// The record of this entry that follows there.
    #[must_use]
    pub fn after(before: &Head, tenant: &TenantId, entry: Entry) -> Self {
        let sequence = before.sequence + 1;
        let hash = digest(tenant, sequence, &entry, &before.hash);
        Self { sequence, entry, previous: before.hash, hash }
    }

    /// The head of the chain that ends with this record.
    #[must_use]
    pub fn head(&self) -> Head {
        Head { sequence: self.sequence, hash: self.hash }
    }

    /// Whether this is the record that follows there, as it was written.
    ///
    /// # Errors
    /// The [`Break`] that it shows.
    pub fn follows(&self, tenant: &TenantId, before: &Head) -> Result<Head, Break> {
        let fault = if self.sequence != before.sequence + 1 {
            Some(Fault::Missing)
        } else if self.previous != before.hash {
            Some(Fault::Unlinked)
        } else if self.hash != digest(tenant, self.sequence, &self.entry, &self.previous) {
            Some(Fault::Altered)
        } else {
            None
        };
        let sequence = before.sequence + 1;
        fault.map_or(Ok(self.head()), |fault| Err(Break { sequence, fault }))
    }
}

/// Each part is preceded by its length, so that no two records can be written by the same bytes.
fn digest(tenant: &TenantId, sequence: u64, entry: &Entry, previous: &[u8; 32]) -> [u8; 32] {
    let Entry { at, action, subject, details } = entry;
    let moment = Timestamp::as_micros(*at).to_be_bytes();
    let sequence = sequence.to_be_bytes();
    let parts: [&[u8]; 7] = [
        previous,
        tenant.as_str().as_bytes(),
        &sequence,
        &moment,
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
    use crate::audit::Action;

    fn tenant() -> TenantId {
        TenantId::parse("acme").unwrap()
    }

    fn entry(subject: &str, details: &str) -> Entry {
        let action = Action::CredentialRevoked;
        Entry { at: Timestamp::EPOCH, action, subject: subject.to_owned(), details: details.to_owned() }
    }

    #[test]
    fn a_record_follows_the_one_before_it() {
        let first = Record::after(&Head::START, &tenant(), entry("a", "b"));
        let second = Record::after(&first.head(), &tenant(), entry("c", "d"));
        assert_eq!(second.follows(&tenant(), &first.head()), Ok(second.head()));
        assert_eq!((second.sequence, second.previous), (2, first.hash));
    }

    #[test]
    fn whatever_is_altered_is_seen() {
        let record = Record::after(&Head::START, &tenant(), entry("a", "b"));
        let altered = |change: fn(&mut Record)| {
            let mut record = record.clone();
            change(&mut record);
            record.follows(&tenant(), &Head::START).unwrap_err().fault
        };
        assert_eq!(altered(|record| record.entry.details.push('c')), Fault::Altered);
        assert_eq!(altered(|record| record.entry.at = record.entry.at.plus_seconds(1)), Fault::Altered);
        assert_eq!(altered(|record| record.entry.action = Action::CredentialCreated), Fault::Altered);
        assert_eq!(altered(|record| record.hash = [1; 32]), Fault::Altered);
        assert_eq!(altered(|record| record.previous = [1; 32]), Fault::Unlinked);
        assert_eq!(altered(|record| record.sequence = 2), Fault::Missing);
    }

    #[test]
    fn what_stands_in_one_part_cannot_be_moved_to_the_next() {
        let hash = |subject, details| Record::after(&Head::START, &tenant(), entry(subject, details)).hash;
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }

    #[test]
    fn a_record_of_one_tenant_is_none_of_anothers() {
        let record = Record::after(&Head::START, &tenant(), entry("a", "b"));
        let other = TenantId::parse("globex").unwrap();
        assert_eq!(record.follows(&other, &Head::START).unwrap_err().fault, Fault::Altered);
    }
}
