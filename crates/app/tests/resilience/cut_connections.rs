//! Tests in which connections to PostgreSQL are cut before, within and after a protocol message, for messages of every
//! operation. No acknowledged write is lost, no request with a key is applied twice, and every response has a promised
//! status and comes in time.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    outage::MAX_OUTAGE_RESPONSE_TIME,
    postgres_cluster::{Cluster, url_for_port},
    proxy::{Cut, CutPoint, Direction, PostgresProxy},
    replica::{CONVERSATIONS, Caller, TEST_TIMEOUT, TestEnvironment, conversation, message, poll_delay},
};

const VOCABULARY: &str = "/configuration/v1/custom-vocabularies";
const ENTITY: &str = "/configuration/v1/redaction/redaction-entity/EMAIL";

/// Runs of which the one with the fewest messages says where to cut, because background tasks send messages of their own.
const COUNTED_RUNS: usize = 3;
/// Runs in which a cut must be made. One run may end just before the message to cut at.
const MAX_RUNS_PER_CUT: usize = 3;

/// Returns the number of messages in each direction at which connections are cut.
fn cuts() -> usize {
    std::env::var("PARLANCE_TEST_CUTS").map_or(16, |cuts| cuts.parse().unwrap())
}

/// A client that repeats requests until they succeed, and checks that every response has a promised status.
struct RetryingClient<'caller> {
    caller: &'caller Caller,
    /// The current cut, for assert messages.
    cut: String,
}

impl RetryingClient<'_> {
    /// Sends a request once, and checks the status and the latency of the response.
    async fn send(&self, method: Method, path: &str, body: Option<&Value>, key: Option<&str>) -> (u16, Value) {
        let start = Instant::now();
        let answer = self.caller.try_send_with_key(method.clone(), path, body, key).await;
        let (context, latency) = (format!("{method} {path} at {}", self.cut), start.elapsed());
        assert!(answer.is_some(), "{context}: no response");
        let (status, body) = answer.unwrap();
        assert!(latency < MAX_OUTAGE_RESPONSE_TIME, "{context}: the response took {latency:?}");
        let is_promised = [200, 201, 204, 503].contains(&status)
            || (status == 409 && key.is_some())
            || (status == 404 && method == Method::DELETE);
        assert!(is_promised, "{context}: {status} {body}");
        (status, body)
    }

    /// Repeats a request until it succeeds. A request without a key must be idempotent.
    async fn send_until_success(&self, method: Method, path: &str, body: Option<&Value>, key: Option<&str>) -> Value {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let (status, answer) = self.send(method.clone(), path, body, key).await;
            if ![409, 503].contains(&status) {
                return answer;
            }
            assert!(Instant::now() < deadline, "{method} {path} never succeeds at {}", self.cut);
            poll_delay().await;
        }
    }

    async fn post_with_key(&self, path: &str, body: &Value, key: &str) -> Value {
        self.send_until_success(Method::POST, path, Some(body), Some(key)).await
    }

    async fn get(&self, path: &str) -> Value {
        self.send_until_success(Method::GET, path, None, None).await
    }

    /// Runs every operation on a new conversation, and checks what is stored afterwards.
    async fn run(&self, number: usize) {
        let name = format!("call-{number}");
        let id =
            self.post_with_key(CONVERSATIONS, &conversation(&name), &name).await["id"].as_str().unwrap().to_owned();
        let path = format!("{CONVERSATIONS}/{id}/messages");
        let expected = self.append_messages(&path, number).await;
        self.check_messages(&path, &expected).await;
        assert_eq!(self.get(&format!("{CONVERSATIONS}?externalId={name}")).await["items"][0]["id"], id);
        self.configure(number).await;
        self.get("/health/ready").await;
    }

    /// Sends messages, singly and as a batch, with and without a key. Returns the id and the text of each acknowledged
    /// message.
    async fn append_messages(&self, path: &str, number: usize) -> Vec<(Value, String)> {
        let text = |index: usize| format!("parcel {number} {index}");
        let (one, other) = (message(&text(1)), message(&text(2)));
        let (first, second) = (text(1), text(2));
        let (one, other) =
            tokio::join!(self.post_with_key(path, &one, &first), self.post_with_key(path, &other, &second));
        let mut acknowledged = vec![(one["id"].clone(), text(1)), (other["id"].clone(), text(2))];
        let batch = json!({"messages": [message(&text(3)), message(&text(4))]});
        let ids = self.post_with_key(&format!("{path}/batch"), &batch, &text(3)).await["ids"].clone();
        acknowledged.extend([(ids[0].clone(), text(3)), (ids[1].clone(), text(4))]);
        let (status, plain) = self.send(Method::POST, path, Some(&message(&text(5))), None).await;
        if status == 200 {
            acknowledged.push((plain["id"].clone(), text(5)));
        }
        acknowledged
    }

    /// Checks that every acknowledged message is stored once. Only the message without a key may be stored in addition.
    async fn check_messages(&self, path: &str, acknowledged: &[(Value, String)]) {
        let list = self.get(path).await;
        let items = list["items"].as_array().unwrap();
        for (id, text) in acknowledged {
            let found: Vec<_> = items.iter().filter(|item| item["text"] == *text).collect();
            assert_eq!(found.len(), 1, "{text} is stored {} times after {}", found.len(), self.cut);
            assert_eq!(found[0]["messageId"], *id, "{text} after {}", self.cut);
        }
        assert!(items.len() <= 5, "{} messages are stored after {}", items.len(), self.cut);
    }

    /// Adds and removes a vocabulary entry, and switches an entity.
    async fn configure(&self, number: usize) {
        let phrase = format!("phrase {number}");
        let entry = json!({"phrase": phrase, "soundsLike": ["fray s"]});
        let id = self.post_with_key(VOCABULARY, &entry, &phrase).await["id"].clone();
        let list = self.get(&format!("{VOCABULARY}?limit=100")).await;
        let entries = list["custom-vocabularies"].as_array().unwrap();
        let ids: Vec<_> = entries.iter().filter(|entry| entry["phrase"] == phrase).map(|entry| &entry["id"]).collect();
        assert_eq!(ids, [&id], "after {}", self.cut);
        let path = format!("{VOCABULARY}/{}", id.as_str().unwrap());
        self.send_until_success(Method::DELETE, &path, None, None).await;
        let active = json!({"active": number.is_multiple_of(2)});
        self.send_until_success(Method::PATCH, ENTITY, Some(&active), None).await;
        assert_eq!(self.get(ENTITY).await["active"], active["active"], "after {}", self.cut);
    }
}

/// Returns the numbers of the messages to cut at: at most [`cuts`], spread evenly from the first message to the last.
fn cut_positions(messages: usize) -> impl Iterator<Item = usize> {
    let count = cuts().min(messages);
    (0..count).map(move |index| 1 + index * messages / count)
}

#[actix_web::test]
async fn no_acknowledged_write_is_lost_or_doubled_wherever_a_connection_to_postgresql_is_cut() {
    let Some(cluster) = Cluster::start() else { return };
    let proxy = PostgresProxy::start(cluster.port());
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &url_for_port(proxy.port()));
    let credential = env.create_credential("acme");
    let server = env.serve();
    let caller = server.caller(&credential);
    let mut numbers = 0..;
    let mut run = async |cut: String| RetryingClient { caller: &caller, cut }.run(numbers.next().unwrap()).await;
    // The first run opens the connections.
    run("no cut".to_owned()).await;
    let mut message_counts = [usize::MAX; 2];
    for _ in 0..COUNTED_RUNS {
        proxy.schedule_cut(None);
        run("no cut".to_owned()).await;
        let (counts, _) = proxy.progress();
        message_counts = [message_counts[0].min(counts[0]), message_counts[1].min(counts[1])];
    }
    for (direction, messages) in [(Direction::ToServer, message_counts[0]), (Direction::ToClient, message_counts[1])] {
        for message in cut_positions(messages) {
            for point in [CutPoint::Before, CutPoint::Within, CutPoint::After] {
                let cut = Cut { direction, message, point };
                proxy.schedule_cut(Some(cut));
                let mut run_count = 0;
                while !proxy.progress().1 {
                    run_count += 1;
                    assert!(run_count <= MAX_RUNS_PER_CUT, "{cut:?} is not made in {MAX_RUNS_PER_CUT} runs");
                    run(format!("{cut:?}")).await;
                }
            }
        }
    }
}

#[actix_web::test]
async fn a_connection_that_is_cut_while_it_opens_is_a_503_in_time() {
    let Some(cluster) = Cluster::start() else { return };
    let proxy = PostgresProxy::start(cluster.port());
    let env = TestEnvironment::new().with_setting("DATABASE_URL", &url_for_port(proxy.port()));
    let credential = env.create_credential("acme");
    for message in 1..=6 {
        for direction in [Direction::ToServer, Direction::ToClient] {
            let server = env.serve();
            let caller = server.caller(&credential);
            proxy.schedule_cut(Some(Cut { direction, message, point: CutPoint::Within }));
            let client =
                RetryingClient { caller: &caller, cut: format!("{direction:?} {message} of a new connection") };
            client.run(message * 2 + usize::from(direction == Direction::ToClient)).await;
        }
    }
}
