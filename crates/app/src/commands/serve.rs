//! `parlance serve`.

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;

use super::print;
use crate::{
    build_info,
    file_permissions::exposed_files,
    ledger, logging, sandbox,
    server::Service,
    settings::{Settings, Sources},
    signals::ProcessSignals,
    traces::TraceExport,
    wiring::Stores,
};

/// Options of the server.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Issue a new secret for the tenant `sandbox`, and print it with an example request
    #[arg(long)]
    sandbox: bool,
    /// Do not update the schema; exit if it is out of date
    #[arg(long)]
    no_migrate: bool,
}

pub(crate) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let (tracers, export) = settings.traces.as_ref().map(TraceExport::start).transpose()?.unzip();
    let _logging =
        logging::start(settings.log_format, settings.log_level, export.as_ref()).context("failed to start the log")?;
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (variable, did_you_mean) in Sources::unknown_variables(names) {
        tracing::warn!(
            variable,
            did_you_mean,
            "unknown setting in the environment: `parlance help settings` lists all settings"
        );
    }
    if options.sandbox {
        sandbox::check(settings)?;
    }
    let mut stores = Stores::open_for_server(settings, !options.no_migrate).await?;
    stores.tracers = tracers.unwrap_or_default();
    stores.missing_ledger_objects = ledger::prepare(&stores, settings).await?;
    warn_of_exposed_files(settings);
    let credential = if options.sandbox { Some(sandbox::prepare(&stores, settings).await?) } else { None };
    let service = Service::build(settings, stores)?.with_signals(ProcessSignals::listen()?);
    if let Some(credential) = credential {
        print(&sandbox::greeting(settings, service.address(), &credential))?;
    }
    let address = service.address().to_string();
    let (database, version, commit) = (settings.database_url.scheme(), build_info::VERSION, build_info::commit());
    tracing::info!(address, database, version, commit, "listening");
    if let Some(health) = service.health_address() {
        tracing::info!(address = health.to_string(), "serving health checks");
    }
    if let Some(metrics) = service.metrics_address() {
        tracing::info!(address = metrics.to_string(), "serving metrics");
    }
    service.run().await?;
    drop(export);
    tracing::info!("stopped");
    Ok(())
}

/// Warns of files of the embedded database that other users can access: another program created or copied them.
fn warn_of_exposed_files(settings: &Settings) {
    let Ok(database) = backup::database_file(settings.database_url.reveal()) else { return };
    for (file, mode) in exposed_files(&database) {
        let mode = format!("{mode:04o}");
        tracing::warn!(file, mode, "users other than the owner have access to the database: chmod 600 this file");
    }
}
