//! The receipts of erasures in memory, and the compaction, which memory does not need.

use async_trait::async_trait;
use parlance_domain::{
    privacy::{
        AuditPosition, CompactionError, CompactionOutcome, DatabaseCompactor, PrivacyRequestId, ReceiptDraft,
        ReceiptIssue, SignedReceipt,
    },
    signing::Signer,
};

use crate::memory::MemoryStore;

/// The receipts of a tenant, in the order of their chain.
#[derive(Default)]
pub(crate) struct MemoryReceipts(Vec<SignedReceipt>);

impl MemoryReceipts {
    pub(crate) fn issue(&mut self, position: AuditPosition, (draft, signer): (ReceiptDraft, &dyn Signer)) {
        let previous = self.0.last().map(SignedReceipt::digest);
        self.0.push(draft.sign(position, previous, signer));
    }

    fn of<'receipts>(
        &'receipts self,
        id: &'receipts PrivacyRequestId,
    ) -> impl Iterator<Item = &'receipts SignedReceipt> {
        self.0.iter().filter(move |receipt| receipt.receipt.request == *id)
    }

    pub(crate) fn find(&self, id: &PrivacyRequestId, issue: Option<ReceiptIssue>) -> Option<String> {
        let found = match issue {
            Some(issue) => self.of(id).nth(usize::from(issue.get()) - 1),
            None => self.of(id).last(),
        };
        found.map(SignedReceipt::to_file)
    }

    /// The newest receipt of each request.
    pub(crate) fn newest(&self) -> Vec<SignedReceipt> {
        let is_newest = |receipt: &&SignedReceipt| self.of(&receipt.receipt.request).last() == Some(*receipt);
        self.0.iter().filter(is_newest).cloned().collect()
    }
}

#[async_trait]
impl DatabaseCompactor for MemoryStore {
    async fn compact(&self) -> Result<CompactionOutcome, CompactionError> {
        Ok(CompactionOutcome::NotNeeded)
    }
}
