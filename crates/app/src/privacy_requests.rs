//! The task that carries out privacy requests, on one replica at a time.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use parlance_domain::{
    access::TenantId,
    lease::{LeaseName, Leases},
    privacy::{
        InvalidPrivacyRequest, PrivacyRequest, PrivacyRequestId, PrivacyRequestRunner, RunProgress, failed_runs_after,
    },
};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

use crate::{
    feed_rewriter::ServerFeedRewriter,
    lease::{release_lease, renew_until_lost},
};

/// Time between two looks for open requests.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The longest pause between two runs of a request that waits or fails. Each run reads everything of the tenant.
const MAX_PAUSE: Duration = Duration::from_secs(15);

/// The state of a request that waits or whose last run failed.
struct Pause {
    until: Instant,
    length: Duration,
    /// The runs directly before the next one that ended with a permanent error.
    failed_runs: u32,
}

/// When the requests that wait or failed are run again. Each pause is twice the one before.
#[derive(Default)]
struct Pauses(HashMap<PrivacyRequestId, Pause>);

impl Pauses {
    /// The open requests whose pause is over. Forgets the pauses of all requests that are not open.
    fn due(&mut self, mut open: Vec<(TenantId, PrivacyRequest)>) -> Vec<(TenantId, PrivacyRequest)> {
        self.0.retain(|id, _| open.iter().any(|(_, request)| request.id == *id));
        open.retain(|(_, request)| self.0.get(&request.id).is_none_or(|pause| pause.until <= Instant::now()));
        open
    }

    fn failed_runs(&self, id: &PrivacyRequestId) -> u32 {
        self.0.get(id).map_or(0, |pause| pause.failed_runs)
    }

    fn extend(&mut self, id: &PrivacyRequestId, failed_runs: u32) {
        let length = self.0.get(id).map_or(POLL_INTERVAL, |pause| (pause.length * 2).min(MAX_PAUSE));
        self.0.insert(id.clone(), Pause { until: Instant::now() + length, length, failed_runs });
    }
}

/// The open requests whose stored rows are invalid, and which were logged. Each look finds them again.
#[derive(Default)]
struct LoggedRequests(HashSet<(String, String)>);

impl LoggedRequests {
    /// Logs those that were not found by the look before.
    fn log(&mut self, invalid: Vec<InvalidPrivacyRequest>) {
        let mut found = HashSet::new();
        for InvalidPrivacyRequest { tenant, id, error } in invalid {
            if !self.0.contains(&(tenant.clone(), id.clone())) {
                tracing::error!(
                    tenant,
                    id,
                    cause = error.cause_chain(),
                    "a privacy request cannot be carried out, because its row is invalid: run `parlance doctor`"
                );
            }
            found.insert((tenant, id));
        }
        self.0 = found;
    }
}

/// Carries out privacy requests until it is stopped.
pub(crate) struct PrivacyRequestTask {
    runner: PrivacyRequestRunner,
    leases: Leases,
    feeds: Arc<ServerFeedRewriter>,
}

impl PrivacyRequestTask {
    pub(crate) fn new(runner: PrivacyRequestRunner, leases: Leases, feeds: Arc<ServerFeedRewriter>) -> Self {
        Self { runner, leases, feeds }
    }

    /// Runs until `stop` becomes true. A request that is interrupted goes on at the next start, or on another replica.
    pub(crate) async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut pauses, mut logged) = (Pauses::default(), LoggedRequests::default());
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {}
            }
            let due = match self.runner.open().await {
                Ok(open) => {
                    logged.log(open.invalid);
                    pauses.due(open.requests)
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to read which privacy requests are open");
                    continue;
                }
            };
            if due.is_empty() || !matches!(self.leases.acquire(LeaseName::PrivacyRequests).await, Ok(Some(_))) {
                continue;
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => {}
                () = self.run_all(due, &mut pauses) => {}
                reason = renew_until_lost(&self.leases, LeaseName::PrivacyRequests) => {
                    let cause = format!("{reason:#}");
                    tracing::warn!(cause, "privacy requests are interrupted, because the lease was lost");
                }
            }
            release_lease(&self.leases, LeaseName::PrivacyRequests).await;
        }
        self.feeds.stop().await;
    }

    async fn run_all(&self, due: Vec<(TenantId, PrivacyRequest)>, pauses: &mut Pauses) {
        for (tenant, request) in due {
            let (tenant_name, id) = (tenant.as_str(), request.id.as_str());
            let failed_runs = pauses.failed_runs(&request.id);
            match self.runner.run(&tenant, &request, failed_runs).await {
                Ok(RunProgress::Completed) => {
                    tracing::info!(tenant = tenant_name, id, "a privacy request is completed");
                }
                Ok(RunProgress::Failed(reason)) => {
                    tracing::error!(tenant = tenant_name, id, reason = reason.as_str(), "a privacy request failed");
                }
                Ok(RunProgress::Waiting(reason)) => {
                    pauses.extend(&request.id, 0);
                    tracing::debug!(tenant = tenant_name, id, reason = reason.as_str(), "a privacy request waits");
                }
                Err(error) => {
                    pauses.extend(&request.id, failed_runs_after(failed_runs, &error));
                    let cause = error.cause_chain();
                    tracing::warn!(
                        tenant = tenant_name,
                        id,
                        cause,
                        "the run of a privacy request failed and is repeated"
                    );
                }
            }
        }
    }
}
