//! How records hang together: each holds the SHA-256 digest (FIPS 180-4) of itself and of the one before.

use std::fmt;

use sha2::{Digest, Sha256};

use super::Entry;
use crate::{access::TenantId, time::Timestamp};

/// The hash before the first record.
const GENESIS: [u8; 32] = [0; 32];

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

/// The end of a chain: how many records there are, and the hash of the last. Written down elsewhere, it shows later
/// that nothing before it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The place of the last record; zero where there is none.
    pub sequence: u64,
    /// Its hash.
    pub hash: [u8; 32],
}

/// A text that is no head of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the head of a chain: a number, a colon, and 64 hexadecimal digits")]
pub struct InvalidHead;

impl Head {
    /// Before the first record.
    pub const START: Self = Self { sequence: 0, hash: GENESIS };

    /// The record of this entry that follows here.
    #[must_use]
    pub fn next(&self, tenant: &TenantId, entry: Entry) -> Record {
        let sequence = self.sequence + 1;
        let hash = digest(tenant, sequence, &entry, &self.hash);
        Record { sequence, entry, previous: self.hash, hash }
    }

    /// Reads a head as it is shown.
    ///
    /// # Errors
    /// [`InvalidHead`] where the text is not of that form.
    pub fn parse(text: &str) -> Result<Self, InvalidHead> {
        let (sequence, hash) = text.split_once(':').ok_or(InvalidHead)?;
        let sequence = sequence.parse().map_err(|_| InvalidHead)?;
        let digits = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let high = hash.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok()).filter(|_| digits);
        let low = hash.get(32..).and_then(|half| u128::from_str_radix(half, 16).ok());
        let (high, low) = high.zip(low).ok_or(InvalidHead)?;
        let mut hash = [0; 32];
        let (first, second) = hash.split_at_mut(16);
        first.copy_from_slice(&high.to_be_bytes());
        second.copy_from_slice(&low.to_be_bytes());
        Ok(Self { sequence, hash })
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.sequence)?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What is wrong with a chain, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// The place of the first record that is not as it was.
    pub sequence: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no record with this place.
    #[error("the record is missing")]
    Missing,
    /// It does not hold the hash of the record before.
    #[error("the record does not follow the one before it")]
    Unlinked,
    /// Its hash is not that of what it holds.
    #[error("the record was altered")]
    Altered,
    /// The chain ends here, and not as its head says.
    #[error("the chain does not end as its head says")]
    OtherHead,
    /// The record is not the one that was filed.
    #[error("the record is not the one that was filed")]
    OtherThanFiled,
}

impl Record {
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
        fault.map_or(Ok(Head { sequence: self.sequence, hash: self.hash }), |fault| Err(Break { sequence, fault }))
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

    fn head_of(record: &Record) -> Head {
        Head { sequence: record.sequence, hash: record.hash }
    }

    #[test]
    fn a_record_follows_the_one_before_it() {
        let first = Head::START.next(&tenant(), entry("a", "b"));
        let second = head_of(&first).next(&tenant(), entry("c", "d"));
        assert_eq!(second.follows(&tenant(), &head_of(&first)), Ok(head_of(&second)));
        assert_eq!((second.sequence, second.previous), (2, first.hash));
    }

    #[test]
    fn whatever_is_altered_is_seen() {
        let record = Head::START.next(&tenant(), entry("a", "b"));
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
        let hash = |subject, details| Head::START.next(&tenant(), entry(subject, details)).hash;
        assert_ne!(hash("ab", "c"), hash("a", "bc"));
    }

    #[test]
    fn a_record_of_one_tenant_is_none_of_anothers() {
        let record = Head::START.next(&tenant(), entry("a", "b"));
        let other = TenantId::parse("globex").unwrap();
        assert_eq!(record.follows(&other, &Head::START).unwrap_err().fault, Fault::Altered);
    }

    #[test]
    fn a_head_is_read_as_it_is_shown() {
        let head = head_of(&Head::START.next(&tenant(), entry("a", "b")));
        assert_eq!(Head::parse(&head.to_string()), Ok(head));
        for text in ["", "1", "1:", "x:00", "1:zz", &format!("1:{}", "+".repeat(64)), &format!("-1:{}", "0".repeat(64))]
        {
            assert_eq!(Head::parse(text), Err(InvalidHead), "{text}");
        }
    }
}
