//! Callers that send slowly, and callers that send too much: what others notice. These measure time, so they are run on
//! their own: `just load`.

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
    replica::{CONVERSATIONS, Caller, Place},
    timing::{p99, seconds},
};

/// How long each of these many requests in turn took.
async fn times(caller: &Caller, requests: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..requests {
        let began = Instant::now();
        assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0, 200);
        times.push(began.elapsed());
    }
    times
}

/// Connections that send a byte a second each, made anew as they are closed, until they are stopped.
fn dribble(address: String, connections: usize, stopped: Arc<AtomicBool>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut open: Vec<TcpStream> = Vec::new();
        while !stopped.load(Ordering::Relaxed) {
            let began = Instant::now();
            open.retain_mut(|connection| connection.write_all(b"x").is_ok());
            while open.len() < connections {
                let mut connection = TcpStream::connect(&address).unwrap();
                connection.write_all(b"GET / HTTP/1.1\r\nslow: ").unwrap();
                open.push(connection);
            }
            thread::park_timeout(Duration::from_secs(1).saturating_sub(began.elapsed()));
        }
    })
}

#[actix_web::test]
#[ignore = "measures time: just load"]
async fn two_thousand_slow_connections_leave_others_within_three_times_of_normal() {
    let place = Place::new();
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    times(&caller, 200).await;
    let normal = p99(times(&caller, 3_000).await);
    let stopped = Arc::new(AtomicBool::new(false));
    let slow = dribble(server.address().to_owned(), 2_000, Arc::clone(&stopped));
    times(&caller, 500).await;
    let beside = p99(times(&caller, 3_000).await);
    stopped.store(true, Ordering::Relaxed);
    slow.thread().unpark();
    slow.join().unwrap();
    println(&format!("p99 {normal:?} alone, {beside:?} beside 2,000 slow connections"));
    assert!(beside <= normal * 3, "{beside:?} beside, {normal:?} alone");
}

/// How many requests of a caller are answered 200 in a second.
async fn throughput(caller: &Caller, during: Duration) -> f64 {
    let (began, mut answered) = (Instant::now(), 0_u32);
    while began.elapsed() < during {
        assert_eq!(caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0, 200);
        answered += 1;
        // The others' own pace: far under their rate, so that what is measured is whether they are served.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    f64::from(answered) / began.elapsed().as_secs_f64()
}

/// So many callers of one credential that send a hundred requests a second each, on a thread of their own, until they are
/// stopped: how many were sent, and how many of these were held back.
fn flood(caller: Caller, callers: usize, stopped: Arc<AtomicBool>) -> thread::JoinHandle<(u32, u32)> {
    let send = async move |caller: Caller, stopped: Arc<AtomicBool>| {
        let mut pace = tokio::time::interval(Duration::from_millis(10));
        let (mut sent, mut held) = (0, 0);
        while !stopped.load(Ordering::Relaxed) {
            pace.tick().await;
            let status = caller.get(&format!("{CONVERSATIONS}?externalId=a")).await.0;
            sent += 1;
            held += u32::from(status == 429);
        }
        (sent, held)
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
async fn a_flood_of_twenty_times_the_rate_leaves_others_four_fifths_and_memory_small() {
    let during = seconds("PARLANCE_TEST_FLOOD_SECONDS", 10);
    let place = Place::new().with("RATE_LIMIT_PER_SECOND", "100").with("RATE_LIMIT_BURST", "200");
    let (flooding, other) = (place.credential("acme"), place.credential("globex"));
    let server = place.serve();
    let caller = server.caller(&other);
    let alone = throughput(&caller, Duration::from_secs(3)).await;
    let stopped = Arc::new(AtomicBool::new(false));
    let flood = flood(server.caller(&flooding), 20, Arc::clone(&stopped));
    let beside = throughput(&caller, during).await;
    stopped.store(true, Ordering::Relaxed);
    let counted = flood.join().unwrap();
    let (rate, memory) = (f64::from(counted.0) / during.as_secs_f64(), server.peak_memory() / 1_024);
    println(&format!(
        "{alone:.0} a second alone, {beside:.0} beside {rate:.0} a second of a flood ({} of {} held back), {memory} MiB",
        counted.1, counted.0
    ));
    assert!(beside > alone * 0.8, "{beside:.0} beside, {alone:.0} alone");
    assert!(memory < 200, "{memory} MiB");
}

/// Shown whether the test passes or not.
fn println(line: &str) {
    // Where the output is gone there is no one left to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}
