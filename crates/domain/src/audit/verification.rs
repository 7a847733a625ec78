//! The verification of one tenant's chain, record by record.

use super::{
    AuditRecord, ChainBreak, ChainFault, ChainHead, Finding, HeadFault, StoredHead, StoredState,
    recorded_state::RecordedState,
};
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Verifier},
    time::Timestamp,
};

/// A time range. Either end can be open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// The inclusive start.
    pub from: Option<Timestamp>,
    /// The exclusive end.
    pub until: Option<Timestamp>,
}

impl Period {
    /// Whether the timestamp is in the range.
    #[must_use]
    pub fn contains(&self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.until.is_none_or(|until| at < until)
    }
}

/// The stored state of one tenant at one point in time, without the records.
#[derive(Debug, Clone)]
pub struct ChainSnapshot {
    /// The stored head, if there is one.
    pub stored_head: Option<StoredHead>,
    /// Whether records exist outside the range of the head.
    pub has_records_beyond_head: bool,
    /// The stored data that the records describe.
    pub stored_state: StoredState,
}

/// The outcome of the check of a head's signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureCheck {
    /// The signature was checked against the service's key. [`Verification::findings`] reports a missing or wrong
    /// signature.
    Checked,
    /// The head has no signature, and the service has no key.
    Unsigned,
    /// The key with this fingerprint signed the head, but the service has no key to check it.
    Unchecked(KeyFingerprint),
}

/// The result of the verification of one tenant.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The tenant that owns the chain.
    pub tenant: TenantId,
    /// The last verified head.
    pub head: ChainHead,
    /// The time of the last verified record.
    pub last_record_at: Option<Timestamp>,
    /// The number of verified records in the requested period.
    pub records_in_period: u64,
    /// The position of the latest expected head that the verified part of the chain reaches; `None` if there is none.
    pub last_expected_sequence: Option<u64>,
    /// The outcome of the signature check.
    pub signature_check: SignatureCheck,
    /// All findings.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether there are no findings.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }
}

/// The verification of one chain in progress.
pub(super) struct ChainVerifier<'scope> {
    tenant: &'scope TenantId,
    period: Period,
    expected_heads: &'scope [ChainHead],
    snapshot: ChainSnapshot,
    recorded_state: RecordedState,
    head: ChainHead,
    last_record_at: Option<Timestamp>,
    records_in_period: u64,
}

impl<'scope> ChainVerifier<'scope> {
    pub(super) fn new(
        tenant: &'scope TenantId,
        period: Period,
        expected_heads: &'scope [ChainHead],
        snapshot: ChainSnapshot,
    ) -> Self {
        let (recorded_state, head) = (RecordedState::empty(), ChainHead::START);
        Self {
            tenant,
            period,
            expected_heads,
            snapshot,
            recorded_state,
            head,
            last_record_at: None,
            records_in_period: 0,
        }
    }

    /// The position after which the next records must be read; `None` at the end.
    pub(super) fn cursor(&self) -> Option<u64> {
        (self.head.sequence < self.end().sequence).then_some(self.head.sequence)
    }

    fn end(&self) -> ChainHead {
        self.snapshot.stored_head.as_ref().map_or(ChainHead::START, |stored| stored.head)
    }

    /// Verifies the next records. Records after the snapshot's head are skipped.
    pub(super) fn verify_page(&mut self, page: &[AuditRecord]) -> Result<(), ChainBreak> {
        let end = self.end().sequence;
        if !page.iter().any(|record| record.sequence <= end) {
            // The remaining records are missing, or their positions are beyond the head.
            return Err(ChainBreak { sequence: self.head.sequence + 1, fault: ChainFault::Missing });
        }
        for record in page.iter().filter(|record| record.sequence <= end) {
            let next = record.verify(self.tenant, &self.head)?;
            if self.expected_heads.iter().any(|expected| expected.sequence == next.sequence && *expected != next) {
                return Err(ChainBreak { sequence: next.sequence, fault: ChainFault::ExpectedHeadMismatch });
            }
            self.head = next;
            self.recorded_state.apply(&record.entry);
            self.records_in_period += u64::from(self.period.contains(record.entry.at));
            self.last_record_at = Some(record.entry.at);
        }
        Ok(())
    }

    /// The result for a tenant whose data cannot be read.
    pub(super) fn unreadable(tenant: &TenantId, cause: String) -> Verification {
        Verification {
            tenant: tenant.clone(),
            head: ChainHead::START,
            last_record_at: None,
            records_in_period: 0,
            last_expected_sequence: None,
            signature_check: SignatureCheck::Unsigned,
            findings: vec![Finding::Unreadable(cause)],
        }
    }

    /// The final result, after all records or at the first break.
    pub(super) fn finish(self, outcome: Result<(), ChainBreak>, verifier: Option<&dyn Verifier>) -> Verification {
        let mut findings: Vec<Finding> = outcome.err().map(Finding::Chain).into_iter().collect();
        let is_unbroken = findings.is_empty();
        let head_fault = self.head_fault(verifier);
        findings.extend(is_unbroken.then(|| self.end_break()).flatten().map(Finding::Chain));
        findings.extend(head_fault.map(Finding::Head));
        let signature_check =
            match (verifier, self.snapshot.stored_head.as_ref().and_then(|head| head.signature.as_ref())) {
                (Some(_), _) => SignatureCheck::Checked,
                (None, Some(signature)) => SignatureCheck::Unchecked(signature.key),
                (None, None) => SignatureCheck::Unsigned,
            };
        if is_unbroken {
            findings.extend(self.recorded_state.compare(&self.snapshot.stored_state));
        }
        let last_reached = self
            .expected_heads
            .iter()
            .map(|head| head.sequence)
            .filter(|sequence| *sequence <= self.head.sequence)
            .max();
        Verification {
            tenant: self.tenant.clone(),
            head: self.head,
            last_record_at: self.last_record_at,
            records_in_period: self.records_in_period,
            last_expected_sequence: last_reached,
            signature_check,
            findings,
        }
    }

    fn head_fault(&self, verifier: Option<&dyn Verifier>) -> Option<HeadFault> {
        match (&self.snapshot.stored_head, verifier) {
            (None, _) => self.snapshot.has_records_beyond_head.then_some(HeadFault::Missing),
            (Some(stored_head), Some(verifier)) => stored_head.check(self.tenant, verifier).err(),
            (Some(_), None) => None,
        }
    }

    /// The break at the end of an otherwise valid chain, if any.
    fn end_break(&self) -> Option<ChainBreak> {
        let end = self.end();
        let sequence = self.head.sequence;
        if self.head != end {
            return Some(ChainBreak { sequence, fault: ChainFault::StoredHeadMismatch });
        }
        if self.snapshot.stored_head.is_some() && self.snapshot.has_records_beyond_head {
            return Some(ChainBreak { sequence: sequence + 1, fault: ChainFault::RecordsBeyondHead });
        }
        let first_missing =
            self.expected_heads.iter().map(|head| head.sequence).filter(|expected| *expected > sequence).min();
        first_missing.map(|sequence| ChainBreak { sequence, fault: ChainFault::Missing })
    }
}
