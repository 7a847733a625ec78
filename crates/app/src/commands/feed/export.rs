//! `parlance feed export`.

use anyhow::{Context, bail};
use clap::Args;
use parlance_adapters_sql::SqlChangeLog;
use parlance_domain::{
    access::TenantId,
    feed::{Day, DayRange, InvalidDay},
    time::Clock,
};

use super::{
    super::print,
    progress::{Progress, summary},
    tenant_selection::selected_tenants,
};
use crate::{
    feed_announcements::FeedAnnouncements, feed_runtime::run_on_own_threads, settings::Settings, system::SystemClock,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tenant whose feeds to export; left out, every tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// The first day, YYYY-MM-DD in UTC; left out, the first day with data of the tenant
    #[arg(long, value_name = "DAY", value_parser = read_day)]
    from: Option<Day>,
    /// The last day; left out, the last day that is over, or today if feeds have hours
    #[arg(long, value_name = "DAY", value_parser = read_day)]
    to: Option<Day>,
    /// Also export a day, or an hour if feeds have hours, that is not over, with the data so far; it is not listed, and is exported again once over
    #[arg(long)]
    unfinished: bool,
}

pub(crate) async fn run(options: Options, settings: &Settings) -> anyhow::Result<()> {
    let now = SystemClock.now();
    if let (Some(to), Some(last_over), false) = (options.to, settings.feeds.intervals.last_day(now), options.unfinished)
        && to > last_over
    {
        bail!("--to: {to} is not over yet: leave --to out, or add --unfinished to export the data so far");
    }
    if let (Some(from), Some(to)) = (options.from, options.to)
        && from > to
    {
        bail!("--from: {from} is later than {to}, the value of --to");
    }
    print(&run_on_own_threads(export(options, settings.clone())).await?)
}

fn read_day(text: &str) -> Result<Day, InvalidDay> {
    Day::parse(text)
}

async fn export(options: Options, settings: Settings) -> anyhow::Result<String> {
    let Options { tenant, from, to, unfinished } = options;
    let stores = Stores::open_for_feeds(&settings, true).await?;
    let production = stores.feed_production(&settings);
    if let Some(tenant) = &tenant {
        stores.ensure_tenant_is_not_erased(tenant).await?;
    }
    let tenants = selected_tenants(&stores, &production, tenant).await?;
    let (progress, log) = (Progress::start(), SqlChangeLog::new(stores.database.clone()));
    for tenant in &tenants {
        let range = DayRange { from, to, include_open: unfinished, ..DayRange::default() };
        let announcements = FeedAnnouncements::new(&progress, Day::containing(SystemClock.now()));
        let produced = production.produce(tenant, &settings.feeds.formats, range, &announcements).await;
        announcements.append_to(&log, tenant).await?;
        produced
            .with_context(|| format!("the export of {tenant} is incomplete; files that are already written stay"))?;
    }
    let text = summary(&progress);
    stores.database.close().await?;
    Ok(text)
}
