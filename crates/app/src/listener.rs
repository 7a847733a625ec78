//! A server on one address, with guarded connections.

use std::{fmt, io, io::ErrorKind, net::SocketAddr, sync::Arc, time::Duration};

use actix_http::{Request, Response};
use actix_service::IntoServiceFactory;
use actix_web::{
    Error,
    body::MessageBody,
    dev::{AppConfig, Server, ServerHandle, Service, ServiceFactory},
};
use anyhow::anyhow;
use parlance_adapters_http::{ConnectionRegistry, RESERVED_CONNECTIONS, bind, guarded_service};
use rustls::ServerConfig;

/// Connections that the server accepts while they wait for admission.
const ACCEPTED_AHEAD: usize = 16;

/// Options of a listener.
pub(crate) struct ListenerOptions {
    /// The registry of its connections.
    pub(crate) connections: ConnectionRegistry,
    /// Number of threads that answer requests.
    pub(crate) workers: usize,
    /// Time for requests in flight to finish when the listener stops.
    pub(crate) shutdown_timeout: Duration,
    /// The TLS configuration, or `None` without TLS.
    pub(crate) tls: Option<Arc<ServerConfig>>,
}

/// A server on one address, ready to run.
pub(crate) struct Listener {
    server: Server,
    address: SocketAddr,
    connections: ConnectionRegistry,
}

/// A handle that stops a [`Listener`].
#[derive(Clone)]
pub(crate) struct ListenerHandle {
    server: ServerHandle,
    connections: ConnectionRegistry,
}

impl Listener {
    /// Listens on an address and serves `application`. Each worker thread builds its own application.
    ///
    /// # Errors
    /// If the address cannot be listened on: one line that names its setting.
    pub(crate) fn bind<F, I, S, B>(
        setting: &str,
        address: SocketAddr,
        options: ListenerOptions,
        application: F,
    ) -> anyhow::Result<Self>
    where
        F: Fn() -> I + Send + Clone + 'static,
        I: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig> + 'static,
        S::Error: Into<Error> + 'static,
        S::InitError: fmt::Debug,
        S::Response: Into<Response<B>> + 'static,
        <S::Service as Service<Request>>::Future: 'static,
        S::Service: 'static,
        B: MessageBody + 'static,
    {
        let ListenerOptions { connections, workers, shutdown_timeout, tls } = options;
        let guard = connections.clone();
        // A connection that is accepted and not yet admitted uses a file descriptor as well.
        let accepted = connections.limits().max_connections + RESERVED_CONNECTIONS + ACCEPTED_AHEAD;
        let server = bind(address).and_then(|socket| {
            let address = socket.local_addr()?;
            let server = Server::build()
                .workers(workers)
                .max_concurrent_connections(accepted.div_ceil(workers))
                .disable_signals()
                .shutdown_timeout(shutdown_timeout.as_secs())
                .listen(setting, socket, move || guarded_service(guard.clone(), tls.clone(), application()))?;
            Ok((server.run(), address))
        });
        let (server, address) = server.map_err(|error| bind_error(setting, address, &error))?;
        Ok(Self { server, address, connections })
    }

    /// The address that is listened on, with its actual port.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn handle(&self) -> ListenerHandle {
        ListenerHandle { server: self.server.handle(), connections: self.connections.clone() }
    }

    /// Serves until [`ListenerHandle::stop`] is called.
    ///
    /// # Errors
    /// If the server ends without being stopped.
    pub(crate) async fn run(self) -> io::Result<()> {
        let mut sweeps = actix_web::rt::spawn(self.connections.run_sweeps());
        let served = tokio::select! {
            served = self.server => served,
            // The sweep task never ends on its own. Without it, connections have no deadlines.
            _ = &mut sweeps => Err(io::Error::other("the task that watches connections failed")),
        };
        sweeps.abort();
        served
    }
}

impl ListenerHandle {
    /// The number of open connections.
    pub(crate) fn open_connections(&self) -> usize {
        self.connections.counts().open
    }

    /// The number of requests that are not answered yet.
    pub(crate) fn open_requests(&self) -> usize {
        self.connections.counts().in_request
    }

    /// Stops accepting connections. If `graceful`, requests in flight finish first.
    pub(crate) async fn stop(&self, graceful: bool) {
        self.connections.drain();
        if !graceful {
            // A server that is already stopping gracefully ignores a second stop, so the connections are ended here.
            self.connections.end_all();
        }
        self.server.stop(graceful).await;
    }
}

fn bind_error(setting: &str, address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let flag = setting.replace('_', "-");
    let advice = [
        (ErrorKind::AddrInUse, "is in use by another program: stop that, or choose another with"),
        (ErrorKind::AddrNotAvailable, "cannot be listened on: it is not an address of this machine: choose one with"),
        (
            ErrorKind::PermissionDenied,
            "cannot be listened on: this user may not take the port: choose one from 1024 on with",
        ),
    ];
    match advice.iter().find(|(kind, _)| *kind == error.kind()) {
        Some((_, advice)) => anyhow!("{setting}: {address} {advice} --{flag}"),
        None => anyhow!("{setting}: {address} cannot be listened on: {error}"),
    }
}
