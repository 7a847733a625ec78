//! `parlance privacy fail`.

use clap::Args;
use parlance_domain::{
    access::TenantId,
    privacy::{FailRequestError, PrivacyRequestId},
};

use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tenant of the request
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The id of the request, which `parlance doctor` prints
    #[arg(long, value_name = "ID", value_parser = PrivacyRequestId::parse)]
    request: PrivacyRequestId,
}

pub(super) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open_with_checked_key(settings).await?;
    let ended = stores.invalid_requests().fail(&options.tenant, &options.request).await;
    ended.map_err(
        |error| if let FailRequestError::Store(error) = error { database_error(error) } else { error.into() },
    )?;
    // The request has failed, whatever becomes of its bytes.
    print(
        "The request has failed, with the reason invalid_data. Upserts of its customer are no longer refused for it, and what \
         it erased stays erased. Make a new request\n",
    )?;
    if !matches!(stores.deleted_byte_store().remove_deleted_bytes().await, Ok(true)) {
        print(
            "The identifier of its customer stays readable in the file of the database until the next start of a server\n",
        )?;
    }
    Ok(stores.database.close().await?)
}
