//! Carrying a request out once, however often it is sent.

use std::sync::Arc;

use super::{Answer, Attempt, Claim, Operation, Receipt, ReceiptStore, running::Running};
use crate::{
    access::{Caller, TenantId},
    error::{Conflict, Error, StoreError},
    time::{Clock, Timestamp},
};

/// Answers repeats of a request as the first was answered.
#[derive(Clone)]
pub struct Repeats {
    store: Arc<dyn ReceiptStore>,
    clock: Arc<dyn Clock>,
    running: Running,
}

impl Repeats {
    /// Finds receipts in this store.
    #[must_use]
    pub fn new(store: Arc<dyn ReceiptStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, running: Running::default() }
    }

    /// Carries out `work`, which gives the identifiers of what it created, unless the request was carried out already:
    /// then its first answer is given. `work` must store the receipt of its [`Claim`] together with what it creates.
    /// Without an attempt, `work` is carried out each time.
    ///
    /// A request that failed leaves no receipt: its repeat is carried out.
    ///
    /// # Errors
    /// [`Error::Denied`] without the operation's permission; [`Error::KeyReused`] where the key stands for another
    /// request; [`Error::Conflict`] where a request with the key is being carried out; what `work` fails with.
    pub async fn once(
        &self,
        caller: &Caller,
        operation: Operation,
        attempt: Option<Attempt>,
        work: impl AsyncFnOnce(Option<Claim>) -> Result<Vec<String>, Error>,
    ) -> Result<Answer, Error> {
        let tenant = caller.permit(operation.permission())?;
        let first = |ids| Answer { ids, replayed: false };
        let Some(attempt) = attempt else { return work(None).await.map(first) };
        let in_use = self.running.begin((tenant.clone(), operation, attempt.key));
        let _until_answered = in_use.ok_or(Error::Conflict(Conflict::StillRunning))?;
        let claim = Claim { operation, attempt, at: self.clock.now() };
        if let Some(answer) = self.earlier(tenant, claim).await? {
            return Ok(answer);
        }
        let done = work(Some(claim)).await;
        if matches!(done, Err(Error::Conflict(Conflict::KeyTaken)))
            && let Some(answer) = self.earlier(tenant, claim).await?
        {
            return Ok(answer);
        }
        done.map(first)
    }

    /// Drops the receipts that hold no longer, and tells how many there were.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn forget(&self) -> Result<u64, StoreError> {
        self.store.forget(Receipt::forgotten_by(self.clock.now())).await
    }

    async fn earlier(&self, tenant: &TenantId, claim: Claim) -> Result<Option<Answer>, Error> {
        let Claim { operation, attempt, at } = claim;
        let found = self.store.find(tenant, operation, &attempt.key).await?;
        match found.filter(|receipt| holds(receipt, at)) {
            None => Ok(None),
            Some(receipt) if attempt.repeats(&receipt.request) => Ok(Some(Answer { ids: receipt.ids, replayed: true })),
            Some(_) => Err(Error::KeyReused),
        }
    }
}

fn holds(receipt: &Receipt, at: Timestamp) -> bool {
    receipt.at > Receipt::forgotten_by(at)
}
