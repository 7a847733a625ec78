//! The use cases of the ledger of erasures.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    DeletedByteStore, ErasedPart, Erasure, ErasureLedger, LedgerEntry, LedgerError, LedgerObjectId, LedgerStore,
    TenantRemoval,
};
use crate::{
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    id::IdSource,
    time::Clock,
};

/// Maximum entries of an object. One transaction removes as many from the queue.
pub const LEDGER_OBJECT_ENTRIES: u16 = 200;

/// How an application of the ledger ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerReport {
    /// The erasures that the database lacked.
    pub applied: u64,
    /// Whether the files of the database can still hold bytes of what was erased. The next application removes them.
    pub has_bytes_left: bool,
    /// The objects that the database had recorded and the ledger lacks. All erasures of the database are queued again, if
    /// there is one.
    pub missing_objects: usize,
}

/// Keeps the ledger and the database in step: writes the erasures of the database to the ledger, and applies those of
/// the ledger that the database lacks.
#[derive(Clone)]
pub struct Ledger {
    objects: Arc<dyn ErasureLedger>,
    store: Arc<dyn LedgerStore>,
    deleted_bytes: Arc<dyn DeletedByteStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
    tenants: Option<TenantRemoval>,
}

impl Ledger {
    /// Writes to `ledger` what `store` has queued, and applies to `store`, whose files `deleted_bytes` has, what `ledger` holds.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn ErasureLedger>,
        (store, deleted_bytes): (Arc<dyn LedgerStore>, Arc<dyn DeletedByteStore>),
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { objects: ledger, store, deleted_bytes, ids, clock, tenants: None }
    }

    /// Applies erasures of whole tenants by this removal. Without it, such an entry cannot be applied.
    #[must_use]
    pub fn with_tenants(self, removal: TenantRemoval) -> Self {
        Self { tenants: Some(removal), ..self }
    }

    /// Writes all queued entries to the ledger, and returns their number. An entry stays queued until it is written. If
    /// several callers write at the same time, an entry may be written more than once.
    ///
    /// # Errors
    /// [`LedgerError::Ledger`] or [`LedgerError::Database`]. The entries that are not written stay queued.
    pub async fn write_queued(&self) -> Result<u64, LedgerError> {
        let mut written = 0;
        loop {
            let entries = self.store.queued(LEDGER_OBJECT_ENTRIES).await?;
            if entries.is_empty() {
                return Ok(written);
            }
            let object = LedgerObjectId::from_bits(self.ids.next(self.clock.now()));
            self.objects.write(&object, &entries).await.map_err(LedgerError::Ledger)?;
            self.store.record_object(&object, &entries).await?;
            written += entries.len() as u64;
        }
    }

    /// Applies every object of the ledger that the database has not recorded. If the ledger lacks an object that the database
    /// has recorded, or is another ledger than before, all erasures of the database are queued for it again. After a failure,
    /// a repeat applies the same objects again, which finds little left to erase.
    ///
    /// # Errors
    /// [`LedgerError`]. The entries that were applied before stay applied.
    pub async fn apply(&self) -> Result<LedgerReport, LedgerError> {
        let objects = self.objects.objects().await.map_err(LedgerError::Ledger)?;
        let recorded = self.store.recorded_objects().await?;
        let unrecorded: Vec<_> = objects.difference(&recorded).collect();
        let (applied, has_bytes_left) = self.apply_objects(&unrecorded).await?;
        let missing: BTreeSet<_> = recorded.difference(&objects).cloned().collect();
        if !missing.is_empty() {
            self.store.requeue(&missing).await?;
        }
        Ok(LedgerReport { applied, has_bytes_left, missing_objects: missing.len() })
    }

    /// Applies these objects. Returns the number of erasures that the database lacked, and whether bytes of them are left. An
    /// object is recorded after the bytes are removed: a process that is killed before removes them at its next start.
    async fn apply_objects(&self, objects: &[&LedgerObjectId]) -> Result<(u64, bool), LedgerError> {
        if objects.is_empty() {
            return Ok((0, false));
        }
        let mut applied = 0;
        for object in objects {
            for entry in self.objects.read(object).await? {
                applied += u64::from(self.apply_entry(entry).await?);
            }
        }
        // What was erased is not given out, whether or not its bytes can be removed now.
        let is_clean = self.deleted_bytes.remove_deleted_bytes().await.unwrap_or(false);
        for object in objects.iter().filter(|_| is_clean) {
            self.store.record_object(object, &[]).await?;
        }
        Ok((applied, !is_clean))
    }

    async fn apply_entry(&self, entry: LedgerEntry) -> Result<bool, StoreError> {
        let LedgerEntry { tenant, erased, at } = entry;
        match erased {
            ErasedPart::Conversation(conversation, digest) => {
                let erasure = Erasure { conversation, digest, at, request: None };
                let entry = AuditEntry::erasure_applied_from_ledger(&erasure, self.clock.now());
                self.store.apply_erasure(&tenant, &erasure, entry).await
            }
            ErasedPart::Message(conversation, message) => {
                self.store.remove_message(&tenant, &conversation, &message).await
            }
            ErasedPart::Tenant => {
                let missing = || StoreError::new(StoreErrorKind::Unexpected, "no service erases tenants");
                self.tenants.as_ref().ok_or_else(missing)?.apply(&tenant, at).await
            }
        }
    }
}
