//! What the doctor finds of the database.

use parlance_adapters_sql::{Database, backup};
use parlance_domain::time::Clock;

use super::{
    Finding,
    Finding::{Bad, Doubtful, Good},
    files::{look_at_disk, look_at_modes},
};
use crate::{settings::Settings, system::SystemClock};

/// Most that the clocks of this machine and of the database may differ, in microseconds. What is trusted for a while is
/// trusted for 30 seconds, so a few do not matter.
const MOST_DRIFT: u64 = 5_000_000;

/// Faults that are printed. All are counted.
const PRINTED_FAULTS: usize = 10;

pub(super) async fn look_at(settings: &Settings, deep: bool) -> Vec<(&'static str, Finding)> {
    let file = backup::database_file(settings.database_url.reveal()).ok();
    if let Some(file) = file.as_ref().filter(|file| !file.exists()) {
        let said = format!("{} is not there yet: `parlance migrate` or `parlance serve` makes it", file.display());
        return vec![("database", Doubtful(said)), ("disk", look_at_disk(file))];
    }
    let database = match Database::open_existing(settings.database_url.reveal()).await {
        Ok(database) => database,
        Err(error) => return vec![("database", Bad(format!("database_url: {error}")))],
    };
    let mut findings = vec![
        ("database", Good(format!("{} answers", settings.database_url.kind()))),
        ("schema", look_at_schema(&database).await),
        ("permissions", look_at_permissions(&database).await),
        ("clock", look_at_clock(&database).await),
    ];
    if let Some(file) = &file {
        findings.push(("files", look_at_modes(file)));
        findings.push(("disk", look_at_disk(file)));
    }
    if deep {
        findings.push(("content", look_at_content(&database).await));
    }
    // Nothing was written, so nothing depends on how it closes.
    let _ = database.close().await;
    findings
}

async fn look_at_schema(database: &Database) -> Finding {
    match database.check_schema().await {
        Ok(()) => Good("is the one that this program needs".to_owned()),
        Err(error) => Bad(error.to_string()),
    }
}

async fn look_at_permissions(database: &Database) -> Finding {
    if let Err(error) = database.try_to_write().await {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        return Bad(format!("it cannot be written to ({cause}): check the rights to the file and its folder"));
    }
    match database.closed_tables().await {
        Ok(closed) if closed.is_empty() => Good("it can be written to".to_owned()),
        Ok(closed) => Bad(format!("the role may not read and add to {}: see docs/operating.md", closed.join(", "))),
        Err(error) => Bad(error.to_string()),
    }
}

async fn look_at_clock(database: &Database) -> Finding {
    let here = SystemClock.now();
    match database.own_time().await {
        Ok(None) => Good(format!("this machine says {here}")),
        Ok(Some(there)) if here.as_micros().abs_diff(there.as_micros()) > MOST_DRIFT => {
            Bad(format!("this machine says {here}, the database {there}: synchronise both, by NTP say"))
        }
        Ok(Some(_)) => Good("this machine and the database agree".to_owned()),
        Err(error) => Bad(error.to_string()),
    }
}

/// Reads what is stored, which may take long.
async fn look_at_content(database: &Database) -> Finding {
    let report = match database.check_content().await {
        Ok(report) => report,
        Err(error) => return Bad(format!("cannot be read: {error}")),
    };
    let read = format!("{} tables are checked, {} rows decoded", report.tables, report.rows);
    let read = [&[read.into()], &*report.notes].concat().join("; ");
    if report.faults.is_empty() {
        return if report.notes.is_empty() { Good(read) } else { Doubtful(read) };
    }
    let (count, first) = (report.faults.len(), report.faults.iter().take(PRINTED_FAULTS));
    let first: Vec<_> = first.map(AsRef::as_ref).collect();
    Bad(format!("{count} faults: {}: stop the server and restore a copy ({read})", first.join("; ")))
}
