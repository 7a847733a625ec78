//! What a request costs, counted and not timed, so that a rise is noticed on any machine.
//!
//! Memory is allocated as often in one run as in the next. More of it is seldom faster, and what copies or converts
//! needlessly nearly always shows here. Times are for `just bench`.

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

/// How many requests come before those that are counted: what is prepared once is then prepared.
const WARM_UP: u64 = 50;

const COUNTED: u64 = 200;

/// Of what the baseline says, in percent.
const ALLOWED: u64 = 105;

/// A client that allocates nothing while it waits for an answer.
struct Connection {
    stream: TcpStream,
    answer: Box<[u8]>,
}

impl Connection {
    fn new(service: &TestService) -> Self {
        let stream = TcpStream::connect(service.address()).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, answer: vec![0; 1 << 16].into() }
    }

    /// Sends a request and reads its answer, which must be a 200. Its body is given back.
    fn send(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).unwrap();
        let mut read = 0;
        loop {
            let (_, rest) = self.answer.split_at_mut(read);
            read += self.stream.read(rest).unwrap();
            let (so_far, _) = self.answer.split_at(read);
            if let Some(start) = body_of(so_far) {
                assert!(so_far.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(so_far));
                return self.answer.get(start..read).unwrap();
            }
        }
    }

    /// How often a request makes the process allocate, on average, in tenths.
    fn cost(&mut self, request: &[u8]) -> u64 {
        for _ in 0..WARM_UP {
            self.send(request);
        }
        let region = Region::new(ALLOCATOR);
        for _ in 0..COUNTED {
            self.send(request);
        }
        u64::try_from(region.change().allocations).unwrap() * 10 / COUNTED
    }
}

/// Where the body begins, once all of it is there.
fn body_of(answer: &[u8]) -> Option<usize> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = str::from_utf8(answer.get(..end)?).ok()?;
    let length = head.lines().find_map(announced)?;
    (answer.len() >= end + length).then_some(end)
}

/// The length of the body, where a line of the head announces it.
fn announced(line: &str) -> Option<usize> {
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
async fn a_request_allocates_no_more_than_it_did() {
    let service = TestService::start().await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let mut connection = Connection::new(&service);
    let all = "/conversation/v1/conversations";
    let upsert = json!({"externalId": "call-1", "customer": {"externalId": "customer-7", "name": "Ada"},
        "agent": {"externalId": "agent-3"}, "metadata": {"channel": "phone"}, "timestamp": "2026-01-31T09:30:00Z"});
    let upsert = request(&credential, "POST", all, Some(&upsert));
    let created: Value = serde_json::from_slice(connection.send(&upsert)).unwrap();
    let one = format!("{all}/{}", created["id"].as_str().unwrap());
    let messages = format!("{one}/messages");
    let say = |text: &str| {
        let sender = json!({"role": "customer", "externalId": "customer-7"});
        let body = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
        request(&credential, "POST", &messages, Some(&body))
    };
    let plain = say("thank you for waiting, I have found your order, so it should be with you before the weekend");
    let masked = say("my card is 4111 1111 1111 1111 and the code on its back is 123");
    let costs = [
        ("create a message", connection.cost(&plain)),
        ("create a message that is masked", connection.cost(&masked)),
        ("upsert a conversation", connection.cost(&upsert)),
        ("list 50 messages", connection.cost(&request(&credential, "GET", &format!("{messages}?limit=50"), None))),
        ("retrieve a conversation", connection.cost(&request(&credential, "GET", &one, None))),
    ];
    compare(&costs);
}

/// Compares with the baseline, and writes a new one where the environment asks for it.
fn compare(costs: &[(&str, u64)]) {
    if std::env::var_os("PARLANCE_COST_BASELINE").is_some() {
        let baseline: Map<_, _> = costs.iter().map(|(what, cost)| ((*what).to_owned(), json!(cost))).collect();
        let text = serde_json::to_string_pretty(&baseline).unwrap();
        std::fs::write(BASELINE, format!("{text}\n")).unwrap();
    }
    let baseline: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(BASELINE).unwrap()).unwrap();
    let known =
        |what: &str| baseline.get(what).and_then(Value::as_u64).unwrap_or_else(|| panic!("no baseline: {what}"));
    let risen = costs.iter().filter(|(what, cost)| cost * 100 > known(what) * ALLOWED);
    let risen: Vec<_> = risen.map(|(what, cost)| format!("{what}: {cost}, was {}", known(what))).collect();
    assert!(
        risen.is_empty(),
        "allocations of ten requests have risen by over 5 %: {risen:?}. Where that is worth it, say so in the commit, and \
         run `PARLANCE_COST_BASELINE=1 cargo test -p tests --test cost`"
    );
}
