//! The checks of the database.

use std::sync::Arc;

use parlance_adapters_sql::{Database, RoleReport, SqlPrivacyRequests, backup, describe_database, inspect_hosts};
use parlance_domain::{privacy::InvalidRequests, time::Clock};

use super::{
    change_log::check_change_log,
    check_result::{
        CheckResult,
        CheckResult::{Failed, Passed, Warning},
        MAX_PRINTED_NAMES,
    },
    files::{check_disk, check_modes},
    privacy_requests::check_privacy_requests,
    servers::{check_hosts, check_sessions},
    tenant_erasures::check_tenant_erasures,
    webhooks::check_webhooks,
};
use crate::{settings::Settings, system::SystemClock};

/// Maximum difference between the clocks of this machine and the database, in microseconds. Cached credentials and
/// switches are trusted for 30 seconds, so a few seconds do not matter.
const MAX_CLOCK_DRIFT_MICROS: u64 = 5_000_000;

pub(super) async fn check_database(settings: &Settings, deep: bool) -> Vec<(&'static str, CheckResult)> {
    let file = backup::database_file(settings.database_url.reveal()).ok();
    if let Some(file) = file.as_ref().filter(|file| !file.exists()) {
        let message =
            format!("{} does not exist yet: `parlance migrate` or `parlance serve` creates it", file.display());
        return vec![("database", Warning(message)), ("disk", check_disk(file))];
    }
    let hosts = inspect_hosts(settings.database_url.reveal()).await;
    let database = match Database::open_existing(settings.database_url.reveal()).await {
        Ok(database) => database,
        Err(error) => {
            let several = hosts.as_ref().filter(|report| report.hosts.len() > 1);
            let failure = ("database", Failed(format!("database_url: {error}")));
            return [failure].into_iter().chain(several.map(|report| ("hosts", check_hosts(report)))).collect();
        }
    };
    let schema = check_schema(&database).await;
    let has_tables = !matches!(schema, Failed(_));
    let mut findings = vec![
        ("database", Passed(format!("{} answers", describe_database(settings.database_url.reveal())))),
        ("schema", schema),
        ("permissions", check_permissions(&database).await),
        ("clock", check_clock(&database).await),
    ];
    findings.extend(check_role(&database).await.map(|role| ("role", role)));
    findings.extend(hosts.as_ref().map(|report| ("hosts", check_hosts(report))));
    findings.extend(check_sessions(&database).await.map(|sessions| ("sessions", sessions)));
    if has_tables {
        findings.push(("events", check_change_log(&database).await));
        findings.push(("tenant erasures", check_tenant_erasures(&database).await));
        let requests = SqlPrivacyRequests::new(database.clone());
        let requests = InvalidRequests::new(Arc::new(requests), Arc::new(SystemClock));
        findings.push(("privacy requests", check_privacy_requests(&requests).await));
        findings.push(("webhooks", check_webhooks(&database, settings).await));
    }
    if let Some(file) = &file {
        findings.push(("files", check_modes(file)));
        findings.push(("disk", check_disk(file)));
    }
    if deep {
        findings.push(("content", check_content(&database).await));
    }
    // Nothing was written, so a failure to close does not matter.
    let _ = database.close().await;
    findings
}

async fn check_schema(database: &Database) -> CheckResult {
    match database.check_schema().await {
        Ok(()) => Passed("is up to date".to_owned()),
        Err(error) => Failed(error.to_string()),
    }
}

async fn check_permissions(database: &Database) -> CheckResult {
    if let Err(error) = database.check_writable().await {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        return Failed(format!(
            "the database cannot be written to ({cause}): check the permissions of the file and its directory"
        ));
    }
    match database.inaccessible_tables().await {
        Ok(closed) if closed.is_empty() => Passed("the database can be written to".to_owned()),
        Ok(closed) => Failed(format!(
            "the role lacks the right to read or insert into {}: see docs/operating.md",
            closed.join(", ")
        )),
        Err(error) => Failed(error.to_string()),
    }
}

/// The check of the role; none on SQLite.
async fn check_role(database: &Database) -> Option<CheckResult> {
    match database.inspect_role().await {
        Ok(report) => report.as_ref().map(judge_role),
        Err(error) => Some(Failed(error.to_string())),
    }
}

/// A server needs none of these rights, and an attacker who takes over the server gets them.
fn judge_role(report: &RoleReport) -> CheckResult {
    let excesses = [
        (report.is_superuser, "is a superuser"),
        (report.owns_tables, "owns tables of the schema"),
        (report.changes_records, "can change or delete records of the audit log"),
    ];
    let excesses: Vec<_> = excesses.into_iter().filter(|(applies, _)| *applies).map(|(_, text)| text).collect();
    let name = &report.name;
    if excesses.is_empty() {
        return Passed(format!("{name} can neither change the schema nor the records of the audit log"));
    }
    let excesses = excesses.join(", ");
    Warning(format!("{name} {excesses}: serve with the role parlance_server of docs/roles.sql, see docs/operating.md"))
}

async fn check_clock(database: &Database) -> CheckResult {
    let machine_time = SystemClock.now();
    match database.server_time().await {
        Ok(None) => Passed(format!("this machine has the time {machine_time}")),
        Ok(Some(database_time))
            if machine_time.as_micros().abs_diff(database_time.as_micros()) > MAX_CLOCK_DRIFT_MICROS =>
        {
            Failed(format!(
                "this machine has the time {machine_time}, the database {database_time}: synchronise both, as by NTP"
            ))
        }
        Ok(Some(_)) => Passed("the clocks of this machine and the database agree".to_owned()),
        Err(error) => Failed(error.to_string()),
    }
}

/// Reads the stored data. This can take a long time.
async fn check_content(database: &Database) -> CheckResult {
    let report = match database.check_content().await {
        Ok(report) => report,
        Err(error) => return Failed(format!("cannot be read: {error}")),
    };
    let summary = format!("{} tables are checked, {} rows decoded", report.tables, report.rows);
    let summary = [&[summary.into()], &*report.notes].concat().join("; ");
    if report.faults.is_empty() {
        return if report.notes.is_empty() { Passed(summary) } else { Warning(summary) };
    }
    let (count, first) = (report.faults.len(), report.faults.iter().take(MAX_PRINTED_NAMES));
    let first: Vec<_> = first.map(AsRef::as_ref).collect();
    let s = if count == 1 { "" } else { "s" };
    Failed(format!("{count} fault{s}: {}: stop the server and restore a copy ({summary})", first.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_right_of_the_role_that_a_server_does_not_need_is_a_warning() {
        let server =
            RoleReport { name: "s".to_owned(), is_superuser: false, owns_tables: false, changes_records: false };
        assert!(matches!(judge_role(&server), Passed(_)));
        for (report, text) in [
            (RoleReport { is_superuser: true, ..server.clone() }, "s is a superuser: "),
            (RoleReport { owns_tables: true, ..server.clone() }, "s owns tables of the schema: "),
            (RoleReport { changes_records: true, ..server.clone() }, "s can change or delete records"),
        ] {
            assert!(matches!(judge_role(&report), Warning(message) if message.starts_with(text)), "{text}");
        }
    }
}
