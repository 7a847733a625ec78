//! The use cases of privacy requests.

use std::sync::Arc;

use super::{
    Archive, CreateOutcome, CreatePrivacyRequest, IdentifierDigester, PrivacyCounts, PrivacyRequest,
    PrivacyRequestCursor, PrivacyRequestError, PrivacyRequestId, PrivacyRequestPage, PrivacyRequestStatus,
    PrivacyRequestStore, ReceiptIssue, SubjectStore, archive::ArchiveReader,
};
use crate::{
    access::{AuthorizedCaller, OperatePrivacy},
    audit::AuditEntry,
    error::StoreError,
    id::IdSource,
    time::Clock,
    vocabulary::PageSize,
};

/// Receives privacy requests, and gives out what they come to.
#[derive(Clone)]
pub struct PrivacyRequests {
    store: Arc<dyn PrivacyRequestStore>,
    subjects: Arc<dyn SubjectStore>,
    archives: ArchiveReader,
    digester: Arc<dyn IdentifierDigester>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl PrivacyRequests {
    /// Stores requests in `store`, and reads archives with `archives`.
    #[must_use]
    pub fn new(
        (store, subjects): (Arc<dyn PrivacyRequestStore>, Arc<dyn SubjectStore>),
        archives: ArchiveReader,
        digester: Arc<dyn IdentifierDigester>,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, subjects, archives, digester, ids, clock }
    }

    /// Stores a request. A task of the service carries it out.
    ///
    /// # Errors
    /// [`PrivacyRequestError::Held`]; [`PrivacyRequestError::Store`], also if the service has no master key.
    pub async fn create(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        new: CreatePrivacyRequest,
    ) -> Result<PrivacyRequest, PrivacyRequestError> {
        let (tenant, now) = (caller.tenant(), self.clock.now());
        let request = PrivacyRequest {
            id: PrivacyRequestId::from_bits(self.ids.next(now)),
            kind: new.kind,
            dry_run: new.dry_run,
            subject: self.digester.customer_digest(tenant, &new.customer)?,
            reference: new.reference,
            status: PrivacyRequestStatus::Pending,
            waiting_for: None,
            failure: None,
            counts: PrivacyCounts::default(),
            requested_at: now,
            ended_at: None,
        };
        let entry = AuditEntry::privacy_requested(&request, caller.credential());
        match self.store.create(tenant, &request, &new.customer, entry).await? {
            CreateOutcome::Created => Ok(request),
            CreateOutcome::Held => Err(PrivacyRequestError::Held),
        }
    }

    /// The request with this identifier.
    ///
    /// # Errors
    /// [`PrivacyRequestError::NotFound`]; [`PrivacyRequestError::Store`].
    pub async fn find(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        id: &PrivacyRequestId,
    ) -> Result<PrivacyRequest, PrivacyRequestError> {
        self.store.find(caller.tenant(), id).await?.ok_or(PrivacyRequestError::NotFound)
    }

    /// The page at `cursor`, or the first page, oldest requests first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        cursor: Option<&PrivacyRequestCursor>,
        size: PageSize,
    ) -> Result<PrivacyRequestPage, StoreError> {
        self.store.page(caller.tenant(), cursor, size).await
    }

    /// The file with the receipt of a completed erasure that has this number, or with the newest one.
    ///
    /// # Errors
    /// [`PrivacyRequestError::NotFound`]; [`PrivacyRequestError::NotCompleted`]; [`PrivacyRequestError::NoReceipt`] if the
    /// request erased nothing; [`PrivacyRequestError::NoIssue`]; [`PrivacyRequestError::Store`].
    pub async fn receipt(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        id: &PrivacyRequestId,
        issue: Option<ReceiptIssue>,
    ) -> Result<String, PrivacyRequestError> {
        let request = self.find(caller, id).await?;
        if !request.erases() {
            return Err(PrivacyRequestError::NoReceipt);
        }
        check_completed(&request)?;
        let missing = || if issue.is_some() { PrivacyRequestError::NoIssue } else { PrivacyRequestError::NoReceipt };
        self.store.receipt(caller.tenant(), id, issue).await?.ok_or_else(missing)
    }

    /// The archive of a completed request for access, read step by step.
    ///
    /// # Errors
    /// [`PrivacyRequestError::NotFound`]; [`PrivacyRequestError::NotCompleted`]; [`PrivacyRequestError::NoArchive`] if the
    /// request is of another type; [`PrivacyRequestError::Store`].
    pub async fn archive(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        id: &PrivacyRequestId,
    ) -> Result<Archive, PrivacyRequestError> {
        let request = self.find(caller, id).await?;
        if !request.has_archive() {
            return Err(PrivacyRequestError::NoArchive);
        }
        check_completed(&request)?;
        let items = self.subjects.archive_items(caller.tenant(), id).await?;
        Ok(self.archives.read(caller.tenant().clone(), request, items))
    }
}

fn check_completed(request: &PrivacyRequest) -> Result<(), PrivacyRequestError> {
    let is_completed = request.status == PrivacyRequestStatus::Completed;
    if is_completed { Ok(()) } else { Err(PrivacyRequestError::NotCompleted) }
}
