//! `parlance vocabulary redeliver`.

use clap::{Args, Subcommand};
use parlance_domain::access::TenantId;

use super::{database_error, print};
use crate::{settings::Settings, wiring::Stores};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Queue vocabularies for redelivery, for example if the transcription component has lost them
    Redeliver(Redeliver),
}

#[derive(Debug, Args)]
pub(crate) struct Redeliver {
    /// The tenant whose vocabulary to redeliver; left out, every tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    let Action::Redeliver(Redeliver { tenant }) = action;
    let stores = Stores::open(settings, true).await?;
    if let Some(tenant) = &tenant {
        stores.ensure_tenant_exists(tenant).await?;
        stores.ensure_tenant_is_not_erased(tenant).await?;
    }
    let count = stores.redelivery.requeue(tenant.as_ref()).await.map_err(database_error)?;
    stores.database.close().await?;
    let vocabularies = if count == 1 { "vocabulary is" } else { "vocabularies are" };
    print(&format!("{count} {vocabularies} queued for redelivery: a running server starts within a minute.\n"))
}
