//! The signals that stop a server or reload its certificate.

use std::pin::pin;

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::{stop_handle::StopHandle, tls::Certificate};

/// The signals of the process that a server handles.
pub(crate) struct ProcessSignals {
    pub(crate) stop: StopSignals,
    /// SIGHUP.
    pub(crate) reload: Signal,
}

/// SIGTERM and SIGINT.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl ProcessSignals {
    /// Listens for the signals. From then on, they do not end the process.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let listen = |kind, name| signal(kind).with_context(|| format!("failed to listen for {name}"));
        let terminate = listen(SignalKind::terminate(), "SIGTERM")?;
        let interrupt = listen(SignalKind::interrupt(), "SIGINT")?;
        let reload = listen(SignalKind::hangup(), "SIGHUP")?;
        Ok(Self { stop: StopSignals { terminate, interrupt }, reload })
    }
}

impl StopSignals {
    async fn next(&mut self) {
        tokio::select! { _ = self.terminate.recv() => {}, _ = self.interrupt.recv() => {} }
    }
}

/// Stops the server on SIGTERM or SIGINT. The first signal lets requests in flight finish, the second does not.
pub(crate) async fn stop_on_signals(mut signals: StopSignals, handle: StopHandle) {
    signals.next().await;
    tracing::info!("stopping: requests in flight may finish");
    let mut stopped = pin!(handle.stop(true));
    tokio::select! {
        () = &mut stopped => return,
        () = signals.next() => {}
    }
    tracing::warn!("stopping at once");
    tokio::join!(handle.stop(false), stopped);
}

/// Reloads the certificate on SIGHUP. Without TLS the signal is ignored, so that it never ends the server.
pub(crate) async fn reload_on_hangup(mut hangup: Signal, certificate: Option<Certificate>) {
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
}
