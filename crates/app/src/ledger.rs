//! The ledger of erasures in a server: it is applied before anything is served, and written after each erasure.

use std::{collections::BTreeSet, fmt::Write, sync::Arc, time::Duration};

use anyhow::anyhow;
use async_trait::async_trait;
use parlance_adapters_sql::SqlLedger;
use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    message::MessagePosition,
    privacy::{
        ErasedConversation, Erasure, ErasureLedger, ErasureOutcome, ErasurePageLimit, ErasureStore, Ledger,
        LedgerError, LedgerReport,
    },
};
use tokio::time::{sleep, timeout};

use crate::{ledger_location::open_ledger, settings::Settings, wiring::Stores};

/// How long an erasure waits until the ledger has its entry. A request must be answered within two seconds.
const WRITE_TIMEOUT: Duration = Duration::from_secs(1);

/// Time between two looks for entries that are still queued.
const INTERVAL: Duration = Duration::from_secs(1);

/// Time until the next attempt after one that failed.
const RETRY_DELAY: Duration = Duration::from_secs(15);

/// How long a stop waits until the ledger has what is still queued.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

impl Stores {
    /// Builds the service of the ledger. `None` without a ledger.
    ///
    /// # Errors
    /// If `ledger_url` is not an address that can be opened, or is within the feeds.
    pub(crate) fn ledger(&self, settings: &Settings) -> anyhow::Result<Option<Ledger>> {
        let build = |ledger| {
            let store = (Arc::new(SqlLedger::new(self.database.clone())) as Arc<_>, self.deleted_byte_store());
            let ledger = (Arc::new(ledger) as Arc<_>, Arc::clone(&self.ledger_authenticator));
            let ledger = Ledger::new(ledger, store, Arc::clone(&self.ids), Arc::clone(&self.clock));
            ledger.with_tenants(self.tenant_removal_from_stores(settings))
        };
        Ok(open_ledger(settings)?.map(build))
    }
}

/// Applies the ledger to the database.
///
/// # Errors
/// One line that names the setting and how to correct it.
pub(crate) async fn apply(ledger: &Ledger) -> anyhow::Result<LedgerReport> {
    ledger.apply().await.map_err(unusable)
}

/// What the application of the ledger has to say to the operator of a command.
pub(crate) fn notice(report: LedgerReport) -> String {
    let LedgerReport { applied, has_bytes_left, missing_objects, unauthenticated_objects } = report;
    let mut notice = String::new();
    // Writing to a String cannot fail.
    if unauthenticated_objects > 0 {
        let _ = writeln!(
            notice,
            "Objects of the ledger that were accepted without a valid code: {unauthenticated_objects}"
        );
    }
    if applied > 0 {
        let _ = writeln!(notice, "Erasures that the database lacked, applied from the ledger: {applied}");
    }
    if has_bytes_left {
        notice += "The file can hold bytes of what the ledger erased. The next start of the server removes them.\n";
    }
    if missing_objects > 0 {
        let _ = writeln!(
            notice,
            "Warning: the ledger lacks objects that the database has written to it: {missing_objects}: what was erased after \
             the backup is not erased again: set ledger_url to the ledger or put its folder back before a server starts"
        );
    }
    notice
}

/// The error of a ledger that cannot be applied.
pub(crate) fn unusable(error: LedgerError) -> anyhow::Error {
    match error {
        LedgerError::Ledger(error) => unreadable(error),
        LedgerError::Malformed { .. } | LedgerError::Changed { .. } => {
            anyhow!("ledger_url: {error}: put back this object from a copy of the ledger")
        }
        LedgerError::NoCode { .. } | LedgerError::WrongCode { .. } => anyhow!(
            "ledger_url: {error}: put back the object and the master key that belong together; if you know that the object is \
             genuine, run `parlance privacy apply-ledger --accept-unauthenticated`"
        ),
        LedgerError::Key(error) => anyhow!(error).context("master_key_file"),
        LedgerError::Database(error) => anyhow!(error).context("database_url"),
    }
}

/// The error of a ledger that cannot be read.
fn unreadable(error: StoreError) -> anyhow::Error {
    anyhow!(error).context(
        "ledger_url: the ledger of erasures cannot be read: correct the address, the permissions or the network, \
         because what it names must not be given out",
    )
}

/// Reads every object of a ledger, and returns their number. Codes are not checked: that needs the database.
///
/// # Errors
/// One line that names the setting and how to correct it.
pub(crate) async fn read_all(ledger: &dyn ErasureLedger) -> anyhow::Result<usize> {
    let objects = ledger.objects().await.map_err(unreadable)?;
    for object in &objects {
        ledger.read(object).await.map_err(unusable)?;
    }
    Ok(objects.len())
}

/// Applies the ledger before a server gives anything out, and writes what is still queued. Returns the number of objects
/// that the ledger lost.
///
/// # Errors
/// Those of [`apply`].
pub(crate) async fn prepare(stores: &Stores, settings: &Settings) -> anyhow::Result<usize> {
    let Some(ledger) = stores.ledger(settings)? else { return Ok(0) };
    let LedgerReport { applied, has_bytes_left, missing_objects, .. } = apply(&ledger).await?;
    if applied > 0 {
        tracing::warn!(applied, "the database lacked erasures, which were applied from the ledger");
    }
    if has_bytes_left {
        tracing::warn!("the files of the database can hold bytes of what the ledger erased; retrying every minute");
    }
    if missing_objects > 0 {
        tracing::warn!(
            missing_objects,
            "the ledger lacks objects that were written to it: all erasures of the database are written to it again; if the \
             database was restored, what was erased after its backup is given out: set ledger_url to the ledger or put its \
             folder back, and start again"
        );
        ledger.requeue_missing().await.map_err(unusable)?;
    }
    write_queued(&ledger).await;
    Ok(missing_objects)
}

/// Writes the queued entries. Logs a failure, and returns false after it.
async fn write_queued(ledger: &Ledger) -> bool {
    match ledger.write_queued().await {
        Ok(0) => {}
        Ok(entries) => tracing::debug!(entries, "wrote erasures to the ledger"),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            tracing::warn!(%error, cause, "erasures are not in the ledger yet; retrying every 15 seconds");
            return false;
        }
    }
    true
}

/// Writes the entries that an erasure did not write: those of retention, and those for which the ledger was away. Never
/// returns.
pub(crate) async fn keep_writing(ledger: Ledger) {
    loop {
        let is_written = write_queued(&ledger).await;
        sleep(if is_written { INTERVAL } else { RETRY_DELAY }).await;
    }
}

/// Writes what is still queued once nothing erases any more.
pub(crate) async fn write_before_stop(ledger: &Ledger) {
    if timeout(STOP_TIMEOUT, write_queued(ledger)).await.is_err() {
        tracing::warn!("the ledger is slow: erasures are not in it yet; the next start writes them");
    }
}

/// Erases in a store, and writes the erasure to the ledger before the caller is answered.
pub(crate) struct LedgeredErasures {
    pub(crate) store: Arc<dyn ErasureStore>,
    pub(crate) ledger: Ledger,
}

#[async_trait]
impl ErasureStore for LedgeredErasures {
    async fn erase(
        &self,
        tenant: &TenantId,
        erasure: &Erasure,
        entry: AuditEntry,
    ) -> Result<ErasureOutcome, StoreError> {
        let outcome = self.store.erase(tenant, erasure, entry).await?;
        // The erasure is committed with its entry in the queue, so the caller is not told of a ledger that is away.
        if let ErasureOutcome::Erased(_) = outcome
            && timeout(WRITE_TIMEOUT, write_queued(&self.ledger)).await.is_err()
        {
            tracing::warn!("the ledger is slow: erasures are not in it yet; retrying every 15 seconds");
        }
        Ok(outcome)
    }

    async fn is_erased(&self, tenant: &TenantId, conversation: &ConversationId) -> Result<bool, StoreError> {
        self.store.is_erased(tenant, conversation).await
    }

    async fn erased_messages(
        &self,
        tenant: &TenantId,
        conversation: &ConversationId,
    ) -> Result<BTreeSet<MessagePosition>, StoreError> {
        self.store.erased_messages(tenant, conversation).await
    }

    async fn list(
        &self,
        tenant: &TenantId,
        after: u64,
        limit: ErasurePageLimit,
    ) -> Result<Vec<ErasedConversation>, StoreError> {
        self.store.list(tenant, after, limit).await
    }
}
