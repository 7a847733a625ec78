//! The runs of privacy requests.

use std::sync::Arc;

use super::{
    DeletedByteStore, DerivedData, Erasures, KnownUncoveredCopy, Ledger, OpenRequestPosition, OpenRequests,
    PrivacyRequest, PrivacyRequestStore, RunProgress, SubjectStore, failed_run::FailedRun, request_batch::RequestBatch,
    request_steps::RequestSteps,
};
use crate::{access::TenantId, error::StoreError, signing::Signer, time::Clock};

/// A request that is to be run.
#[derive(Debug, Clone)]
pub struct DueRequest {
    /// The request.
    pub request: PrivacyRequest,
    /// The number of runs directly before this one that ended with a permanent error. After
    /// [`PRIVACY_REQUEST_MAX_FAILED_RUNS`](crate::limits::PRIVACY_REQUEST_MAX_FAILED_RUNS) of them, the request ends as
    /// [`RunProgress::Failed`].
    pub failed_runs: u32,
}

/// Carries out privacy requests. One replica at a time runs requests, under a lease. Two runs of one request at the same time
/// do no harm.
#[derive(Clone)]
pub struct PrivacyRequestRunner(RequestSteps);

impl PrivacyRequestRunner {
    /// Runs requests on these stores, and removes what was erased from everything in `derived`. Receipts are signed by
    /// `signer`, and name the copies `not_covered`.
    #[must_use]
    pub fn new(
        (store, subjects, deleted_bytes): (
            Arc<dyn PrivacyRequestStore>,
            Arc<dyn SubjectStore>,
            Arc<dyn DeletedByteStore>,
        ),
        erasures: Erasures,
        derived: Vec<Arc<dyn DerivedData>>,
        (signer, not_covered): (Option<Arc<dyn Signer>>, Vec<KnownUncoveredCopy>),
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(RequestSteps {
            store,
            subjects,
            deleted_bytes,
            erasures,
            derived,
            signer,
            clock,
            not_covered,
            ledger: None,
        })
    }

    /// Completes no erasure before its entries are in this ledger.
    #[must_use]
    pub fn with_ledger(self, ledger: Ledger) -> Self {
        Self(RequestSteps { ledger: Some(ledger), ..self.0 })
    }

    /// A page of the requests that are to be run, oldest first, and of those whose stored rows are invalid.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open(&self, after: Option<&OpenRequestPosition>) -> Result<OpenRequests, StoreError> {
        self.0.store.open(after).await
    }

    /// Runs requests of one tenant together, each from where its last run stopped. The result of each is in their order. A
    /// request that has to wait says for what. If another run or an operator ends a request meanwhile, the result is how it
    /// ended.
    ///
    /// What is derived from the rows of several customers, such as a day of a feed, is written again once, after the rows of all
    /// of them are erased. It counts for each of these requests.
    ///
    /// # Errors
    /// If a store fails and the request stays open. It says what it waits for if the database stores that.
    pub async fn run(&self, tenant: &TenantId, due: &[DueRequest]) -> Vec<Result<RunProgress, StoreError>> {
        let runs = RequestBatch::new(&self.0, tenant, due.iter().map(|due| &due.request)).run().await;
        let mut results = Vec::with_capacity(due.len());
        for (due, run) in due.iter().zip(runs) {
            results.push(match run {
                Ok(progress) => Ok(progress),
                Err(run) => self.end_failed_run(tenant, due, run).await,
            });
        }
        results
    }

    /// Ends a run that failed, and the request too if it fails for good.
    async fn end_failed_run(
        &self,
        tenant: &TenantId,
        DueRequest { request, failed_runs }: &DueRequest,
        run: FailedRun,
    ) -> Result<RunProgress, StoreError> {
        // If the end cannot be stored, for example because the audit log refuses a record, the request stays open.
        if let Some(reason) = run.failure(*failed_runs)
            && let Ok(was_open) = self.0.fail(tenant, request, reason).await
        {
            return if was_open { Ok(RunProgress::Failed(reason)) } else { self.0.ended(tenant, request).await };
        }
        // The error of the run matters, not the one of a database that cannot store the reason either.
        let _ = self.0.record_wait(tenant, request, run.waits_for).await;
        Err(run.error)
    }
}
