//! Thousands of connections that mean no good: what others notice, and what memory they take.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    replica::{CONVERSATIONS, Caller, Place, Replica, message},
    timing::{p99, seconds},
};

/// Hostile connections at once.
const CONNECTIONS: usize = 2_000;

/// How often an attack is renewed, and how many connections are made anew each time at most.
const ROUND: Duration = Duration::from_millis(500);
const NEW_AT_ONCE: usize = 400;

/// How many times as high others' p99 may be as while another server is attacked. In a build without optimization a hostile
/// connection costs the server many times as much, and the attackers no more.
const FACTOR: u32 = if cfg!(debug_assertions) { 12 } else { 3 };

/// How long an attack lasts.
fn length() -> Duration {
    seconds("PARLANCE_TEST_HOSTILE_SECONDS", 6)
}

/// Most memory that the server may take, in KiB.
const MEMORY: u64 = 200 * 1024;

/// How a hostile connection behaves.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// It sends nothing.
    Silent,
    /// It sends a byte of a head each round.
    SlowHead,
    /// It completes a request, and sends a byte of the next.
    SecondHead,
    /// It announces a body, and sends a byte of it each round.
    SlowBody,
    /// It asks for the description again and again, and reads nothing.
    Pipelined,
    /// It asks for a long list and then for the description, and reads nothing.
    SlowReader,
    /// It sends a chunk extension without end.
    Extension,
}

const ALL: [Kind; 7] = [
    Kind::Silent,
    Kind::SlowHead,
    Kind::SecondHead,
    Kind::SlowBody,
    Kind::Pipelined,
    Kind::SlowReader,
    Kind::Extension,
];

/// A hostile connection. It does not wait for the server.
struct Hostile {
    stream: TcpStream,
    kind: Kind,
}

impl Hostile {
    fn open(address: SocketAddr, kind: Kind, list: &str) -> Option<Self> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
        stream.set_nonblocking(true).ok()?;
        let description = "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(500);
        let first = match kind {
            Kind::Silent => "",
            Kind::SlowHead => "GET / HTTP/1.1\r\nslow: ",
            Kind::SecondHead => "GET /health/live HTTP/1.1\r\nhost: a\r\n\r\nG",
            Kind::SlowBody => "POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n",
            Kind::Pipelined => &description,
            Kind::SlowReader => list,
            Kind::Extension => "POST /nowhere HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;",
        };
        // The server takes as much of it as it likes.
        let _ = stream.write(first.as_bytes());
        Some(Self { stream, kind })
    }

    /// Goes on being hostile. Returns whether the server still bears it.
    fn go_on(&mut self) -> bool {
        let more: &[u8] = match self.kind {
            Kind::SlowHead | Kind::SlowBody => b"x",
            Kind::Extension => &[b'x'; 4_096],
            Kind::Silent | Kind::SecondHead => {
                let read = self.stream.read(&mut [0; 512]);
                return !matches!(read, Ok(0))
                    && !read.is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock);
            }
            // Whoever reads nothing learns of the end by what it cannot send.
            Kind::Pipelined | Kind::SlowReader => b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n",
        };
        !self.stream.write(more).is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock)
    }
}

/// Keeps so many hostile connections open, made anew as they are closed, until this is dropped.
struct Attack {
    stopped: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Attack {
    fn on(server: &Replica, list: &str) -> Self {
        let address: SocketAddr = server.address().parse().unwrap();
        let (stopped, list) = (Arc::new(AtomicBool::new(false)), list.to_owned());
        let told = Arc::clone(&stopped);
        let thread = thread::spawn(move || {
            let (mut open, mut kinds) = (Vec::new(), ALL.into_iter().cycle());
            while !told.load(Ordering::Relaxed) {
                let began = Instant::now();
                open.retain_mut(Hostile::go_on);
                let missing = CONNECTIONS.saturating_sub(open.len()).min(NEW_AT_ONCE);
                open.extend(kinds.by_ref().take(missing).filter_map(|kind| Hostile::open(address, kind, &list)));
                thread::park_timeout(ROUND.saturating_sub(began.elapsed()));
            }
        });
        Self { stopped, thread: Some(thread) }
    }
}

impl Drop for Attack {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // Where it failed, there was nothing to bear.
            thread.join().unwrap();
        }
    }
}

/// A conversation of half a megabyte, as the request that lists it.
async fn long_list(caller: &Caller, credential: &(String, String)) -> String {
    let messages = caller.open("long").await;
    let batch = serde_json::json!({"messages": vec![message(&"all is well ".repeat(330)); 50]});
    for _ in 0..3 {
        assert_eq!(caller.post(&format!("{messages}/batch"), &batch).await.0, 200);
    }
    let (id, secret) = credential;
    format!("GET {messages} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n\r\n")
}

/// The p99 of requests in turn for so long, each of which is answered.
async fn p99_of_requests(caller: &Caller, length: Duration) -> Duration {
    let (mut times, end) = (Vec::new(), Instant::now() + length);
    while Instant::now() < end {
        let began = Instant::now();
        let (status, body) = caller.get(&format!("{CONVERSATIONS}?externalId=a")).await;
        times.push(began.elapsed());
        assert_eq!(status, 200, "{body}");
        // Within its own rate.
        tokio::time::sleep(Duration::from_millis(11).saturating_sub(began.elapsed())).await;
    }
    p99(times)
}

/// What others notice of an attack on this server, and the memory that it takes. The attackers share the processors with the
/// server, so the p99 is compared with that while the same attackers are at another server, which knows no credential.
async fn attacked(place: Place, start: impl Fn(&Place) -> Replica) {
    let (hostile, other) = (place.credential("acme"), place.credential("globex"));
    let server = start(&place);
    let list = long_list(&server.caller(&hostile), &hostile).await;
    let caller = server.caller(&other);
    let elsewhere = {
        let bystander = Place::new();
        bystander.print(&["migrate"]);
        let bystander = bystander.serve();
        let _attack = Attack::on(&bystander, &list);
        p99_of_requests(&caller, length()).await
    };
    let attack = Attack::on(&server, &list);
    let beside = p99_of_requests(&caller, length()).await;
    // A balancer that asks anew each time is answered as well.
    assert_eq!(server.caller(&other).get("/health/live").await.0, 200);
    drop(attack);
    let memory = server.peak_memory();
    assert!(beside <= FACTOR * elsewhere, "{beside:?} beside, {elsewhere:?} with the attack elsewhere, {memory} KiB");
    assert!(memory < MEMORY, "{memory} KiB, {beside:?} beside, {elsewhere:?} with the attack elsewhere");
}

/// At the usual rate, so that a caller with a credential takes no more than its share.
fn place() -> Place {
    Place::new().with("RATE_LIMIT_PER_SECOND", "100").with("RATE_LIMIT_BURST", "200")
}

#[actix_web::test]
async fn two_thousand_hostile_connections_of_every_kind_are_hardly_noticed() {
    attacked(place(), Place::serve).await;
}

#[actix_web::test]
async fn a_server_that_may_open_few_files_bears_them_as_well() {
    attacked(place(), |place| place.serve_by("ulimit -n 256; exec \"$0\" \"$@\"")).await;
}
