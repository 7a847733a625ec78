//! The service of a listener: wraps each connection in the guard and passes the stream to the HTTP library.

use std::{fmt, io, net::SocketAddr, sync::Arc, time::Duration};

use actix_http::{HttpService, KeepAlive, Request, Response, error::DispatchError};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::{Error, body::MessageBody, dev::AppConfig};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Semaphore, task::yield_now, time::timeout};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

use super::{
    limits::{LINGER, MAX_OPENING_CONNECTIONS, WRITE_BUFFER_BYTES},
    registry::ConnectionRegistry,
    stream::GuardedStream,
    transport::Transport,
};

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 2_048;

/// Maximum number of unsent bytes in the kernel (`TCP_NOTSENT_LOWAT`). The kernel accepts more once half of these bytes
/// are on their way. The guard therefore observes the reads of a client in steps, and a client at the minimum rate must
/// complete one step within the write timeout.
const UNSENT_MAX_BYTES: u32 = 8 * 1024;

/// Listens on an address. Port 0 selects a free port.
///
/// # Errors
/// The server cannot listen on the address.
pub fn bind(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Serves an application on connections that the registry guards, with TLS if configured.
pub fn guarded_service<F, S, B>(
    registry: ConnectionRegistry,
    tls: Option<Arc<ServerConfig>>,
    application: F,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()>
where
    F: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Error: Into<Error> + 'static,
    S::InitError: fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    <S::Service as Service<Request>>::Future: 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
{
    let application = application.into_factory().map_err(|error| error.into().error_response());
    // The guard has its own deadlines for heads and idle connections. Those of the HTTP library start only once per
    // connection.
    let http = HttpService::build()
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(Duration::ZERO)
        .client_disconnect_timeout(LINGER)
        .h1_write_buffer_size(WRITE_BUFFER_BYTES)
        .on_connect_ext(|stream: &GuardedStream, extensions| {
            extensions.insert(stream.handle());
        })
        .h1(map_config(application, |()| AppConfig::default()));
    let tls = tls.map(TlsAcceptor::from);
    let opening_permits = Arc::new(Semaphore::new(MAX_OPENING_CONNECTIONS));
    fn_service(move |stream: TcpStream| accept(stream, registry.clone(), tls.clone(), opening_permits.clone()))
        .and_then(http)
}

/// Waits for an opening permit, admits the connection and completes its TLS handshake. An error only ends this
/// connection.
async fn accept(
    mut stream: TcpStream,
    registry: ConnectionRegistry,
    tls: Option<TlsAcceptor>,
    opening_permits: Arc<Semaphore>,
) -> Result<(GuardedStream, Option<SocketAddr>), DispatchError> {
    let peer = stream.peer_addr().ok();
    yield_to_open_connections(&opening_permits).await;
    let Some(admitted) = registry.admit(peer.map(|peer| peer.ip())) else {
        if tls.is_none() {
            // These are the first bytes of the connection, so the send buffer of the kernel has room for them.
            let reply = registry.replies().too_many_connections();
            let _ = timeout(LINGER, stream.write_all(&reply)).await;
        }
        return Err(DispatchError::DisconnectTimeout);
    };
    limit_unsent_bytes(&stream);
    let transport = match tls {
        None => Transport::Plain(stream),
        Some(acceptor) => tokio::select! {
            handshake = acceptor.accept(stream) => Transport::Tls(Box::new(handshake.map_err(DispatchError::Io)?)),
            () = admitted.wait_for_cut() => return Err(DispatchError::SlowRequestTimeout),
        },
    };
    Ok((GuardedStream::new(transport, admitted), peer))
}

/// Returns after the runtime has polled open connections for input. Only a few new connections proceed at a time: by
/// itself the runtime polls for input only when no task is ready, or after dozens of tasks. Admission and, without TLS,
/// the first read follow in one step, so that no connection is evicted before its first bytes are read.
async fn yield_to_open_connections(opening_permits: &Semaphore) {
    // The semaphore is never closed.
    let _permit = opening_permits.acquire().await.ok();
    yield_now().await;
}

fn limit_unsent_bytes(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    // Responses are also sent if the kernel does not support these options.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_notsent_lowat(UNSENT_MAX_BYTES);
}
