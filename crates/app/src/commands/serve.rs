//! `parlance serve`.

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;
use tokio::signal::unix::{SignalKind, signal};

use super::print;
use crate::{
    feeds::produce_daily,
    file_permissions::exposed_files,
    logging,
    metrics::FeedMetrics,
    sandbox,
    server::{Service, StopHandle},
    settings::{Settings, Sources},
    tls::Certificate,
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
    let _logging = logging::start(settings.log_format, settings.log_level).context("failed to start the log")?;
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
    let stores = Stores::open_for_server(settings, !options.no_migrate).await?;
    warn_of_exposed_files(settings);
    let credential = if options.sandbox { Some(sandbox::prepare(&stores, settings).await?) } else { None };
    let service = Service::build(settings, stores)?;
    produce_feeds(settings, service.feed_metrics());
    if let Some(credential) = credential {
        print(&sandbox::greeting(settings, service.address(), &credential))?;
    }
    stop_on_signals(service.stop_handle())?;
    reload_on_hangup(service.certificate())?;
    let address = service.address().to_string();
    tracing::info!(address, database = settings.database_url.scheme(), "listening");
    if let Some(health) = service.health_address() {
        tracing::info!(address = health.to_string(), "serving health checks");
    }
    if let Some(metrics) = service.metrics_address() {
        tracing::info!(address = metrics.to_string(), "serving metrics");
    }
    service.run().await?;
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

/// Reloads the certificate on SIGHUP. Without TLS the signal is ignored, so that it never ends the server.
fn reload_on_hangup(certificate: Option<Certificate>) -> anyhow::Result<()> {
    let mut hangup = signal(SignalKind::hangup()).context("failed to listen for SIGHUP")?;
    actix_web::rt::spawn(async move {
        while hangup.recv().await.is_some() {
            let Some(certificate) = &certificate else { continue };
            match certificate.reload() {
                Ok(()) => tracing::info!("reloaded the certificate"),
                Err(error) => {
                    let cause = format!("{error:#}");
                    tracing::error!(cause, "failed to reload the certificate: the previous one stays in use");
                }
            }
        }
    });
    Ok(())
}

/// Starts the daily production of feeds, if the settings contain a time for it.
fn produce_feeds(settings: &Settings, metrics: FeedMetrics) {
    let Some(minute) = settings.feeds.export_minute else { return };
    let settings = settings.clone();
    actix_web::rt::spawn(async move { produce_daily(&settings, minute, &metrics).await });
}

/// Stops the server on SIGTERM or SIGINT. The first signal lets requests in flight finish, the second does not.
fn stop_on_signals(handle: StopHandle) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate()).context("failed to listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("failed to listen for SIGINT")?;
    actix_web::rt::spawn(async move {
        let mut next_signal = async || tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} };
        next_signal().await;
        tracing::info!("stopping: requests in flight may finish");
        let graceful_handle = handle.clone();
        actix_web::rt::spawn(async move { graceful_handle.stop(true).await });
        next_signal().await;
        tracing::warn!("stopping at once");
        handle.stop(false).await;
    });
    Ok(())
}
