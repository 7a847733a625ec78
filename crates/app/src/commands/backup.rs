//! `parlance backup` and `parlance restore`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;
use parlance_domain::audit::VerificationScope;

use super::{audit, operator_error, print};
use crate::{
    keys::{KeyLocation, check_key},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The file of the copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Copies the embedded database into a new file. The database may be in use.
pub(crate) async fn back_up(Options { file }: &Options, settings: &Settings) -> anyhow::Result<()> {
    backup::database_file(settings.database_url.reveal()).context("database_url")?;
    let stores = Stores::open(settings, false).await?;
    let result = stores.database.back_up(file).await;
    stores.database.close().await?;
    result.context("backup")?;
    print(&format!("The copy is made and verified: {}\n", file.display()))
}

/// Verifies a copy and restores it as the embedded database.
pub(crate) async fn restore(Options { file }: &Options, settings: &Settings) -> anyhow::Result<()> {
    let database_file = backup::database_file(settings.database_url.reveal()).context("database_url")?;
    backup::restore(file, &database_file).await.context("restore")?;
    let stores = Stores::open_or_create(settings).await?;
    let verifications = stores.audit.verify(&VerificationScope::default()).await.map_err(operator_error);
    let key_check = check_key(&stores.audit, &KeyLocation::from_settings(settings)).await;
    stores.database.close().await?;
    let verifications = verifications?;
    audit::refuse_broken(&verifications)?;
    let chains = audit::summary(&verifications);
    print(&format!("The copy is verified and in place: {}\n{chains}", database_file.display()))?;
    // The copy is in place and intact. A missing key is only reported here, but no server starts without it.
    key_check.or_else(|missing| print(&format!("Before a server can start: {missing:#}\n")))
}
