//! `parlance import`: loads conversations with their messages from files.

mod budget;
mod csv_cells;
mod csv_chunks;
mod csv_grouping;
mod csv_header;
mod csv_records;
mod json_lines;
mod pipeline;
mod progress;
mod record_import;
mod report;
mod source;
mod unit;

use std::{path::PathBuf, sync::Arc};

use clap::{Args, ValueEnum};
use parlance_domain::{
    access::{AuthorizedCaller, Caller, Permission, TenantId, WriteConversations},
    import::{ImportDay, ImportOptions},
};

use super::{ExitError, print};
use crate::{feed_runtime::run_on_own_threads, settings::Settings, wiring::Stores};
use pipeline::Pipeline;
use report::{EXIT_FAILED, Report};
use source::{Format, Source};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The files; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The tenant that the conversations belong to
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The format of the files; left out, the ending of each name: .jsonl, .ndjson or .csv
    #[arg(long)]
    format: Option<Format>,
    /// Check the files, and count what an import would add; write nothing
    #[arg(long)]
    dry_run: bool,
    /// The feed day of each message: the day of the import, or the day of its own timestamp
    #[arg(long, default_value = "arrival", value_name = "DAY")]
    feed_day: ImportDayWord,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportDayWord {
    /// The day of the import
    Arrival,
    /// The day of the message's timestamp
    ClientTime,
}

pub(crate) async fn run(options: Options, settings: &Settings) -> anyhow::Result<()> {
    let failed = |error: anyhow::Error| ExitError { code: EXIT_FAILED, message: format!("{error:#}") };
    let settings = settings.clone();
    let report = run_on_own_threads(import(options, settings)).await.map_err(failed)?;
    print(&report.summary())?;
    match report.exit_code() {
        0 => Ok(()),
        code => Err(ExitError { code, message: report.failure() }.into()),
    }
}

async fn import(options: Options, settings: Settings) -> anyhow::Result<Report> {
    let Options { files, tenant, format, dry_run, feed_day } = options;
    // Without the key, identifiers of erased conversations would not be refused.
    let stores = Stores::open_with_checked_key(&settings).await?;
    stores.ensure_tenant_exists(&tenant).await?;
    stores.ensure_tenant_is_not_erased(&tenant).await?;
    let feed_day = match feed_day {
        ImportDayWord::Arrival => ImportDay::Arrival,
        ImportDayWord::ClientTime => ImportDay::ClientTime,
    };
    let importer = (stores.import(), operator_of(tenant)?, ImportOptions { feed_day, dry_run });
    let pipeline = Pipeline::new(importer, settings.max_body_bytes)?;
    let report = import_files(&files, format, pipeline, Report::start(dry_run)).await;
    // Also after a failure: the writer may still commit.
    let closed = stores.database.close().await;
    let report = report?;
    closed?;
    Ok(report)
}

async fn import_files(
    files: &[PathBuf],
    format: Option<Format>,
    mut pipeline: Pipeline,
    mut report: Report,
) -> anyhow::Result<Report> {
    for file in files {
        match Source::open(file, format) {
            Ok(source) => pipeline.import(source, &mut report).await?,
            Err(error) => report.add_failed_file(&format!("{error:#}")),
        }
    }
    Ok(report)
}

/// The operator as a caller who may write conversations of the tenant.
fn operator_of(tenant: TenantId) -> anyhow::Result<Arc<AuthorizedCaller<WriteConversations>>> {
    Ok(Arc::new(Caller::new(tenant, [Permission::WriteConversations].into_iter().collect()).authorize()?))
}
