//! The task that carries out privacy requests, on one replica at a time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    lease::{LeaseName, Leases},
    privacy::{DueRequest, PrivacyRequest, PrivacyRequestRunner, RunProgress, failed_runs_after},
};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

use crate::{
    feed_rewriter::ServerFeedRewriter,
    lease::{release_lease, renew_until_lost},
    request_schedule::RequestSchedule,
};

/// Time between two looks for open requests.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

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
        let mut schedule = RequestSchedule::default();
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {}
            }
            let due = match self.find_due(&mut schedule).await {
                Ok(due) => due,
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
                () = self.run_all(due, &mut schedule) => {}
                reason = renew_until_lost(&self.leases, LeaseName::PrivacyRequests) => {
                    let cause = format!("{reason:#}");
                    tracing::warn!(cause, "privacy requests are interrupted, because the lease was lost");
                }
            }
            release_lease(&self.leases, LeaseName::PrivacyRequests).await;
        }
        self.feeds.stop().await;
    }

    /// The requests that are to be run now.
    async fn find_due(&self, schedule: &mut RequestSchedule) -> Result<Vec<(TenantId, PrivacyRequest)>, StoreError> {
        let (mut look, mut position) = (schedule.look(Instant::now()), None);
        loop {
            let page = self.runner.open(position.as_ref()).await?;
            look.add(page.requests);
            look.log_invalid(page.invalid);
            position = page.next;
            if position.is_none() {
                look.forget_others();
            }
            if position.is_none() || look.is_full() {
                return Ok(look.due());
            }
        }
    }

    /// Runs the requests of each tenant together.
    async fn run_all(&self, due: Vec<(TenantId, PrivacyRequest)>, schedule: &mut RequestSchedule) {
        let mut tenants: Vec<(TenantId, Vec<DueRequest>)> = Vec::new();
        for (tenant, request) in due {
            let due = DueRequest { failed_runs: schedule.failed_runs(&request.id), request };
            match tenants.iter_mut().find(|(found, _)| *found == tenant) {
                Some((_, requests)) => requests.push(due),
                None => tenants.push((tenant, vec![due])),
            }
        }
        for (tenant, requests) in tenants {
            let results = self.runner.run(&tenant, &requests).await;
            for (request, result) in requests.iter().zip(results) {
                record_result(&tenant, request, result, schedule);
            }
        }
    }
}

/// Logs the result of a run, and begins a pause if the request is to be run again.
fn record_result(
    tenant: &TenantId,
    DueRequest { request, failed_runs }: &DueRequest,
    result: Result<RunProgress, StoreError>,
    schedule: &mut RequestSchedule,
) {
    let (tenant, id) = (tenant.as_str(), request.id.as_str());
    match result {
        Ok(RunProgress::Completed) => tracing::info!(tenant, id, "a privacy request is completed"),
        Ok(RunProgress::Failed(reason)) => {
            tracing::error!(tenant, id, reason = reason.as_str(), "a privacy request failed");
        }
        Ok(RunProgress::Waiting(reason)) => {
            schedule.pause(&request.id, 0, Instant::now());
            tracing::debug!(tenant, id, reason = reason.as_str(), "a privacy request waits");
        }
        Err(error) => {
            schedule.pause(&request.id, failed_runs_after(*failed_runs, &error), Instant::now());
            let cause = error.cause_chain();
            tracing::warn!(tenant, id, cause, "the run of a privacy request failed and is repeated");
        }
    }
}
