//! Compaction: the database is rewritten without the bytes of deleted rows, and second receipts confirm it.

use std::sync::Arc;

use super::{
    CompactionError, CompactionOutcome, DatabaseCompactor, ErasureReceipt, KnownUncoveredCopy, PrivacyRequestStore,
    ReceiptDraft, SignedReceipt,
};
use crate::{access::TenantId, audit::AuditEntry, error::StoreError, signing::Signer, time::Clock};

/// What a compaction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionReport {
    /// What happened to the database.
    pub outcome: CompactionOutcome,
    /// The number of second receipts that were issued.
    pub receipts: u64,
    /// The number of receipts that got no second one, because the key of the service did not sign them as they are.
    pub unverified: u64,
}

/// Compacts the database, and confirms it in a second receipt of each erasure that was completed before.
///
/// A run that was killed can be repeated: an erasure that has its second receipt gets no other.
#[derive(Clone)]
pub struct Compaction {
    compactor: Arc<dyn DatabaseCompactor>,
    requests: Arc<dyn PrivacyRequestStore>,
    signer: Option<Arc<dyn Signer>>,
    clock: Arc<dyn Clock>,
}

/// The newest receipts that a compaction makes incomplete.
#[derive(Default)]
struct DueReceipts {
    verified: Vec<SignedReceipt>,
    unverified: u64,
}

impl Compaction {
    /// Compacts by `compactor`, and signs the receipts of `requests` by `signer`.
    #[must_use]
    pub fn new(
        compactor: Arc<dyn DatabaseCompactor>,
        requests: Arc<dyn PrivacyRequestStore>,
        signer: Option<Arc<dyn Signer>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { compactor, requests, signer, clock }
    }

    /// Compacts the database and issues the second receipts.
    ///
    /// # Errors
    /// Those of [`DatabaseCompactor::compact`]; [`CompactionError::NoSigner`], before anything is rewritten;
    /// [`CompactionError::Store`].
    pub async fn run(&self) -> Result<CompactionReport, CompactionError> {
        // Read before the compaction: a later erasure may delete rows of a table that is rewritten already.
        let due = self.due_receipts().await?;
        let outcome = self.compactor.compact().await?;
        let mut receipts = 0;
        if let (CompactionOutcome::Rewritten { .. }, Some(signer)) = (&outcome, &self.signer) {
            for receipt in &due.verified {
                receipts += u64::from(self.confirm(receipt, signer).await?);
            }
        }
        Ok(CompactionReport { outcome, receipts, unverified: due.unverified })
    }

    async fn due_receipts(&self) -> Result<DueReceipts, CompactionError> {
        let (mut due, mut after) = (DueReceipts::default(), None);
        loop {
            let page = self.requests.newest_receipts(after).await?;
            let Some(last) = page.last() else { return Ok(due) };
            after = Some(position(&last.receipt));
            for receipt in page {
                if !names_postgresql_bytes(&receipt.receipt) {
                    continue;
                }
                let signer = self.signer.as_ref().ok_or(CompactionError::NoSigner)?;
                // A receipt that was changed in the database must not be signed again.
                match receipt.verify(&**signer) {
                    Ok(()) => due.verified.push(receipt),
                    Err(_) => due.unverified = due.unverified.saturating_add(1),
                }
            }
        }
    }

    /// Issues the second receipt after this one, unless that is done already.
    async fn confirm(&self, receipt: &SignedReceipt, signer: &Arc<dyn Signer>) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let draft = ReceiptDraft::after_compaction(&receipt.receipt, now);
        let entry = AuditEntry::privacy_request_compacted(&receipt.receipt.request, now);
        self.requests.supersede_receipt(receipt, entry, draft, Arc::clone(signer)).await
    }
}

/// The position of a receipt among those of all tenants.
fn position(receipt: &ErasureReceipt) -> (TenantId, u64) {
    (receipt.tenant.clone(), receipt.audit.sequence)
}

fn names_postgresql_bytes(receipt: &ErasureReceipt) -> bool {
    receipt.not_covered.iter().any(|copy| KnownUncoveredCopy::PostgresqlBytes.is_named_by(copy))
}
