//! `parlance backup` and `parlance restore`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;
use parlance_domain::audit::Scope;

use super::{audit, in_words, print};
use crate::{
    keys::{KeyPlace, check_key},
    service::Stores,
    settings::Settings,
};

#[derive(Debug, Args)]
pub(crate) struct Copy {
    /// The file of the copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Copies the embedded database into a new file, while it is used.
pub(crate) async fn back_up(Copy { file }: &Copy, settings: &Settings) -> anyhow::Result<()> {
    backup::database_file(settings.database_url.reveal()).context("database_url")?;
    let stores = Stores::open(settings, false).await?;
    let made = stores.database.back_up(file).await;
    stores.database.close().await?;
    made.context("backup")?;
    print(&format!("The copy is made and verified: {}\n", file.display()))
}

/// Puts a copy where the embedded database is to be.
pub(crate) async fn restore(Copy { file }: &Copy, settings: &Settings) -> anyhow::Result<()> {
    let database_file = backup::database_file(settings.database_url.reveal()).context("database_url")?;
    backup::restore(file, &database_file).await.context("restore")?;
    let stores = Stores::create(settings).await?;
    let found = stores.audit.verify(&Scope::default()).await.map_err(in_words);
    let key = check_key(&stores.audit, &KeyPlace::of(settings)).await;
    stores.database.close().await?;
    let found = found?;
    audit::refuse_broken(&found)?;
    let chains = audit::summary(&found);
    print(&format!("The copy is verified and in place: {}\n{chains}", database_file.display()))?;
    // The copy is in place and sound; what it lacks is named, for no server starts without it.
    key.or_else(|missing| print(&format!("Before it is used: {missing:#}\n")))
}
