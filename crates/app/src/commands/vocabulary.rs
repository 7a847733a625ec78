//! `parlance vocabulary redeliver`.

use clap::{Args, Subcommand};
use parlance_domain::access::TenantId;

use super::{in_words, print};
use crate::{service::Stores, settings::Settings};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Have vocabularies delivered once more, as to a transcription component that has lost them
    Redeliver(Redeliver),
}

#[derive(Debug, Args)]
pub(crate) struct Redeliver {
    /// The tenant whose vocabulary it is; all of them where none is named
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    let Action::Redeliver(Redeliver { tenant }) = action;
    let stores = Stores::open(settings, true).await?;
    if let Some(tenant) = &tenant {
        stores.refuse_unknown_tenant(tenant).await?;
    }
    let begun = stores.redelivery.begin(tenant.as_ref()).await.map_err(in_words)?;
    stores.database.close().await?;
    let vocabularies = if begun == 1 { "vocabulary is" } else { "vocabularies are" };
    print(&format!("{begun} {vocabularies} to be delivered again: a running server does so within a minute.\n"))
}
