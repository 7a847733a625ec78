//! Tests of the latency and the throughput of other callers beside slow connections and beside a flood. The tests
//! measure time, so they run separately: `just load`.

use std::{
    io::Write,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    replica::{CONVERSATIONS, Caller, TestEnvironment},
    timing::{p99, seconds_from_env},
};

/// Sends this many requests one after another, and returns their latencies.
async fn latencies(caller: &Caller, requests: usize) -> Vec<Duration> {
    let mut latencies = Vec::new();
    for _ in 0..requests {
        let start = Instant::now();
        assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0, 200);
        latencies.push(start.elapsed());
    }
    latencies
}

/// Opens connections that send one byte a second each, and replaces closed ones, until `stopped` is set.
fn spawn_slow_connections(address: String, connections: usize, stopped: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut open: Vec<TcpStream> = Vec::new();
        while !stopped.load(Ordering::Relaxed) {
            let start = Instant::now();
            open.retain_mut(|connection| connection.write_all(b"x").is_ok());
            while open.len() < connections {
                let mut connection = TcpStream::connect(&address).unwrap();
                connection.write_all(b"GET / HTTP/1.1\r\nslow: ").unwrap();
                open.push(connection);
            }
            thread::park_timeout(Duration::from_secs(1).saturating_sub(start.elapsed()));
        }
    })
}

#[actix_web::test]
#[ignore = "measures time: just load"]
async fn two_thousand_slow_connections_at_most_triple_the_p99_of_other_callers() {
    let env = TestEnvironment::new();
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    latencies(&caller, 200).await;
    let reference_p99 = p99(latencies(&caller, 3_000).await);
    let stopped = Arc::new(AtomicBool::new(false));
    let slow = spawn_slow_connections(server.address().to_owned(), 2_000, Arc::clone(&stopped));
    latencies(&caller, 500).await;
    let loaded_p99 = p99(latencies(&caller, 3_000).await);
    stopped.store(true, Ordering::Relaxed);
    slow.thread().unpark();
    slow.join().unwrap();
    print_line(&format!("p99 {reference_p99:?} alone, {loaded_p99:?} beside 2,000 slow connections"));
    assert!(loaded_p99 <= reference_p99 * 3, "p99 {loaded_p99:?} beside slow connections, {reference_p99:?} alone");
}

/// Sends requests one after another, checks that each succeeds, and returns the number of requests per second.
async fn throughput(caller: &Caller, during: Duration) -> f64 {
    let (start, mut answered) = (Instant::now(), 0_u32);
    while start.elapsed() < during {
        assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0, 200);
        answered += 1;
        // This caller stays far below its rate limit, so only the server can limit the throughput.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    f64::from(answered) / start.elapsed().as_secs_f64()
}

/// Runs this many callers of one credential on a separate thread until `stopped` is set. Each caller sends up to a
/// hundred requests a second. The thread returns the number of requests and the number of 429 responses.
fn spawn_flood(caller: Caller, callers: usize, stopped: Arc<AtomicBool>) -> thread::JoinHandle<(u32, u32)> {
    let send = async move |caller: Caller, stopped: Arc<AtomicBool>| {
        let mut pace = tokio::time::interval(Duration::from_millis(10));
        let (mut sent, mut rejected) = (0, 0);
        while !stopped.load(Ordering::Relaxed) {
            pace.tick().await;
            let status = caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0;
            sent += 1;
            rejected += u32::from(status == 429);
        }
        (sent, rejected)
    };
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let all = (0..callers).map(|_| send(caller.clone(), Arc::clone(&stopped)));
        let counted = runtime.block_on(futures_util::future::join_all(all));
        counted.into_iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    })
}

#[actix_web::test]
#[ignore = "measures time: just load"]
async fn a_flood_of_twenty_times_the_rate_costs_other_callers_at_most_a_fifth_of_their_throughput() {
    let during = seconds_from_env("PARLANCE_TEST_FLOOD_SECONDS", 10);
    let env =
        TestEnvironment::new().with_setting("RATE_LIMIT_PER_SECOND", "100").with_setting("RATE_LIMIT_BURST", "200");
    let (flooding, other) = (env.create_credential("acme"), env.create_credential("globex"));
    let server = env.serve();
    let caller = server.caller(&other);
    let reference_rate = throughput(&caller, Duration::from_secs(3)).await;
    let stopped = Arc::new(AtomicBool::new(false));
    let flood = spawn_flood(server.caller(&flooding), 20, Arc::clone(&stopped));
    let loaded_rate = throughput(&caller, during).await;
    stopped.store(true, Ordering::Relaxed);
    let counted = flood.join().unwrap();
    let (flood_rate, memory) = (f64::from(counted.0) / during.as_secs_f64(), server.peak_memory_kib() / 1_024);
    print_line(&format!(
        "{reference_rate:.0} requests/s alone, {loaded_rate:.0} beside a flood of {flood_rate:.0} ({} of {} rejected), \
         {memory} MiB",
        counted.1, counted.0
    ));
    assert!(
        loaded_rate > reference_rate * 0.8,
        "{loaded_rate:.0} requests/s beside the flood, {reference_rate:.0} alone"
    );
    assert!(memory < 200, "{memory} MiB");
}

/// Prints a line even if the test passes.
fn print_line(line: &str) {
    // A failure to print must not fail the test.
    let _ = writeln!(std::io::stderr(), "{line}");
}
