//! `parlance feed export`.

use anyhow::{Context, bail};
use clap::Args;
use parlance_domain::{
    access::TenantId,
    feed::{Day, DayRange, plan::last_day_over},
    time::Clock,
};

use super::{
    super::print,
    chosen_tenants, read_day,
    watch::{Progress, summary},
};
use crate::{feeds::on_own_threads, service::Stores, settings::Settings, system::SystemClock};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tenant whose feeds to write; left out, every tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// The first day, YYYY-MM-DD in UTC; left out, the first on which the tenant has anything
    #[arg(long, value_name = "DAY", value_parser = read_day)]
    from: Option<Day>,
    /// The last day; left out, the last that is over
    #[arg(long, value_name = "DAY", value_parser = read_day)]
    to: Option<Day>,
    /// Also write days that are not over, with what there is of them; they are not listed, and are written anew once over
    #[arg(long)]
    unfinished: bool,
}

pub(crate) async fn run(options: Options, settings: &Settings) -> anyhow::Result<()> {
    let now = SystemClock.now();
    if let (Some(to), Some(over), false) = (options.to, last_day_over(now), options.unfinished)
        && to > over
    {
        bail!("--to: {to} is not over yet: leave it out, or add --unfinished to write what there is of it");
    }
    if let (Some(from), Some(to)) = (options.from, options.to)
        && from > to
    {
        bail!("--from: {from} comes after {to}, which --to names");
    }
    let settings = settings.clone();
    let printed = on_own_threads(async move || export(options, &settings).await).await?;
    print(&printed)
}

async fn export(options: Options, settings: &Settings) -> anyhow::Result<String> {
    let Options { tenant, from, to, unfinished } = options;
    let stores = Stores::open_for_feeds(settings, true).await?;
    let production = stores.feed_production(settings);
    let tenants = chosen_tenants(&stores, &production, tenant).await?;
    let progress = Progress::begin();
    for tenant in &tenants {
        let range = DayRange { from, to, unfinished };
        let produced = production.produce(tenant, &settings.feeds.formats, range, &progress).await;
        produced.with_context(|| format!("the feeds of {tenant} are not all written; what is written stays"))?;
    }
    let done = summary(&progress);
    stores.database.close().await?;
    Ok(done)
}
