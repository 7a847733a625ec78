//! `parlance feed export|list`.

mod export;
mod list;
mod watch;

use anyhow::Context;
use clap::Subcommand;
use parlance_domain::{
    access::TenantId,
    feed::{Day, FeedProduction, NotADay},
};

use crate::{service::Stores, settings::Settings};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Write the files of days that are missing or out of date, and tell how far it has come
    Export(export::Options),
    /// Print a calendar of the days that are complete
    List(list::Options),
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Export(options) => export::run(options, settings).await,
        Action::List(options) => list::run(options, settings).await,
    }
}

/// The tenant that is named, or every tenant that has feeds.
async fn chosen_tenants(
    stores: &Stores,
    production: &FeedProduction,
    named: Option<TenantId>,
) -> anyhow::Result<Vec<TenantId>> {
    let Some(tenant) = named else { return production.tenants().await.context("database_url") };
    stores.refuse_unknown_tenant(&tenant).await?;
    Ok(vec![tenant])
}

fn read_day(text: &str) -> Result<Day, NotADay> {
    Day::parse(text)
}
