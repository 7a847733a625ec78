//! `parlance doctor`: checks everything that a server needs, and prints how to correct each problem.

mod change_log;
mod check_result;
mod database;
mod dependencies;
mod detector;
mod files;
mod ledger;
mod privacy_requests;
mod servers;
mod tenant_erasures;
mod traces;
mod webhooks;

use std::fmt::Write;

use anyhow::bail;
use clap::Args;

use self::check_result::CheckResult::{Failed, Passed, Warning};
use super::print;
use crate::settings::Settings;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Also check the structure of all tables and indexes and the references between rows, and decode rows of every
    /// table
    #[arg(long)]
    deep: bool,
}

pub(crate) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let mut findings = vec![("settings", Passed("all are valid".to_owned()))];
    findings.extend(database::check_database(settings, options.deep).await);
    findings.push(("redis", dependencies::check_redis(settings).await));
    findings.push(("feeds", dependencies::check_feeds(settings).await));
    findings.push(("ledger", ledger::check_ledger(settings).await));
    findings.push(("delivery", dependencies::check_delivery(settings).await));
    findings.push(("detector", detector::check_detector(settings).await));
    findings.push(("listen", dependencies::check_address(Some(settings.listen))));
    findings.push(("metrics", dependencies::check_address(settings.metrics_listen)));
    findings.push(("traces", traces::check_traces(settings).await));
    findings.push(("tls", dependencies::check_tls(settings)));
    findings.push(("master key", dependencies::check_master_key(settings).await));
    let mut text = String::new();
    for (part, finding) in &findings {
        let (word, message) = match finding {
            Passed(message) => ("ok  ", message),
            Warning(message) => ("warn", message),
            Failed(message) => ("FAIL", message),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{word}  {part}: {message}");
    }
    print(&text)?;
    let failed = findings.iter().filter(|(_, finding)| matches!(finding, Failed(_))).count();
    if failed > 0 {
        bail!("{failed} of {} checks failed", findings.len());
    }
    Ok(())
}
