//! The S3 server of the tests: the moto server, as a separate process on a free port. The server stops when the test
//! process ends, even if that is killed.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use object_store::aws::{AmazonS3, AmazonS3Builder};

use crate::{client::http_client, python};

/// The time limit for the start of the server.
const START_TIMEOUT: Duration = Duration::from_mins(1);

struct Server {
    url: String,
    /// The shell that stops the server when its standard input ends. Only this process keeps that input open.
    _watcher: Child,
}

/// The URL of the server; `None` if the tests run without S3.
#[must_use]
pub fn server_url() -> Option<&'static str> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map(|server| server.url.as_str())
}

fn start() -> Option<Server> {
    let program = python::programs_directory()?.join("moto_server");
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).unwrap();
    let port = address.port().to_string();
    let mut command = Command::new("sh");
    command.args(["-c", "\"$@\" & server=$!; cat >/dev/null; kill $server", "sh"]);
    command.arg(program).args(["-H", "127.0.0.1", "-p", &port]);
    let watcher = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started_at = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(started_at.elapsed() < START_TIMEOUT, "the S3 server of the tests did not start in time");
        std::thread::yield_now();
    }
    Some(Server { url: format!("http://{address}"), _watcher: watcher })
}

/// Creates a bucket. Returns its name and its store; `None` if the tests run without S3.
pub async fn create_bucket() -> Option<(String, AmazonS3)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = server_url()?;
    let name = format!("feeds-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let response = http_client().put(format!("{server}/{name}")).send().await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    Some((name.clone(), open_bucket(&name)?))
}

/// The store of a bucket, which may be missing; `None` if the tests run without S3.
#[must_use]
pub fn open_bucket(bucket: &str) -> Option<AmazonS3> {
    parlance::tls::install_provider();
    let store = AmazonS3Builder::new()
        .with_endpoint(server_url()?)
        .with_allow_http(true)
        .with_region("us-east-1")
        .with_bucket_name(bucket)
        .with_access_key_id("test")
        .with_secret_access_key("test")
        .build();
    Some(store.unwrap())
}
