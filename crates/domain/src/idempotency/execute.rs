//! Executes a request once, even if the caller sends it several times.

use std::sync::Arc;

use super::{
    Claim, IdempotencyRecord, IdempotencyStore, IdempotentError, IdempotentRequest, IdempotentResponse, KeyRefusal,
    Operation, OperationRequest, in_flight::InFlightRequests,
};
use crate::{
    access::{AuthorizedCaller, TenantId},
    error::StoreError,
    id::ConversationId,
    privacy::ErasureStore,
    time::{Clock, Timestamp},
};

/// Executes idempotent requests and replays the response of the first execution.
#[derive(Clone)]
pub struct Idempotency {
    store: Arc<dyn IdempotencyStore>,
    clock: Arc<dyn Clock>,
    in_flight: InFlightRequests,
    erasures: Option<Arc<dyn ErasureStore>>,
}

impl Idempotency {
    /// Looks up idempotency records in this store.
    #[must_use]
    pub fn new(store: Arc<dyn IdempotencyStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, in_flight: InFlightRequests::default(), erasures: None }
    }

    /// Refuses the repeat of a request whose conversation was erased.
    #[must_use]
    pub fn with_erasures(self, erasures: Arc<dyn ErasureStore>) -> Self {
        Self { erasures: Some(erasures), ..self }
    }

    /// Executes `work` with the request, and returns the identifiers of the objects that `work` created. If a valid record
    /// of the request exists, its stored response is returned instead. `work` must store the idempotency record of its
    /// [`Claim`] in the same step as the created objects. Without a key, `work` always runs, and has no claim.
    ///
    /// A failed request leaves no record, so its repeat is executed. `conversation` is the one that the request names; `None`
    /// if it names none, as an upsert, whose conversation is the created object.
    ///
    /// # Errors
    /// [`KeyRefusal::Reused`] if the key was used for a different request; [`KeyRefusal::InProgress`] if another
    /// request with the key is in progress; [`KeyRefusal::Erased`] if the conversation of the first
    /// request, or a message that it created, was erased; [`StoreError`]; the errors of `work`.
    pub async fn execute<R: OperationRequest, E: IdempotentError>(
        &self,
        caller: &AuthorizedCaller<R::Permission>,
        (request, conversation): (R, Option<&ConversationId>),
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
        if let Some(response) = self.stored_response::<E>(tenant, claim, conversation).await? {
            return Ok(response);
        }
        let outcome = work(request, Some(claim)).await;
        if let Err(error) = &outcome
            && error.key_refusal() == Some(KeyRefusal::Taken)
            && let Some(response) = self.stored_response::<E>(tenant, claim, conversation).await?
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
        conversation: Option<&ConversationId>,
    ) -> Result<Option<IdempotentResponse>, E> {
        let Claim { operation, request, at: now } = claim;
        let record = self.store.find(tenant, operation, &request.key).await?;
        match record.filter(|record| is_valid(record, now)) {
            None => Ok(None),
            Some(record) if request.matches(&record.digest) => {
                if self.is_erased(tenant, operation, conversation, &record).await? {
                    return Err(KeyRefusal::Erased.into());
                }
                Ok(Some(IdempotentResponse { ids: record.ids, replayed: true }))
            }
            Some(_) => Err(KeyRefusal::Reused.into()),
        }
    }

    async fn is_erased(
        &self,
        tenant: &TenantId,
        operation: Operation,
        named: Option<&ConversationId>,
        record: &IdempotencyRecord,
    ) -> Result<bool, StoreError> {
        match (&self.erasures, conversation_of(operation, named, record)) {
            (Some(erasures), Some(conversation)) => {
                if erasures.is_erased(tenant, &conversation).await? {
                    return Ok(true);
                }
                if operation == Operation::UpsertConversation {
                    return Ok(false);
                }
                let erased = erasures.erased_messages(tenant, &conversation).await?;
                Ok(erased.iter().any(|message| record.ids.iter().any(|id| id == message.id.as_str())))
            }
            _ => Ok(false),
        }
    }
}

/// The conversation of a request: the one that it names, or the one that it created.
fn conversation_of(
    operation: Operation,
    named: Option<&ConversationId>,
    record: &IdempotencyRecord,
) -> Option<ConversationId> {
    match operation {
        Operation::UpsertConversation => record.ids.first().and_then(|id| ConversationId::parse(id).ok()),
        Operation::CreateMessage | Operation::CreateMessages => named.cloned(),
        Operation::CreateVocabulary => None,
    }
}

fn is_valid(record: &IdempotencyRecord, now: Timestamp) -> bool {
    record.at > IdempotencyRecord::expiry_cutoff(now)
}
