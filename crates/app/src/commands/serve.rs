//! `parlance serve`.

use anyhow::Context;
use clap::Args;
use parlance_adapters_sql::backup;
use tokio::signal::unix::{SignalKind, signal};

use super::print;
use crate::{
    feeds::produce_daily,
    logging,
    metrics::FeedMetrics,
    private_files::open_to_others,
    sandbox,
    server::{Service, StopHandle},
    service::Stores,
    settings::{Settings, Sources},
    tls::Certificate,
};

/// How to serve.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Make sure that the tenant `sandbox` has a credential, and print it with a line to try
    #[arg(long)]
    sandbox: bool,
    /// Do not bring the schema up to date; stop where it is not
    #[arg(long)]
    no_migrate: bool,
}

pub(crate) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let _logging = logging::start(settings.log_format, settings.log_level).context("the log cannot be written")?;
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for (variable, did_you_mean) in Sources::unknown_variables(names) {
        tracing::warn!(
            variable,
            did_you_mean,
            "in the environment, but no setting: `parlance help settings` lists them"
        );
    }
    if options.sandbox {
        sandbox::check(settings)?;
    }
    let stores = Stores::open_to_serve(settings, !options.no_migrate).await?;
    warn_of_open_files(settings);
    let credential = if options.sandbox { Some(sandbox::prepare(&stores, settings).await?) } else { None };
    let service = Service::build(settings, stores)?;
    produce_feeds(settings, service.feed_metrics());
    if let Some(credential) = credential {
        print(&sandbox::greeting(settings, service.address(), &credential))?;
    }
    stop_on_signals(service.stop_handle())?;
    reload_on_hangup(service.certificate())?;
    let address = service.address().to_string();
    tracing::info!(address, database = settings.database_url.kind(), "listening");
    if let Some(health) = service.health_address() {
        tracing::info!(address = health.to_string(), "health is answered");
    }
    if let Some(metrics) = service.metrics_address() {
        tracing::info!(address = metrics.to_string(), "metrics can be read");
    }
    service.run().await?;
    tracing::info!("stopped");
    Ok(())
}

/// Names the files of the embedded database that were made by another program, or copied, for others to read.
fn warn_of_open_files(settings: &Settings) {
    let Ok(database) = backup::database_file(settings.database_url.reveal()) else { return };
    for (file, mode) in open_to_others(&database) {
        let mode = format!("{mode:04o}");
        tracing::warn!(file, mode, "others than the owner have rights to the database: chmod 600 this file");
    }
}

/// SIGHUP reads the certificate anew. Without TLS it does nothing, so that it never ends the server.
fn reload_on_hangup(certificate: Option<Certificate>) -> anyhow::Result<()> {
    let mut hangup = signal(SignalKind::hangup()).context("SIGHUP cannot be heard")?;
    actix_web::rt::spawn(async move {
        while hangup.recv().await.is_some() {
            let Some(certificate) = &certificate else { continue };
            match certificate.reload() {
                Ok(()) => tracing::info!("the certificate is read anew"),
                Err(error) => {
                    let cause = format!("{error:#}");
                    tracing::error!(cause, "the certificate is not read anew: the one before is shown on");
                }
            }
        }
    });
    Ok(())
}

/// Produces feeds once a day, beside the server, where the settings say when.
fn produce_feeds(settings: &Settings, metrics: FeedMetrics) {
    let Some(minute) = settings.feeds.export_minute else { return };
    let settings = settings.clone();
    actix_web::rt::spawn(async move { produce_daily(&settings, minute, &metrics).await });
}

/// The first SIGTERM or SIGINT lets requests in flight finish, the second does not.
fn stop_on_signals(handle: StopHandle) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be heard")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be heard")?;
    actix_web::rt::spawn(async move {
        let mut next = async || tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} };
        next().await;
        tracing::info!("stopping: requests in flight may finish");
        let graceful = handle.clone();
        actix_web::rt::spawn(async move { graceful.stop(true).await });
        next().await;
        tracing::warn!("stopping at once");
        handle.stop(false).await;
    });
    Ok(())
}
