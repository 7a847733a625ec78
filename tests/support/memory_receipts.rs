//! Receipts in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    retry::{KeyDigest, Operation, Receipt, ReceiptStore},
    time::Timestamp,
};

use crate::memory::Memory;

/// The receipts of one tenant.
#[derive(Default)]
pub(crate) struct Receipts(BTreeMap<(Operation, KeyDigest), Receipt>);

impl Receipts {
    /// Whether nothing stands in the way of this receipt.
    pub(crate) fn is_free(&self, receipt: Option<&Receipt>) -> bool {
        let Some(receipt) = receipt else { return true };
        let known = self.0.get(&(receipt.operation, receipt.key));
        known.is_none_or(|known| known.at <= Receipt::forgotten_by(receipt.at))
    }

    pub(crate) fn keep(&mut self, receipt: Option<&Receipt>) {
        self.0.extend(receipt.map(|receipt| ((receipt.operation, receipt.key), receipt.clone())));
    }
}

#[async_trait]
impl ReceiptStore for Memory {
    async fn find(
        &self,
        tenant: &TenantId,
        operation: Operation,
        key: &KeyDigest,
    ) -> Result<Option<Receipt>, StoreError> {
        Ok(self.of(tenant, |own| own.receipts.0.get(&(operation, *key)).cloned()))
    }

    async fn forget(&self, up_to: Timestamp) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        for own in self.tenants().values_mut() {
            let before = own.receipts.0.len();
            own.receipts.0.retain(|_, receipt| receipt.at > up_to);
            forgotten += before - own.receipts.0.len();
        }
        Ok(forgotten as u64)
    }
}
