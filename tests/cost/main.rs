//! Test of the memory allocations per request, which `baseline.json` limits.
//!
//! The number of allocations is the same in every run and on every machine. Unnecessary copies and conversions nearly
//! always increase it, and more allocations are seldom faster. `just bench` measures times.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    alloc::System,
    fmt::Write as _,
    io::{Read, Write},
    net::TcpStream,
};

use parlance_domain::access::{IssuedCredential, Permission};
use serde_json::{Map, Value, json};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use support::service::TestService;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cost/baseline.json");

/// Requests before the counted ones, so that one-time initialization is not counted.
const WARM_UP_REQUESTS: u64 = 50;

/// Requests whose allocations are counted.
const COUNTED_REQUESTS: u64 = 200;

/// The highest accepted cost, in percent of the baseline.
const MAX_PERCENT: u64 = 105;

/// A client that allocates nothing while it waits for a response.
struct Connection {
    stream: TcpStream,
    buffer: Box<[u8]>,
}

impl Connection {
    fn new(service: &TestService) -> Self {
        let stream = TcpStream::connect(service.address()).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: vec![0; 1 << 16].into() }
    }

    /// Sends a request, checks that the status of the response is 200, and returns the body.
    fn send(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).unwrap();
        let mut read = 0;
        loop {
            let (_, rest) = self.buffer.split_at_mut(read);
            read += self.stream.read(rest).unwrap();
            let (received, _) = self.buffer.split_at(read);
            if let Some(start) = body_start(received) {
                assert!(received.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(received));
                return self.buffer.get(start..read).unwrap();
            }
        }
    }

    /// The average number of allocations of the process per request, times ten.
    fn cost(&mut self, request: &[u8]) -> u64 {
        for _ in 0..WARM_UP_REQUESTS {
            self.send(request);
        }
        let region = Region::new(ALLOCATOR);
        for _ in 0..COUNTED_REQUESTS {
            self.send(request);
        }
        u64::try_from(region.change().allocations).unwrap() * 10 / COUNTED_REQUESTS
    }
}

/// The offset of the body, if the response is complete.
fn body_start(response: &[u8]) -> Option<usize> {
    let start = response.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = str::from_utf8(response.get(..start)?).ok()?;
    let length = head.lines().find_map(content_length)?;
    (response.len() >= start + length).then_some(start)
}

/// The length of the body, if this header line is `Content-Length`.
fn content_length(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
}

fn request(credential: &IssuedCredential, method: &str, path: &str, body: Option<&Value>) -> Vec<u8> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    let (id, secret) = (&credential.id, credential.secret.reveal());
    write!(text, "svc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n").unwrap();
    write!(text, "content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    text.into_bytes()
}

#[actix_web::test]
async fn a_request_allocates_at_most_5_percent_more_than_the_baseline() {
    let service = TestService::start().await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let mut connection = Connection::new(&service);
    let conversations = "/conversation/v1/conversations";
    let upsert = json!({"externalId": "call-1", "customer": {"externalId": "customer-7", "name": "Ada"},
        "agent": {"externalId": "agent-3"}, "metadata": {"channel": "phone"}, "timestamp": "2026-01-31T09:30:00Z"});
    let upsert = request(&credential, "POST", conversations, Some(&upsert));
    let created: Value = serde_json::from_slice(connection.send(&upsert)).unwrap();
    let conversation = format!("{conversations}/{}", created["id"].as_str().unwrap());
    let messages = format!("{conversation}/messages");
    let message_request = |text: &str| {
        let sender = json!({"role": "customer", "externalId": "customer-7"});
        let body = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
        request(&credential, "POST", &messages, Some(&body))
    };
    let plain =
        message_request("thank you for waiting, I have found your order, so it should be with you before the weekend");
    let masked = message_request("my card is 4111 1111 1111 1111 and the code on its back is 123");
    let costs = [
        ("create a message", connection.cost(&plain)),
        ("create a message that is masked", connection.cost(&masked)),
        ("upsert a conversation", connection.cost(&upsert)),
        ("list 50 messages", connection.cost(&request(&credential, "GET", &format!("{messages}?limit=50"), None))),
        ("retrieve a conversation", connection.cost(&request(&credential, "GET", &conversation, None))),
    ];
    compare(&costs);
}

/// Compares `costs` with the baseline. Writes a new baseline first if `PARLANCE_COST_BASELINE` is set.
fn compare(costs: &[(&str, u64)]) {
    if std::env::var_os("PARLANCE_COST_BASELINE").is_some() {
        let baseline: Map<_, _> =
            costs.iter().map(|(operation, cost)| ((*operation).to_owned(), json!(cost))).collect();
        let text = serde_json::to_string_pretty(&baseline).unwrap();
        std::fs::write(BASELINE, format!("{text}\n")).unwrap();
    }
    let baseline: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(BASELINE).unwrap()).unwrap();
    let baseline_of = |operation: &str| {
        baseline
            .get(operation)
            .and_then(Value::as_u64)
            .unwrap_or_else(|| panic!("the baseline has no cost of: {operation}"))
    };
    let risen = costs.iter().filter(|(operation, cost)| cost * 100 > baseline_of(operation) * MAX_PERCENT);
    let risen: Vec<_> =
        risen.map(|(operation, cost)| format!("{operation}: {cost}, was {}", baseline_of(operation))).collect();
    assert!(
        risen.is_empty(),
        "ten requests allocate over 5 % more often than the baseline: {risen:?}. If the change is worth it, explain it \
         in the commit message, and run `PARLANCE_COST_BASELINE=1 cargo test -p tests --test cost`"
    );
}
