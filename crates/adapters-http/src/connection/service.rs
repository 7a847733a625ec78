//! The service of a listener: each connection under guard, in the hands of the HTTP library.

use std::{fmt, io, net::SocketAddr, sync::Arc, time::Duration};

use actix_http::{HttpService, KeepAlive, Request, Response, error::DispatchError};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::{Error, body::MessageBody, dev::AppConfig};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::{io::AsyncWriteExt, net::TcpStream, sync::Semaphore, task::yield_now, time::timeout};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

use super::{
    limits::{LINGER, OPENING_AT_ONCE, WRITE_BUFFER_BYTES},
    registry::ConnectionRegistry,
    stream::GuardedStream,
    transport::Transport,
};

/// Connections that wait to be accepted.
const BACKLOG: i32 = 2_048;

/// Most bytes that wait in the kernel without having been sent. The kernel asks for more once half of them are on their way,
/// so this is also the step in which the guard sees a client read: at the least rate it must come within the time for that.
const UNSENT_MAX_BYTES: u32 = 8 * 1024;

/// Listens on an address. Port 0 takes a free one.
///
/// # Errors
/// Where the address cannot be listened on.
pub fn bind(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Serves an application to connections that the registry guards; over TLS where it is configured.
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
    // The guard has deadlines of its own for heads and idle connections; the library's begin once a connection only.
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
    let turns = Arc::new(Semaphore::new(OPENING_AT_ONCE));
    fn_service(move |stream: TcpStream| accept(stream, registry.clone(), tls.clone(), turns.clone())).and_then(http)
}

/// Waits for the turn of a new connection, admits it and completes its TLS handshake. Its errors only end the connection.
async fn accept(
    mut stream: TcpStream,
    registry: ConnectionRegistry,
    tls: Option<TlsAcceptor>,
    turns: Arc<Semaphore>,
) -> Result<(GuardedStream, Option<SocketAddr>), DispatchError> {
    let peer = stream.peer_addr().ok();
    take_turn(&turns).await;
    let Some(admitted) = registry.admit(peer.map(|peer| peer.ip())) else {
        if tls.is_none() {
            // Its first bytes: the kernel has room for them, and nobody waits for more.
            let reply = registry.replies().refused();
            let _ = timeout(LINGER, stream.write_all(&reply)).await;
        }
        return Err(DispatchError::DisconnectTimeout);
    };
    bound_output(&stream);
    let transport = match tls {
        None => Transport::Plain(stream),
        Some(acceptor) => tokio::select! {
            handshake = acceptor.accept(stream) => Transport::Tls(Box::new(handshake.map_err(DispatchError::Io)?)),
            () = admitted.ended() => return Err(DispatchError::SlowRequestTimeout),
        },
    };
    Ok((GuardedStream::new(transport, admitted), peer))
}

/// Returns once the runtime has looked for input of open connections, to a few new ones at a time. It looks only once it has
/// nothing to run, or after dozens of tasks. What comes next, admission and without TLS the first read, is one step: a
/// connection is not evicted before what it has sent is read.
async fn take_turn(turns: &Semaphore) {
    // It is never closed.
    let _turn = turns.acquire().await.ok();
    yield_now().await;
}

fn bound_output(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    // Where the kernel knows neither, answers are sent all the same.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_notsent_lowat(UNSENT_MAX_BYTES);
}
