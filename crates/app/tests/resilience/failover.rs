//! Tests of failover to a synchronous standby: no acknowledged write is lost, none is doubled, and writes go on.

use std::{
    collections::HashMap,
    io::{Write, stderr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Method;
use tokio::{task::JoinSet, time::interval};

use crate::{
    outage::wait_for_status,
    postgres_cluster::Cluster,
    replica::{CONVERSATIONS, Caller, TEST_TIMEOUT, TestEnvironment, conversation, message, poll_delay},
};

/// Every writer sends ten writes a second, so that all together send 200.
const WRITER_COUNT: usize = 20;
const WRITE_INTERVAL: Duration = Duration::from_millis(100);

/// The number of acknowledged writes before each failover.
const WRITES_BEFORE_FAULT: usize = 200;

/// The longest time from the beginning of the promotion until every writer has written again.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(5);

fn failovers() -> usize {
    std::env::var("PARLANCE_TEST_FAILOVERS").map_or(1, |failovers| failovers.parse().unwrap())
}

/// An acknowledged write.
struct Ack {
    writer: usize,
    /// The text of a message, or the external id of a conversation.
    name: String,
    id: String,
    is_message: bool,
    at: Instant,
}

/// Writers that repeat each write until it is acknowledged: a message with its key, every fourth time a conversation
/// with its own external id.
struct PersistentWriters {
    tasks: JoinSet<()>,
    acks: Arc<Mutex<Vec<Ack>>>,
    is_stopped: Arc<AtomicBool>,
}

impl PersistentWriters {
    fn start(caller: &Caller, paths: &[String], round: usize) -> Self {
        let (mut tasks, acks, is_stopped) = (JoinSet::new(), Arc::default(), Arc::<AtomicBool>::default());
        for (writer, path) in paths.iter().cloned().enumerate() {
            let (caller, acks, is_stopped) = (caller.clone(), Arc::<Mutex<Vec<Ack>>>::clone(&acks), is_stopped.clone());
            tasks.spawn(async move {
                let mut ticks = interval(WRITE_INTERVAL);
                for number in 0_usize.. {
                    ticks.tick().await;
                    if is_stopped.load(Ordering::Relaxed) {
                        break;
                    }
                    let (name, is_message) = (format!("parcel-{round}-{writer}-{number}"), number % 4 != 3);
                    let id = write_until_acknowledged(&caller, &path, &name, is_message).await;
                    acks.lock().unwrap().push(Ack { writer, name, id, is_message, at: Instant::now() });
                }
            });
        }
        Self { tasks, acks, is_stopped }
    }

    fn acknowledged(&self) -> usize {
        self.acks.lock().unwrap().len()
    }

    async fn wait_for_more(&self, more: usize) {
        let (deadline, target) = (Instant::now() + TEST_TIMEOUT, self.acknowledged() + more);
        while self.acknowledged() < target {
            assert!(Instant::now() < deadline, "only {} of {target} writes are acknowledged", self.acknowledged());
            poll_delay().await;
        }
    }

    /// Returns the times from `start` until one writer, and until every writer, has written.
    async fn time_to_write(&self, start: Instant) -> [Duration; 2] {
        loop {
            let mut first_acks = HashMap::new();
            for ack in self.acks.lock().unwrap().iter().rev().take_while(|ack| ack.at > start) {
                first_acks.insert(ack.writer, ack.at - start);
            }
            if first_acks.len() == WRITER_COUNT {
                return [*first_acks.values().min().unwrap(), *first_acks.values().max().unwrap()];
            }
            assert!(start.elapsed() < TEST_TIMEOUT, "{} of {WRITER_COUNT} writers write again", first_acks.len());
            poll_delay().await;
        }
    }

    /// Ends every writer after its current write, and returns the acknowledged writes.
    async fn stop(self) -> Vec<Ack> {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.tasks.join_all().await;
        std::mem::take(&mut *self.acks.lock().unwrap())
    }
}

async fn write_until_acknowledged(caller: &Caller, path: &str, name: &str, is_message: bool) -> String {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let outcome = if is_message {
            caller.try_send_with_key(Method::POST, path, Some(&message(name)), Some(name)).await
        } else {
            caller.try_send(Method::POST, CONVERSATIONS, Some(&conversation(name))).await
        };
        if let Some((200, body)) = &outcome {
            return body["id"].as_str().unwrap().to_owned();
        }
        // 409: an earlier attempt with the same key is still in progress.
        assert!(matches!(outcome, Some((503 | 409, _))), "{name} is answered {outcome:?}");
        assert!(Instant::now() < deadline, "{name} is never acknowledged: {outcome:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Checks that the stored messages are exactly the acknowledged ones, and that each conversation is found by its id.
async fn assert_stored_once(caller: &Caller, paths: &[String], acks: &[Ack]) {
    let mut stored = Vec::new();
    for path in paths {
        let (status, list) = caller.get(path).await;
        assert_eq!(status, 200, "{list}");
        for item in list["items"].as_array().unwrap() {
            stored.push((item["text"].as_str().unwrap().to_owned(), item["messageId"].as_str().unwrap().to_owned()));
        }
    }
    let (messages, conversations): (Vec<_>, Vec<_>) = acks.iter().partition(|ack| ack.is_message);
    let mut acknowledged: Vec<_> = messages.iter().map(|ack| (ack.name.clone(), ack.id.clone())).collect();
    acknowledged.sort();
    stored.sort();
    let lost = acknowledged.iter().filter(|message| stored.binary_search(message).is_err()).collect::<Vec<_>>();
    assert!(lost.is_empty(), "acknowledged, but not stored under its id: {lost:?}");
    assert_eq!(stored.len(), acknowledged.len(), "a message is stored twice");
    for ack in conversations {
        let (status, found) = caller.get(&format!("{CONVERSATIONS}?externalId={}", ack.name)).await;
        assert_eq!((status, found["items"].as_array().unwrap().len()), (200, 1), "{}: {found}", ack.name);
        assert_eq!(found["items"][0]["id"], *ack.id, "{}: {found}", ack.name);
    }
}

/// Writes a measurement to standard error. The test harness does not hide it.
fn report(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

/// Makes the primary fail under 200 writes a second by a command of the cluster, promotes the standby, and checks that
/// writes go on and that every acknowledged one is stored once. Repeats this with the former primary as the standby.
async fn assert_failovers_are_survived(fault: &'static str) {
    let Some(mut cluster) = Cluster::start_pair() else { return };
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &cluster.url());
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let paths = caller.create_conversations(WRITER_COUNT).await;
    let mut acks = Vec::new();
    for round in 1..=failovers() {
        let writers = PersistentWriters::start(&caller, &paths, round);
        let start = Instant::now();
        writers.wait_for_more(WRITES_BEFORE_FAULT).await;
        let seconds = start.elapsed();
        cluster = cluster.run_in_background(fault).await;
        wait_for_status(&caller, "/health/ready", 503).await;
        let promotion = Instant::now();
        cluster = cluster.run_in_background("promote").await;
        let promoted = promotion.elapsed();
        let [first, all] = writers.time_to_write(promotion).await;
        report(&format!(
            "{fault} {round}: {WRITES_BEFORE_FAULT} writes in {seconds:.1?}; promoted after {promoted:.3?}, the first \
             writer wrote after {first:.3?}, all writers after {all:.3?}"
        ));
        assert!(all < MAX_RECOVERY_TIME, "writes go on {all:?} after the promotion");
        wait_for_status(&caller, "/health/ready", 200).await;
        cluster = cluster.run_in_background("rebuild").await;
        acks.extend(writers.stop().await);
        assert_stored_once(&caller, &paths, &acks).await;
    }
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_if_the_primary_is_killed() {
    assert_failovers_are_survived("kill").await;
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_if_the_primary_no_longer_answers() {
    assert_failovers_are_survived("freeze").await;
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_if_the_primary_becomes_read_only_without_ending_a_connection() {
    assert_failovers_are_survived("demote").await;
}
