//! The way out for requests whose stored rows are invalid: an operator finds them, and ends them as failed.

use std::sync::Arc;

use super::{FailRequestError, FailureReason, InvalidPrivacyRequest, PrivacyRequestId, PrivacyRequestStore};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    time::Clock,
};

/// Finds open requests whose stored rows are invalid, and ends them. The service does not end them by itself: a row that an
/// older program cannot read can be one that a newer program has written.
#[derive(Clone)]
pub struct InvalidRequests {
    store: Arc<dyn PrivacyRequestStore>,
    clock: Arc<dyn Clock>,
}

impl InvalidRequests {
    /// Uses this store.
    #[must_use]
    pub fn new(store: Arc<dyn PrivacyRequestStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// The open requests of all tenants whose stored rows are invalid, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(&self) -> Result<Vec<InvalidPrivacyRequest>, StoreError> {
        let (mut invalid, mut position) = (Vec::new(), None);
        loop {
            let page = self.store.open(position.as_ref()).await?;
            invalid.extend(page.invalid);
            let Some(next) = page.next else { return Ok(invalid) };
            position = Some(next);
        }
    }

    /// Ends an open request whose stored row is invalid as [failed](super::PrivacyRequestStatus::Failed). Upserts of its customer are no
    /// longer refused for it, and what it erased stays erased.
    ///
    /// # Errors
    /// [`FailRequestError`]. Nothing is changed then.
    pub async fn fail(&self, tenant: &TenantId, id: &PrivacyRequestId) -> Result<(), FailRequestError> {
        let invalid = self.list().await?;
        if invalid.iter().any(|request| request.tenant == tenant.as_str() && request.id == id.as_str()) {
            let (reason, now) = (FailureReason::InvalidData, self.clock.now());
            let entry = AuditEntry::privacy_request_failed(id, reason, now);
            if self.store.fail(tenant, id, (reason, now), entry).await? {
                return Ok(());
            }
        }
        match self.store.find(tenant, id).await {
            Ok(None) => Err(FailRequestError::NotFound),
            Ok(Some(request)) if request.ended_at.is_none() => Err(FailRequestError::Valid),
            Ok(Some(request)) => Err(FailRequestError::Ended(request.status)),
            Err(error) if error.kind() == StoreErrorKind::Corrupt => Err(FailRequestError::EndedInvalid),
            Err(error) => Err(error.into()),
        }
    }
}
