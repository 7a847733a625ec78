//! The task that erases what no retention rule keeps, on one replica at a time.

use std::time::Duration;

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    lease::{LeaseName, Leases},
    limits::LEASE_SECONDS,
    privacy::{RetentionRuns, RetentionStep},
};
use tokio::{
    sync::watch,
    task::yield_now,
    time::{MissedTickBehavior, interval},
};

use crate::{lease::KeptLease, wiring::Stores};

/// Time between two looks at which runs are due. A run begins within a minute of a change of the rules, also if the replica
/// that held the lease was killed.
const POLL_INTERVAL: Duration = Duration::from_secs(15);

/// Time after a lease request in which a step may start. A step takes seconds at most, and the lease lasts 15 seconds.
const START_WINDOW: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() - 5);

/// Runs retention until it is stopped.
pub(crate) struct RetentionTask {
    runs: RetentionRuns,
    lease: KeptLease,
}

impl RetentionTask {
    pub(crate) fn build(stores: &Stores) -> Self {
        Self::new(stores.retention_runs(), stores.leases())
    }

    fn new(runs: RetentionRuns, leases: Leases) -> Self {
        Self { runs, lease: KeptLease::new(leases, LeaseName::Retention, START_WINDOW) }
    }

    /// Runs until `stop` becomes true, and then finishes the current step. Each step is one transaction, so the next holder
    /// of the lease goes on with what is left.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {}
            }
            if let Err(error) = self.run_due(&stop).await {
                tracing::warn!(%error, "a run of retention is incomplete; the next one continues");
            }
        }
        if self.lease.is_kept() {
            self.lease.release().await;
        }
    }

    async fn run_due(&mut self, stop: &watch::Receiver<bool>) -> Result<(), StoreError> {
        let due = self.runs.due().await?;
        self.lease.forget();
        for tenant in due {
            if !self.run_tenant(tenant, stop).await? {
                break;
            }
        }
        if self.lease.is_kept() {
            self.lease.release().await;
        }
        Ok(())
    }

    /// Runs the rules of one tenant. Returns false if the lease is lost or the server stops.
    async fn run_tenant(&mut self, tenant: TenantId, stop: &watch::Receiver<bool>) -> Result<bool, StoreError> {
        let mut run = None;
        loop {
            if *stop.borrow() || !self.holds_lease().await? {
                return Ok(false);
            }
            let run = match &mut run {
                Some(run) => run,
                none => none.insert(self.runs.begin(tenant.clone()).await?),
            };
            match self.runs.step(run).await? {
                RetentionStep::Continues => yield_now().await,
                RetentionStep::Finished => {
                    let (tenant, conversations) = (run.tenant().as_str(), run.erased());
                    tracing::info!(tenant, conversations, "a run of retention is complete");
                    return Ok(true);
                }
                RetentionStep::Outdated => return Ok(true),
            }
        }
    }

    /// Whether this replica holds the lease, which is requested or renewed if necessary.
    async fn holds_lease(&mut self) -> Result<bool, StoreError> {
        self.lease.renew().await?;
        Ok(self.lease.term().is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parlance_domain::{
        lease::{LeaseTerm, MockLeaseStore, ReplicaId},
        privacy::{MockErasureStore, MockIdentifierDigester, MockRetentionStore, StoredRetention},
    };

    use super::*;
    use crate::system::SystemClock;

    fn acme() -> TenantId {
        TenantId::parse("acme").unwrap()
    }

    /// A store in which a run is due. The tenant has no rules, so that the run is one step.
    fn due_store(recorded: usize) -> MockRetentionStore {
        let mut store = MockRetentionStore::new();
        store.expect_due().returning(|_| Ok(vec![acme()]));
        store.expect_retention().returning(|_| Ok(StoredRetention::default()));
        store.expect_record_run().times(recorded).returning(|_, _, _| Ok(()));
        store
    }

    fn task(store: MockRetentionStore, term: Option<LeaseTerm>) -> RetentionTask {
        let mut leases = MockLeaseStore::new();
        leases.expect_acquire().returning(move |_| Ok(term));
        leases.expect_release().times(usize::from(term.is_some())).returning(|_, _| Ok(()));
        let (erasures, digester) = (Arc::new(MockErasureStore::new()), Arc::new(MockIdentifierDigester::new()));
        let runs = RetentionRuns::new(Arc::new(store), erasures, digester, Arc::new(SystemClock));
        RetentionTask::new(runs, Leases::new(Arc::new(leases), ReplicaId::from_bits(1)))
    }

    #[tokio::test]
    async fn the_holder_of_the_lease_completes_due_runs_and_releases_the_lease() {
        let (_stop, stopped) = watch::channel(false);
        task(due_store(1), Some(LeaseTerm(1))).run_due(&stopped).await.unwrap();
    }

    #[tokio::test]
    async fn a_replica_without_the_lease_takes_no_step() {
        let (_stop, stopped) = watch::channel(false);
        task(due_store(0), None).run_due(&stopped).await.unwrap();
    }

    #[tokio::test]
    async fn no_step_is_taken_after_the_server_was_told_to_stop() {
        let (_stop, stopped) = watch::channel(true);
        let mut task = task(due_store(0), None);
        task.run_due(&stopped).await.unwrap();
        assert!(!task.lease.is_kept());
    }
}
