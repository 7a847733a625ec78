//! The use cases of the ledger of erasures.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    ContentAuthenticator, DeletedByteStore, ErasedPart, Erasure, ErasureLedger, LedgerContent, LedgerEntry,
    LedgerError, LedgerObjectId, LedgerStore, TenantRemoval,
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
    /// The objects that the database has recorded and the ledger lacks: the ledger was lost, or it is another one.
    pub missing_objects: usize,
    /// The objects without a valid code that were applied all the same.
    pub unauthenticated_objects: u64,
}

/// What a check of the ledger found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerCheck {
    /// The objects of the ledger.
    pub objects: usize,
    /// The objects that the database has recorded and the ledger lacks.
    pub missing_objects: usize,
    /// The objects without a valid code. The database has recorded each of them.
    pub unauthenticated_objects: usize,
}

/// What becomes of an object without a valid code that the database has not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unauthenticated {
    Refused,
    Applied,
}

/// Keeps the ledger and the database in step: writes the erasures of the database to the ledger, and applies those of
/// the ledger that the database lacks.
#[derive(Clone)]
pub struct Ledger {
    objects: Arc<dyn ErasureLedger>,
    authenticator: Arc<dyn ContentAuthenticator>,
    store: Arc<dyn LedgerStore>,
    deleted_bytes: Arc<dyn DeletedByteStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
    tenants: Option<TenantRemoval>,
}

impl Ledger {
    /// Writes to `ledger` what `store` has queued, and applies to `store`, whose files `deleted_bytes` has, what `ledger` holds.
    /// `authenticator` proves that this service wrote an object.
    #[must_use]
    pub fn new(
        (ledger, authenticator): (Arc<dyn ErasureLedger>, Arc<dyn ContentAuthenticator>),
        (store, deleted_bytes): (Arc<dyn LedgerStore>, Arc<dyn DeletedByteStore>),
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { objects: ledger, authenticator, store, deleted_bytes, ids, clock, tenants: None }
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
    /// [`LedgerError::Ledger`], [`LedgerError::Key`] or [`LedgerError::Database`]. The entries that are not written stay queued.
    pub async fn write_queued(&self) -> Result<u64, LedgerError> {
        let mut written = 0;
        loop {
            let entries = self.store.queued(LEDGER_OBJECT_ENTRIES).await?;
            if entries.is_empty() {
                return Ok(written);
            }
            let object = LedgerObjectId::from_bits(self.ids.next(self.clock.now()));
            let content = LedgerContent::new(&object, entries, &*self.authenticator).map_err(LedgerError::Key)?;
            self.objects.write(&object, &content).await.map_err(LedgerError::Ledger)?;
            self.store.record_object(&object, &content.entries).await?;
            written += content.entries.len() as u64;
        }
    }

    /// Applies every object of the ledger that the database has not recorded. After a failure, a repeat applies the same
    /// objects again, which finds little left to erase.
    ///
    /// # Errors
    /// [`LedgerError`]. The entries that were applied before stay applied.
    pub async fn apply(&self) -> Result<LedgerReport, LedgerError> {
        self.apply_unrecorded(Unauthenticated::Refused).await
    }

    /// Does the same as [`apply`](Self::apply), but applies also objects that have no valid code. Only an operator can
    /// know whether they are genuine.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply), except [`LedgerError::NoCode`] and [`LedgerError::WrongCode`].
    pub async fn apply_unauthenticated(&self) -> Result<LedgerReport, LedgerError> {
        self.apply_unrecorded(Unauthenticated::Applied).await
    }

    /// If the ledger lacks an object that the database has recorded, queues all erasures of the database for it again, and
    /// forgets the missing objects.
    ///
    /// # Errors
    /// [`LedgerError::Ledger`] or [`LedgerError::Database`].
    pub async fn requeue_missing(&self) -> Result<(), LedgerError> {
        let (recorded, objects) = self.recorded_and_objects().await?;
        let missing: BTreeSet<_> = recorded.difference(&objects).cloned().collect();
        if !missing.is_empty() {
            self.store.requeue(&missing).await?;
        }
        Ok(())
    }

    /// Reads every object of the ledger, and applies none.
    ///
    /// # Errors
    /// [`LedgerError`]. An object that the database has recorded needs no valid code.
    pub async fn check(&self) -> Result<LedgerCheck, LedgerError> {
        let (recorded, objects) = self.recorded_and_objects().await?;
        let mut unauthenticated_objects = 0;
        for object in &objects {
            let content = self.objects.read(object).await?;
            if !self.has_valid_code(object, &content, recorded.contains(object))? {
                unauthenticated_objects += 1;
            }
        }
        let missing_objects = recorded.difference(&objects).count();
        Ok(LedgerCheck { objects: objects.len(), missing_objects, unauthenticated_objects })
    }

    /// The objects that the database has recorded, and those of the ledger. A replica records an object after it has
    /// written it, so the records are read first: none of them is of an object that appeared later.
    async fn recorded_and_objects(&self) -> Result<(BTreeSet<LedgerObjectId>, BTreeSet<LedgerObjectId>), LedgerError> {
        let recorded = self.store.recorded_objects().await?;
        let objects = self.objects.objects().await.map_err(LedgerError::Ledger)?;
        Ok((recorded, objects))
    }

    /// Whether the code of an object is valid. An invalid one is an error, unless it `may_be_invalid`.
    fn has_valid_code(
        &self,
        object: &LedgerObjectId,
        content: &LedgerContent,
        may_be_invalid: bool,
    ) -> Result<bool, LedgerError> {
        match content.check_code(object, &*self.authenticator) {
            Ok(()) => Ok(true),
            Err(LedgerError::NoCode { .. } | LedgerError::WrongCode { .. }) if may_be_invalid => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn apply_unrecorded(&self, unauthenticated: Unauthenticated) -> Result<LedgerReport, LedgerError> {
        let (recorded, objects) = self.recorded_and_objects().await?;
        let unrecorded: Vec<_> = objects.difference(&recorded).collect();
        let report = self.apply_objects(&unrecorded, unauthenticated).await?;
        Ok(LedgerReport { missing_objects: recorded.difference(&objects).count(), ..report })
    }

    /// Applies these objects. An object is recorded after the bytes of what it erased are removed: a process that is killed
    /// before removes them at its next start.
    async fn apply_objects(
        &self,
        objects: &[&LedgerObjectId],
        unauthenticated: Unauthenticated,
    ) -> Result<LedgerReport, LedgerError> {
        let mut report = LedgerReport::default();
        if objects.is_empty() {
            return Ok(report);
        }
        for object in objects {
            let content = self.objects.read(object).await?;
            let is_valid = self.has_valid_code(object, &content, unauthenticated == Unauthenticated::Applied)?;
            report.unauthenticated_objects += u64::from(!is_valid);
            for entry in content.entries {
                report.applied += u64::from(self.apply_entry(entry).await?);
            }
        }
        // What was erased is not given out, whether or not its bytes can be removed now.
        let is_clean = self.deleted_bytes.remove_deleted_bytes().await.unwrap_or(false);
        for object in objects.iter().filter(|_| is_clean) {
            self.store.record_object(object, &[]).await?;
        }
        Ok(LedgerReport { has_bytes_left: !is_clean, ..report })
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
