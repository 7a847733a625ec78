//! `parlance feed export`.

use anyhow::{anyhow, bail};
use clap::Args;
use parlance_adapters_sql::SqlChangeLog;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{Day, DayRange, FeedProduction, FeedWriteError, FileFormat, ForwardProgress, InvalidDay},
    time::Clock,
};

use super::{
    super::{
        print,
        retry::{MaybeStoreError, retry_while_advancing},
    },
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
        let exported = export_tenant((&production, &log), tenant, &settings.feeds.formats, range, &progress).await;
        exported.map_err(|error| incomplete(error, tenant))?;
    }
    let text = summary(&progress);
    stores.database.close().await?;
    Ok(text)
}

/// Exports the feeds of a tenant, and tells the change log of its days, also of those that a failed run has written.
///
/// A run can take hours, and one answer that comes late fails it. So it is repeated while a store is out of reach, and each
/// repeat goes on where the run before it ended.
async fn export_tenant(
    (production, log): (&FeedProduction, &SqlChangeLog),
    tenant: &TenantId,
    formats: &[FileFormat],
    range: DayRange,
    progress: &Progress,
) -> Result<(), FeedWriteError> {
    let forward = ForwardProgress::new(progress);
    let announcements = FeedAnnouncements::new(&forward, Day::containing(SystemClock.now()));
    let run = async || {
        let produced = production.produce(tenant, formats, range, &announcements).await;
        announcements.append_to(log, tenant).await?;
        produced
    };
    retry_while_advancing(run, || forward.steps(), |error| progress.waits(tenant, error)).await
}

impl MaybeStoreError for FeedWriteError {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// The error of an export that cannot go on.
fn incomplete(error: FeedWriteError, tenant: &TenantId) -> anyhow::Error {
    let is_unavailable = error.store_error().is_some_and(|error| error.kind() == StoreErrorKind::Unavailable);
    let context = if is_unavailable {
        format!(
            "the export of {tenant} is incomplete, and made no progress for a minute; files that are already written \
             stay: check that the database and the store of feeds_url answer, and repeat the command, which goes on \
             from there"
        )
    } else {
        format!("the export of {tenant} is incomplete; files that are already written stay")
    };
    anyhow!(error).context(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incomplete_text(kind: StoreErrorKind) -> String {
        let error = StoreError::new(kind, "the database did not answer");
        format!("{:#}", incomplete(error.into(), &TenantId::parse("acme").unwrap()))
    }

    #[test]
    fn an_export_that_gives_up_says_what_is_out_of_reach_and_what_to_do() {
        let error = incomplete_text(StoreErrorKind::Unavailable);
        assert!(error.contains(": check that the database and the store of feeds_url answer, and repeat "), "{error}");
        assert!(error.ends_with(": the store is out of reach: the database did not answer"), "{error}");
        assert!(!incomplete_text(StoreErrorKind::Corrupt).contains("repeat"));
    }
}
