//! The task that carries out privacy requests, on one replica at a time.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use parlance_domain::{
    access::TenantId,
    lease::{LeaseName, Leases},
    privacy::{PrivacyRequest, PrivacyRequestId, PrivacyRequestRunner, RunProgress},
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

/// When the requests that wait or failed are run again. Each pause is twice the one before.
#[derive(Default)]
struct Pauses(HashMap<PrivacyRequestId, (Instant, Duration)>);

impl Pauses {
    /// The open requests whose pause is over. Forgets the pauses of all requests that are not open.
    fn due(&mut self, mut open: Vec<(TenantId, PrivacyRequest)>) -> Vec<(TenantId, PrivacyRequest)> {
        self.0.retain(|id, _| open.iter().any(|(_, request)| request.id == *id));
        open.retain(|(_, request)| self.0.get(&request.id).is_none_or(|(at, _)| *at <= Instant::now()));
        open
    }

    fn extend(&mut self, id: &PrivacyRequestId) {
        let pause = self.0.get(id).map_or(POLL_INTERVAL, |(_, pause)| (*pause * 2).min(MAX_PAUSE));
        self.0.insert(id.clone(), (Instant::now() + pause, pause));
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
        let mut pauses = Pauses::default();
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {}
            }
            let due = match self.runner.open().await {
                Ok(open) => pauses.due(open),
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
            match self.runner.run(&tenant, &request).await {
                Ok(RunProgress::Completed) => {
                    tracing::info!(tenant = tenant_name, id, "a privacy request is completed");
                }
                Ok(RunProgress::Waiting(reason)) => {
                    pauses.extend(&request.id);
                    tracing::debug!(tenant = tenant_name, id, reason = reason.as_str(), "a privacy request waits");
                }
                Err(error) => {
                    pauses.extend(&request.id);
                    let cause = error.cause_chain();
                    tracing::warn!(tenant = tenant_name, id, cause, "a privacy request failed and is tried again");
                }
            }
        }
    }
}
