//! An S3 server of the tests: moto's, as a process of its own on a free port. It ends with the process of the tests,
//! however that ends.

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

use crate::{client::http, python};

/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_mins(1);

struct Server {
    address: String,
    /// The shell that stops the server when its standard input ends: it is held open by this process alone.
    _watcher: Child,
}

/// The address of the server, or none where the tests go without S3.
#[must_use]
pub fn server() -> Option<&'static str> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(start).as_ref().map(|server| server.address.as_str())
}

fn start() -> Option<Server> {
    let program = python::programs()?.join("moto_server");
    let unused = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr()).unwrap();
    let port = unused.port().to_string();
    let mut command = Command::new("sh");
    command.args(["-c", "\"$@\" & server=$!; cat >/dev/null; kill $server", "sh"]);
    command.arg(program).args(["-H", "127.0.0.1", "-p", &port]);
    let watcher = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while TcpStream::connect(unused).is_err() {
        assert!(begun.elapsed() < PATIENCE, "the S3 server of the tests did not start");
        std::thread::yield_now();
    }
    Some(Server { address: format!("http://{unused}"), _watcher: watcher })
}

/// A new bucket on the server: its name, and the store in it. Nothing where the tests go without S3.
pub async fn bucket() -> Option<(String, AmazonS3)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = server()?;
    let name = format!("feeds-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let made = http().put(format!("{server}/{name}")).send().await.unwrap();
    assert!(made.status().is_success(), "{}", made.status());
    Some((name.clone(), open(&name)?))
}

/// The store in a bucket of the server, whether or not there is such a bucket. Nothing where the tests go without S3.
#[must_use]
pub fn open(bucket: &str) -> Option<AmazonS3> {
    parlance::tls::install_provider();
    let store = AmazonS3Builder::new()
        .with_endpoint(server()?)
        .with_allow_http(true)
        .with_region("us-east-1")
        .with_bucket_name(bucket)
        .with_access_key_id("test")
        .with_secret_access_key("test")
        .build();
    Some(store.unwrap())
}
