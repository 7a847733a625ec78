//! Executes a request once, even if the caller sends it several times.

use std::sync::Arc;

use super::{
    Claim, IdempotencyRecord, IdempotencyStore, IdempotentError, IdempotentRequest, IdempotentResponse, KeyRefusal,
    OperationRequest, in_flight::InFlightRequests,
};
use crate::{
    access::{AuthorizedCaller, TenantId},
    error::StoreError,
    time::{Clock, Timestamp},
};

/// Executes idempotent requests and replays the response of the first execution.
#[derive(Clone)]
pub struct Idempotency {
    store: Arc<dyn IdempotencyStore>,
    clock: Arc<dyn Clock>,
    in_flight: InFlightRequests,
}

impl Idempotency {
    /// Looks up idempotency records in this store.
    #[must_use]
    pub fn new(store: Arc<dyn IdempotencyStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, in_flight: InFlightRequests::default() }
    }

    /// Executes `work` with the request, and returns the identifiers of the objects that `work` created. If a valid record
    /// of the request exists, its stored response is returned instead. `work` must store the idempotency record of its
    /// [`Claim`] in the same step as the created objects. Without a key, `work` always runs, and has no claim.
    ///
    /// A failed request leaves no record, so its repeat is executed.
    ///
    /// # Errors
    /// [`KeyRefusal::Reused`] if the key was used for a different request; [`KeyRefusal::InProgress`] if another
    /// request with the key is in progress; [`StoreError`]; the errors of `work`.
    pub async fn execute<R: OperationRequest, E: IdempotentError>(
        &self,
        caller: &AuthorizedCaller<R::Permission>,
        request: R,
        idempotent_request: Option<IdempotentRequest>,
        work: impl AsyncFnOnce(R, Option<Claim>) -> Result<Vec<String>, E>,
    ) -> Result<IdempotentResponse, E> {
        let (tenant, operation) = (caller.tenant(), R::OPERATION);
        let new_response = |ids| IdempotentResponse { ids, replayed: false };
        let Some(idempotent_request) = idempotent_request else {
            return work(request, None).await.map(new_response);
        };
        let guard = self.in_flight.acquire((tenant.clone(), operation, idempotent_request.key));
        let _key_guard = guard.ok_or(KeyRefusal::InProgress)?;
        let claim = Claim { operation, request: idempotent_request, at: self.clock.now() };
        if let Some(response) = self.stored_response::<E>(tenant, claim).await? {
            return Ok(response);
        }
        let outcome = work(request, Some(claim)).await;
        if let Err(error) = &outcome
            && error.key_refusal() == Some(KeyRefusal::Taken)
            && let Some(response) = self.stored_response::<E>(tenant, claim).await?
        {
            return Ok(response);
        }
        outcome.map(new_response)
    }

    /// Deletes expired idempotency records and returns their number.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn purge_expired(&self) -> Result<u64, StoreError> {
        self.store.purge(IdempotencyRecord::expiry_cutoff(self.clock.now())).await
    }

    async fn stored_response<E: IdempotentError>(
        &self,
        tenant: &TenantId,
        claim: Claim,
    ) -> Result<Option<IdempotentResponse>, E> {
        let Claim { operation, request, at: now } = claim;
        let record = self.store.find(tenant, operation, &request.key).await?;
        match record.filter(|record| is_valid(record, now)) {
            None => Ok(None),
            Some(record) if request.matches(&record.digest) => {
                Ok(Some(IdempotentResponse { ids: record.ids, replayed: true }))
            }
            Some(_) => Err(KeyRefusal::Reused.into()),
        }
    }
}

fn is_valid(record: &IdempotencyRecord, now: Timestamp) -> bool {
    record.at > IdempotencyRecord::expiry_cutoff(now)
}
