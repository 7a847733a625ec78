//! `parlance feed list`: a calendar of the complete days, and the complete hours of days that are not complete.

use std::fmt::Write;

use anyhow::Context;
use clap::Args;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{Dataset, Day, FeedStore, Hour},
    time::Clock,
};

use super::{super::print, tenant_selection::selected_tenants};
use crate::{settings::Settings, system::SystemClock, wiring::Stores};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tenant whose feeds to list; left out, every tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
}

pub(crate) async fn run(options: Options, settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open(settings, true).await?;
    let tenants = selected_tenants(&stores, &stores.feed_production(settings), options.tenant).await?;
    let mut text = String::new();
    for tenant in &tenants {
        for dataset in datasets(&stores.feeds, tenant).await.context("feeds_url")? {
            let days = stores.feeds.complete_days(tenant, &dataset).await.context("feeds_url")?;
            let Dataset { feed, version, format } = &dataset;
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{tenant}  {feed}  {}  {}", version.prefixed(), format.prefixed());
            text.push_str(&calendar(&days));
            text.push_str(&running_hours(&stores.feeds, tenant, &dataset, &days).await.context("feeds_url")?);
        }
    }
    stores.database.close().await?;
    print(if text.is_empty() { "There are no feeds yet: `parlance feed export` writes them.\n" } else { &text })
}

async fn datasets(store: &dyn FeedStore, tenant: &TenantId) -> Result<Vec<Dataset>, StoreError> {
    let mut datasets = Vec::new();
    for feed in store.feeds(tenant).await? {
        for version in store.versions(tenant, &feed).await? {
            for format in store.formats(tenant, &feed, &version).await? {
                datasets.push(Dataset { feed: feed.clone(), version: version.clone(), format });
            }
        }
    }
    Ok(datasets)
}

/// Formats the complete hours of yesterday and today, one line for each of these days that is not complete itself.
async fn running_hours(
    store: &dyn FeedStore,
    tenant: &TenantId,
    dataset: &Dataset,
    complete: &[Day],
) -> Result<String, StoreError> {
    let (today, mut text) = (Day::containing(SystemClock.now()), String::new());
    for day in today.previous().unwrap_or(today).through(today).filter(|day| !complete.contains(day)) {
        text.push_str(&hours_line(day, &store.complete_hours(tenant, dataset, day).await?));
    }
    Ok(text)
}

/// Formats the hours of a day as one line; nothing without hours.
fn hours_line(day: Day, hours: &[Hour]) -> String {
    let runs = hours.chunk_by(|one, other| one.number() + 1 == other.number());
    let runs: Vec<_> =
        runs.filter_map(|run| Some(format_run(run.first()?.number().into(), run.last()?.number().into()))).collect();
    let counted = if hours.len() == 1 { "hour: " } else { "hours:" };
    if runs.is_empty() { String::new() } else { format!("  {day}  {:2} {counted} {}\n", hours.len(), runs.join(", ")) }
}

/// Formats the days as one line per month. A run of consecutive days is its first and last day.
fn calendar(days: &[Day]) -> String {
    let mut text = String::new();
    let month = |day: &Day| (day.date().0, day.date().1);
    for days in days.chunk_by(|one, other| month(one) == month(other)) {
        let runs = days.chunk_by(|one, other| one.next() == Some(*other));
        let runs: Vec<_> =
            runs.filter_map(|run| Some(format_run(run.first()?.date().2, run.last()?.date().2))).collect();
        let Some((year, month)) = days.first().map(month) else { continue };
        let (count, runs) = (days.len(), runs.join(", "));
        let counted = if count == 1 { "day: " } else { "days:" };
        let _ = writeln!(text, "  {year:04}-{month:02}  {count:2} {counted} {runs}");
    }
    text
}

fn format_run(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_has_one_line_per_month_and_shows_gaps() {
        let days = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-03", "2026-02-04", "2026-02-05", "2026-03-09"];
        let days: Vec<_> = days.iter().map(|day| Day::parse(day).unwrap()).collect();
        let lines = "  2026-01   2 days: 30-31\n  2026-02   4 days: 1, 3-5\n  2026-03   1 day:  9\n";
        assert_eq!(calendar(&days), lines);
    }

    #[test]
    fn the_hours_of_a_day_are_one_line_that_shows_gaps() {
        let day = Day::parse("2026-01-31").unwrap();
        let hours: Vec<_> = [0, 1, 2, 7].into_iter().filter_map(Hour::from_number).collect();
        assert_eq!(hours_line(day, &hours), "  2026-01-31   4 hours: 0-2, 7\n");
        assert_eq!(hours_line(day, &[]), "");
    }
}
