//! A run of several privacy requests of one tenant. It erases the rows of all of them before it writes the feeds again, so
//! that a day with rows of many customers is written once.

use std::sync::Arc;

use super::{
    DerivedDataKind, PrivacyRequest, RemovalOutcome, RewriteRecorder, RunProgress, WaitReason, failed_run::FailedRun,
    feed_period_counter::FeedPeriodCounter, request_steps::RequestSteps,
};
use crate::{access::TenantId, text::ExternalId};

/// How far a request has come in a run.
enum Stage {
    /// The next step follows.
    Ready,
    /// The run ends here. The request must be run again.
    Waiting(WaitReason),
    Failed(FailedRun),
}

impl From<Result<Option<WaitReason>, FailedRun>> for Stage {
    fn from(step: Result<Option<WaitReason>, FailedRun>) -> Self {
        match step {
            Ok(None) => Self::Ready,
            Ok(Some(reason)) => Self::Waiting(reason),
            Err(run) => Self::Failed(run),
        }
    }
}

/// A request in a run.
struct BatchedRequest<'run> {
    request: &'run PrivacyRequest,
    /// The customer; `None` once it is forgotten, after everything that needs it.
    subject: Option<ExternalId>,
    stage: Stage,
}

impl BatchedRequest<'_> {
    fn is_ready(&self) -> bool {
        matches!(self.stage, Stage::Ready)
    }

    /// Whether what was derived from the rows of its customer is to be removed next.
    fn has_erased_rows(&self) -> bool {
        self.erases() && self.subject.is_some()
    }

    fn erases(&self) -> bool {
        self.is_ready() && self.request.erases()
    }
}

/// Requests of one tenant that are run together.
pub(super) struct RequestBatch<'run> {
    steps: &'run RequestSteps,
    tenant: &'run TenantId,
    requests: Vec<BatchedRequest<'run>>,
}

impl<'run> RequestBatch<'run> {
    pub(super) fn new(
        steps: &'run RequestSteps,
        tenant: &'run TenantId,
        requests: impl Iterator<Item = &'run PrivacyRequest>,
    ) -> Self {
        let requests = requests.map(|request| BatchedRequest { request, subject: None, stage: Stage::Ready });
        Self { steps, tenant, requests: requests.collect() }
    }

    /// Carries out the requests as far as possible. Returns the result of each, in their order.
    pub(super) async fn run(mut self) -> Vec<Result<RunProgress, FailedRun>> {
        let Self { steps, tenant, .. } = self;
        for batched in &mut self.requests {
            match steps.begin(tenant, batched.request).await {
                Ok(subject) => batched.subject = subject,
                Err(error) => batched.stage = Stage::Failed(error.into()),
            }
            if batched.is_ready()
                && let Some(subject) = &batched.subject
            {
                batched.stage = steps.treat_rows(tenant, batched.request, subject).await.into();
            }
        }
        self.write_ledger().await;
        self.remove_derived_data().await;
        for batched in self.requests.iter_mut().filter(|batched| batched.is_ready()) {
            if let Some(subject) = &batched.subject {
                batched.stage = steps.forget_subject(tenant, batched.request, subject).await.into();
            }
        }
        self.remove_deleted_bytes().await;
        let mut results = Vec::with_capacity(self.requests.len());
        for BatchedRequest { request, stage, .. } in self.requests {
            results.push(match stage {
                Stage::Ready => steps.complete(tenant, request).await.map_err(FailedRun::after_removal),
                Stage::Waiting(reason) => steps.wait(tenant, request, reason).await.map_err(FailedRun::from),
                Stage::Failed(run) => Err(run),
            });
        }
        results
    }

    /// Brings the entries of all erasures into the ledger, if there is one.
    async fn write_ledger(&mut self) {
        let Some(ledger) = &self.steps.ledger else { return };
        if self.requests.iter().any(BatchedRequest::has_erased_rows) && ledger.write_queued().await.is_err() {
            self.end_step(BatchedRequest::has_erased_rows, Ok(Some(WaitReason::Ledger)));
        }
    }

    /// Removes what is derived from the erased rows.
    async fn remove_derived_data(&mut self) {
        if !self.requests.iter().any(BatchedRequest::has_erased_rows) {
            return;
        }
        for data in &self.steps.derived {
            let reason = match data.kind() {
                DerivedDataKind::Feeds => WaitReason::Feeds,
                DerivedDataKind::Vocabularies => continue,
            };
            let step = match data.remove_erased(self.tenant, self.recorder()).await {
                Ok(RemovalOutcome::Waiting) => Ok(Some(reason)),
                Ok(RemovalOutcome::Done(_) | RemovalOutcome::NotKept) => continue,
                Err(error) => Err(FailedRun::of_derived_data(error, reason)),
            };
            return self.end_step(BatchedRequest::has_erased_rows, step);
        }
    }

    /// Counts what is written again for each request that has erased rows: no object is written for one of them only.
    fn recorder(&self) -> Arc<dyn RewriteRecorder> {
        let counted = self.requests.iter().filter(|batched| batched.has_erased_rows());
        let requests = counted.map(|batched| batched.request.id.clone()).collect();
        let (store, tenant) = (Arc::clone(&self.steps.store), self.tenant.clone());
        Arc::new(FeedPeriodCounter { store, tenant, requests })
    }

    async fn remove_deleted_bytes(&mut self) {
        if !self.requests.iter().any(BatchedRequest::erases) {
            return;
        }
        let removed = self.steps.deleted_bytes.remove_deleted_bytes().await;
        let step = removed.map(|is_clean| (!is_clean).then_some(WaitReason::Readers)).map_err(FailedRun::after_removal);
        self.end_step(BatchedRequest::erases, step);
    }

    /// Applies the result of a step to every request that took part in it. An error is that of the first one, and the
    /// others wait for the same.
    fn end_step(&mut self, took_part: fn(&BatchedRequest<'run>) -> bool, step: Result<Option<WaitReason>, FailedRun>) {
        let others = match &step {
            Ok(reason) => *reason,
            Err(run) => Some(run.waits_for),
        };
        let mut first = Some(step);
        for batched in self.requests.iter_mut().filter(|batched| took_part(batched)) {
            batched.stage = first.take().unwrap_or(Ok(others)).into();
        }
    }
}
