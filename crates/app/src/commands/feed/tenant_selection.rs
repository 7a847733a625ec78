//! The tenants whose feeds a command exports or lists.

use anyhow::Context;
use parlance_domain::{access::TenantId, feed::FeedProduction};

use crate::wiring::Stores;

/// Returns the selected tenant, or all tenants that have feeds.
pub(super) async fn selected_tenants(
    stores: &Stores,
    production: &FeedProduction,
    selected: Option<TenantId>,
) -> anyhow::Result<Vec<TenantId>> {
    let Some(tenant) = selected else { return production.tenants().await.context("database_url") };
    stores.ensure_tenant_exists(&tenant).await?;
    Ok(vec![tenant])
}
