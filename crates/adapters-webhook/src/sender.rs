//! The sender: one connection for each attempt.

use std::{
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, client::conn::http1, header};
use parlance_domain::{
    limits::{WEBHOOK_ANSWER_MAX_BYTES, WEBHOOK_CONNECT_TIMEOUT_SECONDS, WEBHOOK_TIMEOUT_SECONDS},
    webhook::{AllowedNetworks, AttemptFailure, UrlScheme, WebhookHost, WebhookRequest, WebhookSender, WebhookUrl},
};
use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    task::spawn_blocking,
    time::timeout,
};
use tokio_rustls::TlsConnector;

use crate::{Authorities, Resolver, SystemResolver, bounded_stream::BoundedStream};

/// The timeouts of an attempt.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    connect: Duration,
    attempt: Duration,
}

/// Sends requests over HTTP/1.1.
#[derive(Clone)]
pub struct HttpWebhookSender {
    networks: AllowedNetworks,
    authorities: Authorities,
    resolver: Arc<dyn Resolver>,
    timeouts: Timeouts,
}

impl HttpWebhookSender {
    /// Reaches public addresses and these networks.
    #[must_use]
    pub fn new(networks: AllowedNetworks, authorities: Authorities) -> Self {
        let timeouts = Timeouts {
            connect: Duration::from_secs(WEBHOOK_CONNECT_TIMEOUT_SECONDS),
            attempt: Duration::from_secs(WEBHOOK_TIMEOUT_SECONDS),
        };
        Self { networks, authorities, resolver: Arc::new(SystemResolver), timeouts }
    }

    /// Resolves hosts by another resolver.
    #[must_use]
    pub fn with_resolver(self, resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, ..self }
    }

    /// Sets the timeout of an attempt.
    #[must_use]
    pub fn with_timeout(self, attempt: Duration) -> Self {
        Self { timeouts: Timeouts { attempt, ..self.timeouts }, ..self }
    }

    async fn attempt(&self, request: &WebhookRequest) -> Result<u16, AttemptFailure> {
        let http_request = build_request(request).ok_or(AttemptFailure::Internal)?;
        let stream = self.connect(&request.url).await?;
        let status = match request.url.scheme() {
            UrlScheme::Http => exchange(stream, http_request).await?,
            UrlScheme::Https => exchange(self.encrypt(&request.url, stream).await?, http_request).await?,
        };
        if (200..300).contains(&status) { Ok(status) } else { Err(AttemptFailure::Status(status)) }
    }

    /// The addresses that may be reached. The connection goes to one of them: the name is not resolved a second time.
    async fn addresses(&self, url: &WebhookUrl) -> Result<Vec<IpAddr>, AttemptFailure> {
        let resolved = match url.host() {
            WebhookHost::Ip(address) => vec![*address],
            WebhookHost::Name(name) => self.resolver.resolve(name).await.unwrap_or_default(),
        };
        if resolved.is_empty() {
            return Err(AttemptFailure::Unresolved);
        }
        let is_permitted = |address: &IpAddr| self.networks.permits(url.scheme(), *address);
        let permitted: Vec<_> = resolved.into_iter().filter(is_permitted).collect();
        if permitted.is_empty() { Err(AttemptFailure::AddressNotAllowed) } else { Ok(permitted) }
    }

    async fn connect(&self, url: &WebhookUrl) -> Result<TcpStream, AttemptFailure> {
        let mut failure = AttemptFailure::Unreachable;
        for address in self.addresses(url).await? {
            let connection = TcpStream::connect(SocketAddr::new(address, url.port()));
            match timeout(self.timeouts.connect, connection).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(_)) => failure = AttemptFailure::Unreachable,
                Err(_) => failure = AttemptFailure::TimedOut,
            }
        }
        Err(failure)
    }

    async fn encrypt(
        &self,
        url: &WebhookUrl,
        stream: TcpStream,
    ) -> Result<impl AsyncRead + AsyncWrite + Unpin + use<>, AttemptFailure> {
        let authorities = self.authorities.clone();
        // The first call reads the files of the system.
        let config = spawn_blocking(move || authorities.client_config()).await.ok().flatten();
        let config = config.ok_or(AttemptFailure::Tls)?;
        let name = ServerName::try_from(url.host().to_string()).map_err(|_| AttemptFailure::Tls)?;
        TlsConnector::from(config).connect(name, stream).await.map_err(|_| AttemptFailure::Tls)
    }
}

#[async_trait]
impl WebhookSender for HttpWebhookSender {
    #[tracing::instrument(level = "debug", name = "webhook.http_webhook_sender.send", skip_all)]
    async fn send(&self, request: &WebhookRequest) -> Result<u16, AttemptFailure> {
        timeout(self.timeouts.attempt, self.attempt(request)).await.unwrap_or(Err(AttemptFailure::TimedOut))
    }
}

fn build_request(request: &WebhookRequest) -> Option<Request<Full<Bytes>>> {
    let WebhookRequest { url, id, timestamp, signature, body } = request;
    let builder = Request::post(url.path_and_query())
        .header(header::HOST, url.authority())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("parlance/", env!("CARGO_PKG_VERSION")))
        .header(header::CONNECTION, "close")
        .header("webhook-id", id.as_str())
        .header("webhook-timestamp", *timestamp)
        .header("webhook-signature", signature);
    builder.body(Full::new(Bytes::from(body.clone()))).ok()
}

/// Sends a request and returns the status of the answer. The connection is closed then, whatever follows of the answer.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    request: Request<Full<Bytes>>,
) -> Result<u16, AttemptFailure> {
    let stream = BoundedStream::new(stream, WEBHOOK_ANSWER_MAX_BYTES);
    let (mut sender, connection) = http1::handshake(stream).await.map_err(|_| AttemptFailure::Internal)?;
    let mut answer = pin!(sender.send_request(request));
    let answer = tokio::select! {
        biased;
        answer = &mut answer => answer,
        // An answer can arrive with the end of the connection.
        _ = connection => answer.await,
    };
    answer.map(|answer| answer.status().as_u16()).map_err(|error| exchange_failure(&error))
}

fn exchange_failure(error: &hyper::Error) -> AttemptFailure {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    let is_too_long = cause.is_some_and(|cause| cause.kind() == std::io::ErrorKind::FileTooLarge);
    if error.is_parse() || is_too_long { AttemptFailure::InvalidAnswer } else { AttemptFailure::Unreachable }
}
