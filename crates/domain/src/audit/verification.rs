//! The rules by which a tenant's chain is verified, record by record.

use super::{Break, Fault, Finding, Head, HeadFault, KeptHead, Record, Stored, recorded::Recorded};
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Verifier},
    time::Timestamp,
};

/// A range of time. Either end may be open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// The first moment of it.
    pub from: Option<Timestamp>,
    /// The first moment after it.
    pub until: Option<Timestamp>,
}

impl Period {
    /// Whether a moment is in it.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.until.is_none_or(|until| at < until)
    }
}

/// What a store gives of one tenant at one moment: everything but the records.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The head that is kept beside the chain, where there is one.
    pub kept: Option<KeptHead>,
    /// Whether there are records that the head does not count.
    pub has_beyond: bool,
    /// What is stored that is on record.
    pub stored: Stored,
}

/// Whether the signature of a head was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// It is that of the service's key.
    Checked,
    /// It has none, and the service has no key.
    Unsigned,
    /// It has one of this key, and the service has no key.
    Unchecked(KeyFingerprint),
}

/// What was found of one tenant.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Whose chain it is.
    pub tenant: TenantId,
    /// The head as far as the chain holds.
    pub head: Head,
    /// When the last record was made.
    pub last_at: Option<Timestamp>,
    /// How many records are in the period that was asked for.
    pub in_period: u64,
    /// The place of the latest head that was filed, where one was and the chain holds it.
    pub anchored: Option<u64>,
    /// Whether the head's signature was checked.
    pub signed: Signed,
    /// Everything that is not as it was written.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether everything is as it was written.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }
}

/// The verification of one chain, as far as it has come.
pub(super) struct Walk<'scope> {
    tenant: &'scope TenantId,
    period: Period,
    filed: &'scope [Head],
    snapshot: Snapshot,
    recorded: Recorded,
    head: Head,
    last_at: Option<Timestamp>,
    in_period: u64,
}

impl<'scope> Walk<'scope> {
    pub(super) fn new(tenant: &'scope TenantId, period: Period, filed: &'scope [Head], snapshot: Snapshot) -> Self {
        let (recorded, head) = (Recorded::nothing(), Head::START);
        Self { tenant, period, filed, snapshot, recorded, head, last_at: None, in_period: 0 }
    }

    /// The place after which records are to be read; none where all are.
    pub(super) fn next_after(&self) -> Option<u64> {
        (self.head.sequence < self.end().sequence).then_some(self.head.sequence)
    }

    fn end(&self) -> Head {
        self.snapshot.kept.as_ref().map_or(Head::START, |kept| kept.head)
    }

    /// Takes the next records. Those that were added since the snapshot are left out.
    pub(super) fn take(&mut self, page: &[Record]) -> Result<(), Break> {
        let end = self.end().sequence;
        if !page.iter().any(|record| record.sequence <= end) {
            // Nothing is left up to the head, or its records were given places behind it.
            return Err(Break { sequence: self.head.sequence + 1, fault: Fault::Missing });
        }
        for record in page.iter().filter(|record| record.sequence <= end) {
            let next = record.follows(self.tenant, &self.head)?;
            if self.filed.iter().any(|filed| filed.sequence == next.sequence && *filed != next) {
                return Err(Break { sequence: next.sequence, fault: Fault::OtherThanFiled });
            }
            self.head = next;
            self.recorded.apply(&record.entry);
            self.in_period += u64::from(self.period.contains(record.entry.at));
            self.last_at = Some(record.entry.at);
        }
        Ok(())
    }

    /// What is found of a tenant of which something cannot be read at all.
    pub(super) fn unreadable(tenant: &TenantId, cause: String) -> Verification {
        Verification {
            tenant: tenant.clone(),
            head: Head::START,
            last_at: None,
            in_period: 0,
            anchored: None,
            signed: Signed::Unsigned,
            findings: vec![Finding::Unreadable(cause)],
        }
    }

    /// What was found, once all records were taken or one was broken.
    pub(super) fn end_with(self, outcome: Result<(), Break>, verifier: Option<&dyn Verifier>) -> Verification {
        let mut findings: Vec<Finding> = outcome.err().map(Finding::Chain).into_iter().collect();
        let whole = findings.is_empty();
        let head_fault = self.head_fault(verifier);
        findings.extend(whole.then(|| self.break_at_end()).flatten().map(Finding::Chain));
        findings.extend(head_fault.map(Finding::Head));
        let signed = match (verifier, self.snapshot.kept.as_ref().and_then(|kept| kept.signature.as_ref())) {
            (Some(_), _) => Signed::Checked,
            (None, Some(signature)) => Signed::Unchecked(signature.key),
            (None, None) => Signed::Unsigned,
        };
        if whole {
            findings.extend(self.recorded.compare(&self.snapshot.stored));
        }
        let reached = self.filed.iter().map(|filed| filed.sequence).filter(|filed| *filed <= self.head.sequence).max();
        Verification {
            tenant: self.tenant.clone(),
            head: self.head,
            last_at: self.last_at,
            in_period: self.in_period,
            anchored: reached,
            signed,
            findings,
        }
    }

    fn head_fault(&self, verifier: Option<&dyn Verifier>) -> Option<HeadFault> {
        match (&self.snapshot.kept, verifier) {
            (None, _) => self.snapshot.has_beyond.then_some(HeadFault::Missing),
            (Some(kept), Some(verifier)) => kept.check(self.tenant, verifier).err(),
            (Some(_), None) => None,
        }
    }

    /// What is wrong at the end of a chain whose records hang together.
    fn break_at_end(&self) -> Option<Break> {
        let end = self.end();
        let sequence = self.head.sequence;
        if self.head != end {
            return Some(Break { sequence, fault: Fault::OtherHead });
        }
        if self.snapshot.kept.is_some() && self.snapshot.has_beyond {
            return Some(Break { sequence: sequence + 1, fault: Fault::BeyondHead });
        }
        let cut_off = self.filed.iter().map(|filed| filed.sequence).filter(|filed| *filed > sequence).min();
        cut_off.map(|sequence| Break { sequence, fault: Fault::Missing })
    }
}
