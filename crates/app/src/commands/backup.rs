//! `parlance backup` and `parlance restore`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;

use super::print;
use crate::{service::Stores, settings::Settings};

#[derive(Debug, Args)]
pub(crate) struct Copy {
    /// The file of the copy
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Copies the embedded database into a new file, while it is used.
pub(crate) async fn back_up(Copy { file }: &Copy, settings: &Settings) -> anyhow::Result<()> {
    let database_file = backup::database_file(settings.database_url.reveal()).context("database_url")?;
    anyhow::ensure!(database_file.exists(), "database_url: there is no database to copy yet");
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
    let stores = Stores::open(settings, true).await?;
    let verdicts = stores.audit.verify_all().await.map_err(super::in_words);
    stores.database.close().await?;
    let chains = super::audit::summary(&verdicts?)?;
    print(&format!("The copy is verified and in place: {}\n{chains}", database_file.display()))
}
