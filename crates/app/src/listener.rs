//! A server on one address, whose connections are guarded.

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

/// Connections that are accepted before others have made room for them.
const ACCEPTED_AHEAD: usize = 16;

/// How a listener serves.
pub(crate) struct ListenerOptions {
    /// Its connections.
    pub(crate) connections: ConnectionRegistry,
    /// Threads that answer requests.
    pub(crate) workers: usize,
    /// How long requests in flight may take to finish when it stops.
    pub(crate) shutdown_timeout: Duration,
    /// What it speaks TLS with, where it does.
    pub(crate) tls: Option<Arc<ServerConfig>>,
}

/// A server on one address, ready to run.
pub(crate) struct Listener {
    server: Server,
    address: SocketAddr,
    registry: ConnectionRegistry,
}

/// Stops a [`Listener`] from elsewhere.
#[derive(Clone)]
pub(crate) struct ListenerHandle {
    server: ServerHandle,
    registry: ConnectionRegistry,
}

impl Listener {
    /// Listens on an address, and serves the application that each thread makes for itself.
    ///
    /// # Errors
    /// One line that names the setting of the address, where it cannot be listened on.
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
        let ListenerOptions { connections: registry, workers, shutdown_timeout, tls } = options;
        let guard = registry.clone();
        // Those that are accepted and not admitted yet have files open as well.
        let accepted = registry.limits().connections + RESERVED_CONNECTIONS + ACCEPTED_AHEAD;
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
        let (server, address) = server.map_err(|error| unusable(setting, address, &error))?;
        Ok(Self { server, address, registry })
    }

    /// The address that is listened on, with the port that was taken.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn handle(&self) -> ListenerHandle {
        ListenerHandle { server: self.server.handle(), registry: self.registry.clone() }
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// Where the server ends by itself.
    pub(crate) async fn run(self) -> io::Result<()> {
        let mut watch = actix_web::rt::spawn(self.registry.watch());
        let served = tokio::select! {
            served = self.server => served,
            // It never ends by itself: without it no connection has a deadline.
            _ = &mut watch => Err(io::Error::other("the guard of its connections failed")),
        };
        watch.abort();
        served
    }
}

impl ListenerHandle {
    /// How many connections are open.
    pub(crate) fn open_connections(&self) -> usize {
        self.registry.counts().open
    }

    /// Accepts no more connections; where `graceful`, lets requests in flight finish first.
    pub(crate) async fn stop(&self, graceful: bool) {
        self.registry.drain();
        if !graceful {
            // A server that stops in order already hears no second order.
            self.registry.end_all();
        }
        self.server.stop(graceful).await;
    }
}

fn unusable(setting: &str, address: SocketAddr, error: &io::Error) -> anyhow::Error {
    let flag = setting.replace('_', "-");
    let known = [
        (ErrorKind::AddrInUse, "is in use by another program: stop that, or choose another with"),
        (ErrorKind::AddrNotAvailable, "cannot be listened on: it is not an address of this machine: choose one with"),
        (
            ErrorKind::PermissionDenied,
            "cannot be listened on: this user may not take the port: choose one from 1024 on with",
        ),
    ];
    match known.iter().find(|(kind, _)| *kind == error.kind()) {
        Some((_, words)) => anyhow!("{setting}: {address} {words} --{flag}"),
        None => anyhow!("{setting}: {address} cannot be listened on: {error}"),
    }
}
