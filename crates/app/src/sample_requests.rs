//! The privacy requests of the sandbox's sample: one for access and one for erasure. They are about a customer of whom nothing
//! is stored, and completed.

use std::sync::Arc;

use async_trait::async_trait;
use parlance_adapters_http::examples;
use parlance_domain::{
    access::{AuthorizedCaller, OperatePrivacy, TenantId},
    error::StoreError,
    privacy::{
        CreatePrivacyRequest, DerivedData, DerivedDataKind, DueRequest, PrivacyReference, PrivacyRequestId,
        PrivacyRequestType, PrivacyRequests, RemovalOutcome, RewriteRecorder,
    },
    text::ExternalId,
};

use crate::{settings::Settings, wiring::Stores};

const CUSTOMER: &str = "customer-10";

const REFERENCE: &str = "A sample of a privacy request";

/// Nothing was erased, so no feed is written again.
struct UnchangedFeeds;

#[async_trait]
impl DerivedData for UnchangedFeeds {
    fn kind(&self) -> DerivedDataKind {
        DerivedDataKind::Feeds
    }

    async fn remove_erased(&self, _: &TenantId, _: Arc<dyn RewriteRecorder>) -> Result<RemovalOutcome, StoreError> {
        Ok(RemovalOutcome::NotKept)
    }

    async fn count_of_tenant(&self, _: &TenantId) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn remove_tenant(&self, _: &TenantId) -> Result<RemovalOutcome, StoreError> {
        Ok(RemovalOutcome::NotKept)
    }
}

/// Adds the requests by `requests`, whose next identifiers are those of the examples, unless the tenant of the caller has
/// them.
pub(crate) async fn add(
    stores: &Stores,
    settings: &Settings,
    caller: &AuthorizedCaller<OperatePrivacy>,
    requests: &PrivacyRequests,
) -> anyhow::Result<()> {
    if requests.find(caller, &PrivacyRequestId::parse(examples::ERASURE_REQUEST_ID)?).await.is_ok() {
        return Ok(());
    }
    let runner = stores.privacy_request_runner(settings, vec![Arc::new(UnchangedFeeds)])?;
    for kind in [PrivacyRequestType::Access, PrivacyRequestType::Erasure] {
        let (customer, reference) = (ExternalId::parse(CUSTOMER)?, PrivacyReference::parse(REFERENCE)?);
        let new = CreatePrivacyRequest { kind, customer, reference, dry_run: false };
        let request = requests.create(caller, new).await?;
        for run in runner.run(caller.tenant(), &[DueRequest { request, failed_runs: 0 }]).await {
            run?;
        }
    }
    Ok(())
}
