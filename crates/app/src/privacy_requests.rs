//! The task that carries out privacy requests, on one replica at a time.

use std::{sync::Arc, time::Duration};

use parlance_domain::{
    access::TenantId,
    lease::{LeaseName, Leases},
    privacy::{PrivacyRequest, PrivacyRequestRunner, RunProgress},
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
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                _ = ticks.tick() => {}
            }
            let open = match self.runner.open().await {
                Ok(open) => open,
                Err(error) => {
                    tracing::warn!(%error, "failed to read which privacy requests are open");
                    continue;
                }
            };
            if open.is_empty() || !matches!(self.leases.acquire(LeaseName::PrivacyRequests).await, Ok(Some(_))) {
                continue;
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => {}
                () = self.run_all(open) => {}
                reason = renew_until_lost(&self.leases, LeaseName::PrivacyRequests) => {
                    let cause = format!("{reason:#}");
                    tracing::warn!(cause, "privacy requests are interrupted, because the lease was lost");
                }
            }
            release_lease(&self.leases, LeaseName::PrivacyRequests).await;
        }
        self.feeds.stop().await;
    }

    async fn run_all(&self, open: Vec<(TenantId, PrivacyRequest)>) {
        for (tenant, request) in open {
            let (tenant_name, id) = (tenant.as_str(), request.id.as_str());
            match self.runner.run(&tenant, &request).await {
                Ok(RunProgress::Completed) => {
                    tracing::info!(tenant = tenant_name, id, "a privacy request is completed");
                }
                // The next look tries again.
                Ok(RunProgress::Waiting) => {}
                Err(error) => {
                    let cause = error.cause_chain();
                    tracing::warn!(tenant = tenant_name, id, cause, "a privacy request failed and is tried again");
                }
            }
        }
    }
}
