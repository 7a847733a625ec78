//! What is said to callers who send too much, too often, too slowly or too many at once.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use parlance_domain::access::Permission;
use reqwest::Method;
use support::{client::conversation, database::TestDatabase, service::TestService};

const PATH: &str = "/conversation/v1/conversations";
const SEARCH: &str = "/conversation/v1/conversations?externalId=a";

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(20);

async fn service(settings: &[(&str, &str)]) -> TestService {
    TestService::over(TestDatabase::sqlite(), settings).await
}

/// Sends bytes as they are, and gives all that the server says until it closes the connection.
fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.write_all(bytes).unwrap();
    let mut said = Vec::new();
    connection.read_to_end(&mut said).unwrap();
    String::from_utf8_lossy(&said).into_owned()
}

#[actix_web::test]
async fn every_answer_says_what_is_left_of_the_rate() {
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
async fn an_address_whose_authentications_fail_too_often_is_held_back_and_trusted_callers_are_not() {
    let service = service(&[("PARLANCE_FAILED_AUTH_PER_MINUTE", "2")]).await;
    let (client, stranger) = (service.client("acme").await, service.client_of("", ""));
    assert_eq!(client.get(SEARCH).await.status, 200);
    let statuses = [stranger.get(SEARCH).await.status, stranger.get(SEARCH).await.status];
    let held_back = stranger.get(SEARCH).await;
    assert_eq!((statuses, held_back.refusal()), ([401, 401], (429, vec![" failed_authentications".into()])));
    assert_eq!(held_back.header("retry-after"), "30");
    assert_eq!(client.get(SEARCH).await.status, 200);
}

#[actix_web::test]
async fn behind_a_proxy_clients_are_told_apart_by_what_the_proxy_says() {
    let service = service(&[("PARLANCE_FAILED_AUTH_PER_MINUTE", "1"), ("PARLANCE_TRUSTED_PROXIES", "1")]).await;
    let stranger = service.client_of("", "");
    let from = async |addresses: &'static str| {
        stranger.send(&Method::GET, SEARCH, |request| request.header("x-forwarded-for", addresses)).await.status
    };
    assert_eq!([from("10.0.0.1").await, from("10.0.0.1").await, from("10.0.0.2").await], [401, 429, 401]);
    assert_eq!(from("10.0.0.9, 10.0.0.1").await, 429, "what a client itself claims to be is not believed");
}

#[actix_web::test]
async fn one_request_too_many_is_sent_away_at_once_and_health_is_told_all_the_same() {
    let service = service(&[("PARLANCE_MAX_IN_FLIGHT", "1")]).await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    let database = service.database().await;
    database.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let waiting = client.clone();
    // It waits for the database, and comes again where a search was first to take the one place.
    let waiting = actix_web::rt::spawn(async move {
        while waiting.post(PATH, &conversation("call-2")).await.status != 200 {
            actix_web::rt::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let deadline = Instant::now() + PATIENCE;
    let refused = loop {
        let answer = client.get(SEARCH).await;
        if answer.status != 200 || Instant::now() > deadline {
            break answer;
        }
    };
    assert_eq!((refused.status, refused.header("retry-after")), (503, "1"));
    assert_eq!(client.get("/health/live").await.status, 200);
    let ready = client.get("/health/ready").await;
    assert!(ready.text.contains("database"), "it looked at the database: {}", ready.text);
    database.execute_unprepared("ROLLBACK").await.unwrap();
    waiting.await.unwrap();
    assert_eq!(client.get(SEARCH).await.status, 200);
}

#[actix_web::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let service = service(&[("PARLANCE_BODY_TIMEOUT_SECONDS", "1")]).await;
    let issued = service.credential("acme", &Permission::ALL).await;
    let (id, secret, address) = (issued.id, issued.secret.reveal(), service.address());
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\ncontent-length: 9\r\n\r\n{{"
    );
    let said = actix_web::rt::task::spawn_blocking(move || raw(address, head.as_bytes())).await.unwrap();
    assert!(said.starts_with("HTTP/1.1 400") && said.contains("\"rule\":\"in_time\""), "{said}");
}

#[actix_web::test]
async fn a_body_that_comes_slowly_takes_no_place_in_flight() {
    let service = service(&[("PARLANCE_MAX_IN_FLIGHT", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let issued = service.credential("acme", &Permission::ALL).await;
    let (id, secret) = (issued.id.as_str(), issued.secret.reveal());
    let client = service.client_of(id, secret);
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n\
         expect: 100-continue\r\ncontent-length: 9\r\n\r\n"
    );
    let mut slow = TcpStream::connect(service.address()).unwrap();
    slow.write_all(head.as_bytes()).unwrap();
    let mut heard = [0; 12];
    slow.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"HTTP/1.1 100");
    let deadline = Instant::now() + PATIENCE;
    while client.get(SEARCH).await.status != 200 {
        assert!(Instant::now() < deadline, "the request waits for its body in the only place there is");
    }
}

#[actix_web::test]
async fn a_head_that_does_not_come_whole_is_not_waited_for() {
    let service = service(&[("PARLANCE_HEADER_TIMEOUT_SECONDS", "1")]).await;
    let address = service.address();
    let said = actix_web::rt::task::spawn_blocking(move || raw(address, b"GET / HTTP/1.1\r\nhost:")).await.unwrap();
    assert!(said.starts_with("HTTP/1.1 408"), "{said}");
}

#[actix_web::test]
async fn a_connection_that_sends_nothing_more_is_closed() {
    let service = service(&[("PARLANCE_IDLE_TIMEOUT_SECONDS", "1")]).await;
    let address = service.address();
    let request = b"GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n";
    let said = actix_web::rt::task::spawn_blocking(move || raw(address, request)).await.unwrap();
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
}

#[actix_web::test]
async fn what_is_no_http_is_told_so_and_the_connection_is_closed() {
    let service = service(&[]).await;
    let address = service.address();
    for nonsense in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
    {
        let said = actix_web::rt::task::spawn_blocking(move || raw(address, nonsense)).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 400"), "{said}");
    }
}
