//! A receiver of webhooks on a local socket, which can behave badly.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

/// How long a test waits for requests: several times as long as the first delay after a failure, on a busy machine.
const MAX_WAIT: Duration = Duration::from_mins(2);

/// What a receiver does after it has read a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiverBehaviour {
    /// Answers with this status.
    Status(u16),
    /// Redirects to this address.
    Redirect(String),
    /// Never answers.
    Hang,
    /// Closes the connection.
    Close,
    /// Answers with success and a body of 10 MB.
    LargeBody,
    /// Answers with a header that never ends.
    EndlessHeader,
    /// Answers with interim responses without end.
    EndlessInterim,
    /// Answers with a success after one interim response.
    InterimThenSuccess,
    /// Answers with something that is no HTTP.
    Nonsense,
}

/// A request as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedWebhook {
    /// The first line.
    pub request_line: String,
    /// The headers, with names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
}

/// A receiver. Dropping the value stops it.
pub struct WebhookReceiver {
    address: SocketAddr,
    behaviour: Arc<Mutex<ReceiverBehaviour>>,
    received: watch::Receiver<Vec<ReceivedWebhook>>,
    accepting: JoinHandle<()>,
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl WebhookReceiver {
    /// Starts a receiver on a free port of the loopback address.
    pub async fn start(behaviour: ReceiverBehaviour) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let behaviour = Arc::new(Mutex::new(behaviour));
        let (sender, received) = watch::channel(Vec::new());
        let (sender, shared) = (Arc::new(sender), Arc::clone(&behaviour));
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (sender, behaviour) = (Arc::clone(&sender), Arc::clone(&shared));
                tokio::spawn(async move {
                    // The sender may close the connection at any time.
                    let _ = serve(stream, &behaviour, &sender).await;
                });
            }
        });
        Self { address, behaviour, received, accepting }
    }

    /// The address, by `http`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/in?a=b", self.address)
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Behaves in another way from the next request on.
    pub fn set_behaviour(&self, behaviour: ReceiverBehaviour) {
        *self.behaviour.lock().expect("no panic while the lock is held") = behaviour;
    }

    /// The requests that were received.
    #[must_use]
    pub fn received(&self) -> Vec<ReceivedWebhook> {
        self.received.borrow().clone()
    }

    /// Waits until this many requests were received.
    ///
    /// # Panics
    /// If they were not received within two minutes.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedWebhook> {
        let mut received = self.received.clone();
        let waited = timeout(MAX_WAIT, received.wait_for(|received| received.len() >= count)).await;
        let Ok(found) = waited else { panic!("{} of {count} requests were received", self.received().len()) };
        found.unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    behaviour: &Mutex<ReceiverBehaviour>,
    received: &watch::Sender<Vec<ReceivedWebhook>>,
) -> std::io::Result<()> {
    let request = read_request(&mut stream).await?;
    let behaviour = behaviour.lock().expect("no panic while the lock is held").clone();
    received.send_modify(|received| received.push(request));
    match behaviour {
        ReceiverBehaviour::Status(status) => {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: 2\r\n\r\nok");
            stream.write_all(head.as_bytes()).await?;
        }
        ReceiverBehaviour::Redirect(location) => {
            let head = format!("HTTP/1.1 307 X\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).await?;
        }
        ReceiverBehaviour::Hang => std::future::pending().await,
        ReceiverBehaviour::Close => {}
        ReceiverBehaviour::LargeBody => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n").await?;
            stream.write_all(&vec![b'a'; 10_000_000]).await?;
        }
        ReceiverBehaviour::EndlessHeader => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nx: ").await?;
            write_endlessly(&mut stream, &[b'a'; 1_000]).await?;
        }
        ReceiverBehaviour::EndlessInterim => {
            write_endlessly(&mut stream, b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n").await?;
        }
        ReceiverBehaviour::InterimThenSuccess => {
            stream.write_all(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n").await?;
        }
        ReceiverBehaviour::Nonsense => stream.write_all(b"220 mail.example.com ESMTP\r\n\r\n").await?,
    }
    stream.shutdown().await
}

async fn write_endlessly(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    loop {
        stream.write_all(bytes).await?;
    }
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<ReceivedWebhook> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let request_line = lines.next().unwrap_or_default().to_owned();
    let headers: BTreeMap<_, _> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or_default();
    while bytes.len() < head_end + 4 + length {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    let body = String::from_utf8_lossy(&bytes[head_end + 4..]).into_owned();
    Ok(ReceivedWebhook { request_line, headers, body })
}
