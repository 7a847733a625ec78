//! Tests of the server under thousands of hostile connections: the p99 latency of other callers, and the memory.

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
    replica::{CONVERSATIONS, Caller, Replica, TestEnvironment, message},
    timing::{p99, seconds_from_env},
};

/// Number of simultaneous hostile connections.
const CONNECTIONS: usize = 2_000;

/// Number of attacks on each of the two servers, in turn. Together they give enough requests for a stable p99.
const ATTACKS: usize = 4;

/// Time in which each hostile connection acts once.
const ROUND: Duration = Duration::from_millis(500);

/// Number of parts of a round. Another part of the connections acts in each, because the clients of a real attack do not
/// act at the same moment.
const PARTS: u32 = 20;

/// Maximum number of new connections in a part of a round: 800 a second.
const MAX_NEW_PER_PART: usize = 20;

/// Maximum ratio of the p99 of other callers to their p99 while another server is attacked. In a build without
/// optimization a hostile connection costs the server many times as much, and the attackers no more.
const MAX_P99_RATIO: u32 = if cfg!(debug_assertions) { 12 } else { 3 };

/// Returns the duration of one attack.
fn measurement_duration() -> Duration {
    seconds_from_env("PARLANCE_TEST_HOSTILE_SECONDS", if cfg!(debug_assertions) { 2 } else { 5 })
}

/// Maximum memory of the server, in KiB.
const MAX_MEMORY_KIB: u64 = 200 * 1024;

/// The behavior of a hostile connection.
#[derive(Debug, Clone, Copy)]
enum Behavior {
    /// Sends nothing.
    Silent,
    /// Sends one byte of a request head each round.
    SlowHead,
    /// Completes a request, and sends one byte of the next.
    SecondHead,
    /// Announces a body, and sends one byte of the body each round.
    SlowBody,
    /// Requests the OpenAPI document repeatedly, and reads nothing.
    Pipelined,
    /// Requests a long list and then the OpenAPI document, and reads nothing.
    SlowReader,
    /// Sends an endless chunk extension.
    Extension,
}

const ALL_BEHAVIORS: [Behavior; 7] = [
    Behavior::Silent,
    Behavior::SlowHead,
    Behavior::SecondHead,
    Behavior::SlowBody,
    Behavior::Pipelined,
    Behavior::SlowReader,
    Behavior::Extension,
];

/// A hostile connection. Reads and writes do not block.
struct HostileConnection {
    stream: TcpStream,
    behavior: Behavior,
}

impl HostileConnection {
    fn open(address: SocketAddr, behavior: Behavior, list: &str) -> Option<Self> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
        stream.set_nonblocking(true).ok()?;
        let pipelined = "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(500);
        let first = match behavior {
            Behavior::Silent => "",
            Behavior::SlowHead => "GET / HTTP/1.1\r\nslow: ",
            Behavior::SecondHead => "GET /health/live HTTP/1.1\r\nhost: a\r\n\r\nG",
            Behavior::SlowBody => "POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n",
            Behavior::Pipelined => &pipelined,
            Behavior::SlowReader => list,
            Behavior::Extension => "POST /nowhere HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;",
        };
        // The server may accept only a part of this.
        let _ = stream.write(first.as_bytes());
        Some(Self { stream, behavior })
    }

    /// Sends or reads what the behavior demands in a round. Returns whether the connection is still open.
    fn run_round(&mut self) -> bool {
        let more: &[u8] = match self.behavior {
            Behavior::SlowHead | Behavior::SlowBody => b"x",
            Behavior::Extension => &[b'x'; 4_096],
            Behavior::Silent | Behavior::SecondHead => {
                let read = self.stream.read(&mut [0; 512]);
                return !matches!(read, Ok(0))
                    && !read.is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock);
            }
            // A client that reads nothing detects the end of the connection by a failed write.
            Behavior::Pipelined | Behavior::SlowReader => b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n",
        };
        !self.stream.write(more).is_err_and(|error| error.kind() != std::io::ErrorKind::WouldBlock)
    }
}

/// Gives this thread the lowest priority, because attackers of a real server do not share its processors.
fn lower_priority() {
    rustix::process::setpriority_process(None, 19).unwrap();
}

/// Keeps [`CONNECTIONS`] hostile connections open, and replaces closed ones, until this value is dropped.
struct Attack {
    stopped: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Attack {
    fn start(server: &Replica, list: &str) -> Self {
        let address: SocketAddr = server.address().parse().unwrap();
        let (stopped, list) = (Arc::new(AtomicBool::new(false)), list.to_owned());
        let stop_flag = Arc::clone(&stopped);
        let thread = thread::spawn(move || {
            lower_priority();
            let (mut open, mut behaviors) = (Vec::new(), ALL_BEHAVIORS.into_iter().cycle());
            for part in (0..PARTS).cycle() {
                if stop_flag.load(Ordering::Relaxed) {
                    break;
                }
                let start = Instant::now();
                let mut indices = (0..PARTS).cycle();
                open.retain_mut(|connection: &mut HostileConnection| {
                    indices.next() != Some(part) || connection.run_round()
                });
                let missing = CONNECTIONS.saturating_sub(open.len()).min(MAX_NEW_PER_PART);
                open.extend(
                    behaviors
                        .by_ref()
                        .take(missing)
                        .filter_map(|behavior| HostileConnection::open(address, behavior, &list)),
                );
                thread::park_timeout((ROUND / PARTS).saturating_sub(start.elapsed()));
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
            // A failed attack tests nothing, so the test must fail too.
            thread.join().unwrap();
        }
    }
}

/// Creates a conversation of half a megabyte, and returns the request that lists its messages.
async fn long_list(caller: &Caller, credential: &(String, String)) -> String {
    let messages = caller.create_conversation("long").await;
    let batch = serde_json::json!({"messages": vec![message(&"all is well ".repeat(330)); 50]});
    for _ in 0..3 {
        assert_eq!(caller.post(&format!("{messages}/batch"), &batch).await.0, 200);
    }
    let (id, secret) = credential;
    format!("GET {messages} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n\r\n")
}

/// Sends requests one after another for this time, checks that each succeeds, and adds their latencies.
async fn send_requests(caller: &Caller, duration: Duration, times: &mut Vec<Duration>) {
    let end = Instant::now() + duration;
    while Instant::now() < end {
        let start = Instant::now();
        let (status, body) = caller.get(&format!("{CONVERSATIONS}?externalId=a")).await;
        times.push(start.elapsed());
        assert_eq!(status, 200, "{body}");
        // Stays within the rate limit of the credential.
        tokio::time::sleep(Duration::from_millis(11).saturating_sub(start.elapsed())).await;
    }
}

/// Checks the p99 of another caller and the memory of the server during an attack. The attackers share the processors
/// with the server. The p99 is therefore compared with that during the same attacks on another server, which has no
/// credential.
async fn assert_attack_is_tolerated(env: TestEnvironment, start_server: impl Fn(&TestEnvironment) -> Replica) {
    let (hostile, other) = (env.create_credential("acme"), env.create_credential("globex"));
    let server = start_server(&env);
    let list = long_list(&server.caller(&hostile), &hostile).await;
    let caller = server.caller(&other);
    let bystander_env = TestEnvironment::new();
    bystander_env.run_ok(&["migrate"]);
    let bystander = bystander_env.serve();
    let (mut reference_times, mut attacked_times) = (Vec::new(), Vec::new());
    for _ in 0..ATTACKS {
        let attack = Attack::start(&bystander, &list);
        send_requests(&caller, measurement_duration(), &mut reference_times).await;
        drop(attack);
        let attack = Attack::start(&server, &list);
        send_requests(&caller, measurement_duration(), &mut attacked_times).await;
        // A load balancer that opens a connection for each health check is served too.
        assert_eq!(server.caller(&other).get("/health/live").await.0, 200);
        drop(attack);
    }
    let (reference_p99, attacked_p99) = (p99(reference_times), p99(attacked_times));
    let memory = server.peak_memory_kib();
    assert!(
        attacked_p99 <= MAX_P99_RATIO * reference_p99,
        "p99 {attacked_p99:?}, {reference_p99:?} during attacks on another server, {memory} KiB"
    );
    assert!(
        memory < MAX_MEMORY_KIB,
        "{memory} KiB, p99 {attacked_p99:?}, {reference_p99:?} during attacks on another server"
    );
}

/// Creates an environment with a rate limit, so that a caller with a credential takes no more than its share.
fn rate_limited_environment() -> TestEnvironment {
    TestEnvironment::new().with_setting("RATE_LIMIT_PER_SECOND", "100").with_setting("RATE_LIMIT_BURST", "200")
}

#[actix_web::test]
async fn other_callers_stay_fast_beside_two_thousand_hostile_connections_of_every_kind() {
    assert_attack_is_tolerated(rate_limited_environment(), TestEnvironment::serve).await;
}

#[actix_web::test]
async fn other_callers_stay_fast_beside_them_on_a_server_with_few_file_descriptors() {
    assert_attack_is_tolerated(rate_limited_environment(), |env| {
        env.serve_through_shell("ulimit -n 256; exec \"$0\" \"$@\"")
    })
    .await;
}
