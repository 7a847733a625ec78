//! Tests of rate limits, the authentication throttle, the concurrency limit and timeouts.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use parlance_domain::access::Permission;
use reqwest::Method;
use support::{client::conversation_body, database::TestDatabase, service::TestService};

const PATH: &str = "/conversation/v1/conversations";
const SEARCH: &str = "/conversation/v1/conversations?externalId=a";

/// The longest time that a test waits for an expected event.
const TIMEOUT: Duration = Duration::from_secs(20);

async fn service(settings: &[(&str, &str)]) -> TestService {
    TestService::start_with(TestDatabase::sqlite(), settings).await
}

/// Sends `bytes` and returns all that the server sends until it closes the connection.
fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    connection.set_read_timeout(Some(TIMEOUT)).unwrap();
    connection.write_all(bytes).unwrap();
    let mut response = Vec::new();
    connection.read_to_end(&mut response).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[actix_web::test]
async fn every_response_reports_the_remaining_rate() {
    let service = service(&[("PARLANCE_RATE_LIMIT_PER_SECOND", "2"), ("PARLANCE_RATE_LIMIT_BURST", "5")]).await;
    let client = service.client("acme").await;
    for (answer, left) in
        [(client.get(SEARCH).await, "r=4;t=1"), (client.get(&format!("{PATH}/none")).await, "r=3;t=1")]
    {
        assert_eq!(answer.header("ratelimit-policy"), "\"credential\";q=5;w=3");
        assert_eq!(answer.header("ratelimit"), format!("\"credential\";{left}"));
    }
}

#[actix_web::test]
async fn an_address_with_failed_authentications_is_throttled_and_cached_credentials_are_not() {
    let service = service(&[("PARLANCE_FAILED_AUTH_PER_MINUTE", "2")]).await;
    let (client, anonymous) = (service.client("acme").await, service.client_with_credential("", ""));
    assert_eq!(client.get(SEARCH).await.status, 200);
    let statuses = [anonymous.get(SEARCH).await.status, anonymous.get(SEARCH).await.status];
    let throttled = anonymous.get(SEARCH).await;
    assert_eq!((statuses, throttled.error_details()), ([401, 401], (429, vec![" failed_authentications".into()])));
    assert_eq!(throttled.header("retry-after"), "30");
    assert_eq!(client.get(SEARCH).await.status, 200);
}

#[actix_web::test]
async fn clients_behind_a_trusted_proxy_are_identified_by_its_forwarded_header() {
    let service = service(&[("PARLANCE_FAILED_AUTH_PER_MINUTE", "1"), ("PARLANCE_TRUSTED_PROXIES", "1")]).await;
    let anonymous = service.client_with_credential("", "");
    let from = async |addresses: &'static str| {
        anonymous.send(&Method::GET, SEARCH, |request| request.header("x-forwarded-for", addresses)).await.status
    };
    assert_eq!([from("10.0.0.1").await, from("10.0.0.1").await, from("10.0.0.2").await], [401, 429, 401]);
    assert_eq!(from("10.0.0.9, 10.0.0.1").await, 429, "an address that the client itself sends is ignored");
}

#[actix_web::test]
async fn a_request_over_the_concurrency_limit_is_rejected_at_once_and_health_is_served() {
    let service = service(&[("PARLANCE_MAX_IN_FLIGHT", "1")]).await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let database = service.open_database().await;
    database.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let waiting = client.clone();
    // The request waits for the database. The task sends it again if a search took the only permit first.
    let waiting = actix_web::rt::spawn(async move {
        while waiting.post(PATH, &conversation_body("call-2")).await.status != 200 {
            actix_web::rt::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let deadline = Instant::now() + TIMEOUT;
    let refused = loop {
        let answer = client.get(SEARCH).await;
        if answer.status != 200 || Instant::now() > deadline {
            break answer;
        }
    };
    assert_eq!((refused.status, refused.header("retry-after")), (503, "1"));
    assert_eq!(client.get("/health/live").await.status, 200);
    let ready = client.get("/health/ready").await;
    assert!(ready.text.contains("database"), "the readiness probe checks the database: {}", ready.text);
    database.execute_unprepared("ROLLBACK").await.unwrap();
    waiting.await.unwrap();
    assert_eq!(client.get(SEARCH).await.status, 200);
}

#[actix_web::test]
async fn a_body_that_does_not_arrive_times_out() {
    let service = service(&[("PARLANCE_BODY_TIMEOUT_SECONDS", "1")]).await;
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let (id, secret, address) = (issued.id, issued.secret.reveal(), service.address());
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\ncontent-length: 9\r\n\r\n{{"
    );
    let response = actix_web::rt::task::spawn_blocking(move || exchange(address, head.as_bytes())).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 400") && response.contains("\"rule\":\"in_time\""), "{response}");
}

#[actix_web::test]
async fn a_request_that_waits_for_its_body_holds_no_permit() {
    let service = service(&[("PARLANCE_MAX_IN_FLIGHT", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let client = service.client_with_credential(id, secret);
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n\
         expect: 100-continue\r\ncontent-length: 9\r\n\r\n"
    );
    let mut slow = TcpStream::connect(service.address()).unwrap();
    slow.write_all(head.as_bytes()).unwrap();
    let mut status_line = [0; 12];
    slow.read_exact(&mut status_line).unwrap();
    assert_eq!(&status_line, b"HTTP/1.1 100");
    let deadline = Instant::now() + TIMEOUT;
    while client.get(SEARCH).await.status != 200 {
        assert!(Instant::now() < deadline, "the request holds the only permit while it waits for its body");
    }
}

#[actix_web::test]
async fn an_incomplete_request_head_times_out() {
    let service = service(&[("PARLANCE_HEADER_TIMEOUT_SECONDS", "1")]).await;
    let address = service.address();
    let response =
        actix_web::rt::task::spawn_blocking(move || exchange(address, b"GET / HTTP/1.1\r\nhost:")).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 408"), "{response}");
}

#[actix_web::test]
async fn an_idle_connection_is_closed() {
    let service = service(&[("PARLANCE_IDLE_TIMEOUT_SECONDS", "1")]).await;
    let address = service.address();
    let request = b"GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n";
    let response = actix_web::rt::task::spawn_blocking(move || exchange(address, request)).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}

#[actix_web::test]
async fn bytes_that_are_not_http_get_400_and_the_connection_is_closed() {
    let service = service(&[]).await;
    let address = service.address();
    for nonsense in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
    {
        let response = actix_web::rt::task::spawn_blocking(move || exchange(address, nonsense)).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 400"), "{response}");
    }
}
