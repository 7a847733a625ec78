//! Tests of connections: timeouts, pipelining, and invalid, ambiguous or oversized requests.

use parlance_domain::access::{IssuedCredential, Permission};
use support::{client::conversation_body, database::TestDatabase, raw_connection::RawConnection, service::TestService};

pub(crate) const PATH: &str = "/conversation/v1/conversations";
pub(crate) const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n";

/// Starts a service with `settings`. A timeout that `settings` does not name is one second.
pub(crate) async fn service(settings: &[(&str, &str)]) -> TestService {
    let short = [
        ("PARLANCE_HEADER_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_IDLE_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_BODY_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_WRITE_TIMEOUT_SECONDS", "1"),
    ];
    let is_set = |name: &str| settings.iter().any(|(setting, _)| *setting == name);
    let short = short.into_iter().filter(|(name, _)| !is_set(name));
    let settings: Vec<_> = settings.iter().copied().chain(short).collect();
    TestService::start_with(TestDatabase::sqlite(), &settings).await
}

/// Runs blocking work on a separate thread.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    actix_web::rt::task::spawn_blocking(work).await.unwrap()
}

/// The head of a request with a credential and the header lines `fields`.
pub(crate) fn head(credential: &IssuedCredential, method: &str, path: &str, fields: &str) -> String {
    let (id, secret) = (&credential.id, credential.secret.reveal());
    format!("{method} {path} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n{fields}\r\n")
}

#[actix_web::test]
async fn every_request_head_has_the_same_timeout() {
    let service = service(&[]).await;
    for requests in [0, 1, 9] {
        let mut connection = RawConnection::open(service.address());
        let response = blocking(move || {
            for _ in 0..requests {
                connection.send(LIVE);
                assert!(connection.read_response().starts_with("HTTP/1.1 200"));
            }
            connection.send(b"G");
            connection.read_to_end()
        });
        let response = response.await;
        assert!(
            response.starts_with("HTTP/1.1 408") && response.contains("\"rule\":\"in_time\""),
            "after {requests}: {response}"
        );
    }
}

#[actix_web::test]
async fn a_connection_that_sends_nothing_is_closed_without_a_response() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    assert_eq!(blocking(move || connection.read_to_end()).await, "");
}

#[actix_web::test]
async fn a_body_that_no_handler_reads_has_a_timeout_too() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    connection.send(b"POST /nowhere HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab");
    let response = blocking(move || connection.read_to_end()).await;
    assert!(
        response.starts_with("HTTP/1.1 404") && response.to_lowercase().contains("connection: close"),
        "{response}"
    );
}

#[actix_web::test]
async fn pipelined_requests_are_answered_in_order() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    let response = blocking(move || {
        connection.send(&[LIVE, b"GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n", LIVE].concat().repeat(20));
        connection.close_write();
        connection.read_to_end()
    });
    let response = response.await;
    let statuses: Vec<_> = response.match_indices("HTTP/1.1 ").map(|(at, _)| &response[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["200", "404", "200"].repeat(20));
}

#[actix_web::test]
async fn pipelined_requests_in_one_packet_are_answered_without_further_input() {
    let service = service(&[("PARLANCE_IDLE_TIMEOUT_SECONDS", "600")]).await;
    for count in [2, 3] {
        let mut connection = RawConnection::open(service.address());
        let answers = blocking(move || {
            connection.send(&LIVE.repeat(count));
            (0..count)
                .map(|_| connection.read_response())
                .filter(|response| response.starts_with("HTTP/1.1 200"))
                .count()
        });
        assert_eq!(answers.await, count);
    }
}

#[actix_web::test]
async fn a_connection_that_the_client_never_closes_is_closed_by_the_server() {
    let service = service(&[]).await;
    let (silent, mut partial) = (RawConnection::open(service.address()), RawConnection::open(service.address()));
    partial.send(b"G");
    let deadline = std::time::Instant::now() + support::raw_connection::IO_TIMEOUT;
    while service.open_connections() > 0 {
        assert!(std::time::Instant::now() < deadline, "{} connections are open", service.open_connections());
        actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    drop((silent, partial));
}

#[actix_web::test]
async fn invalid_chunks_are_rejected_however_they_are_split() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
    for pieces in [vec![head.clone() + "zz\r\n"], vec![head.clone(), "zz\r\n".to_owned()]] {
        let mut connection = RawConnection::open(service.address());
        let response = blocking(move || {
            for piece in pieces {
                connection.send(piece.as_bytes());
            }
            connection.read_response()
        });
        let response = response.await;
        assert!(response.starts_with("HTTP/1.1 400"), "{response}");
    }
}

#[actix_web::test]
async fn a_client_that_shuts_down_its_sending_side_gets_its_response() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    connection.send(LIVE);
    connection.close_write();
    assert!(blocking(move || connection.read_to_end()).await.starts_with("HTTP/1.1 200"));
}

#[actix_web::test]
async fn an_offer_of_a_protocol_upgrade_is_ignored() {
    let service = service(&[("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    for (number, fields) in [
        "upgrade: websocket\r\n",
        "upgrade: websocket\r\nconnection: upgrade\r\n",
        "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n",
    ]
    .into_iter()
    .enumerate()
    {
        let body = conversation_body(&format!("call-{number}")).to_string();
        let fields = format!("{fields}content-length: {}\r\n", body.len());
        let request = head(&credential, "POST", PATH, &fields) + &body;
        let mut connection = RawConnection::open(service.address());
        let response = blocking(move || {
            connection.send(request.as_bytes());
            let response = connection.read_response();
            connection.send(LIVE);
            assert!(connection.read_response().starts_with("HTTP/1.1 200"), "the connection stays open");
            response
        });
        let response = response.await;
        assert!(
            response.starts_with("HTTP/1.1 200") && !response.to_lowercase().contains("connection: upgrade"),
            "{response}"
        );
    }
}

#[actix_web::test]
async fn a_request_with_expect_continue_is_rejected_before_its_body_is_sent() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &[Permission::ReadConversations]).await;
    let writer = service.issue_credential("acme", &Permission::ALL).await;
    let with_expect = |credential: &IssuedCredential, length: usize| {
        head(credential, "POST", PATH, &format!("expect: 100-continue\r\ncontent-length: {length}\r\n"))
    };
    let anonymous = format!("POST {PATH} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n");
    for (request, status) in
        [(anonymous, "401"), (with_expect(&credential, 9), "403"), (with_expect(&writer, 1_000_000), "413")]
    {
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        let response = blocking(move || connection.read_to_end()).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{response}");
        assert!(
            response.to_lowercase().contains("connection: close"),
            "the server cannot know whether a body follows: {response}"
        );
    }
}

#[actix_web::test]
async fn chunk_extensions_are_limited_and_trailers_are_accepted() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let send = async |extension: usize, trailer: &str| {
        let body = conversation_body("call-1").to_string();
        let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
        let body = format!("{:x};{}\r\n{body}\r\n0\r\n{trailer}\r\n", body.len(), "x".repeat(extension));
        let mut connection = RawConnection::open(service.address());
        blocking(move || {
            connection.send(head.as_bytes());
            connection.send(body.as_bytes());
            connection.read_response()
        })
        .await
    };
    assert!(send(100, "checksum: 7\r\n").await.starts_with("HTTP/1.1 200"));
    assert!(send(20_000, "").await.starts_with("HTTP/1.1 400"));
}

#[actix_web::test]
async fn a_chunk_extension_of_ten_megabytes_is_not_read_to_its_end() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
    let mut connection = RawConnection::open(service.address());
    let accepted = blocking(move || {
        connection.send(head.as_bytes());
        connection.send(b"1;");
        (0..160).take_while(|_| connection.send(&vec![b'x'; 65_536])).count()
    });
    assert!(accepted.await < 160, "the server has read the whole extension");
}

#[actix_web::test]
async fn an_ambiguous_request_head_is_rejected_with_an_error_envelope() {
    let service = service(&[]).await;
    for fields in [
        "content-length: 3\r\ntransfer-encoding: chunked\r\n",
        "content-length: 3\r\ncontent-length: 4\r\n",
        "host: b\r\n",
    ] {
        let request = format!("POST /health/live HTTP/1.1\r\nhost: a\r\n{fields}\r\n");
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        let response = blocking(move || connection.read_to_end()).await;
        assert!(response.starts_with("HTTP/1.1 400") && response.contains("\"code\":\"400-01\""), "{response}");
    }
}

#[actix_web::test]
async fn an_oversized_request_head_is_rejected_with_an_error_envelope() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    let request = format!("GET /health/live HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "x".repeat(200_000));
    let response = blocking(move || {
        connection.send(request.as_bytes());
        connection.read_to_end()
    });
    let response = response.await;
    assert!(response.starts_with("HTTP/1.1 431") && response.contains("\"code\":\"431-01\""), "{response}");
}

#[actix_web::test]
async fn a_client_that_is_rejected_while_it_sends_its_body_gets_the_response() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let request = head(&credential, "POST", PATH, "content-length: 2000000\r\n");
    let mut connection = RawConnection::open(service.address());
    let response = blocking(move || {
        connection.send(request.as_bytes());
        connection.send(&vec![b'x'; 2_000_000]);
        connection.read_to_end()
    });
    assert!(response.await.starts_with("HTTP/1.1 413"));
}

#[actix_web::test]
async fn a_stream_to_an_http_1_0_client_has_no_chunks_and_ends_with_the_connection() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &[Permission::ReadConversations]).await;
    let (id, secret) = (credential.id.as_str().to_owned(), credential.secret.reveal().to_owned());
    for kept_alive in ["", "connection: keep-alive\r\n"] {
        let request = format!(
            "GET /conversation/v1/events/stream?after=1-0-1 HTTP/1.0\r\nhost: a\r\nsvc-api-id: {id}\r\n\
             svc-api-secret: {secret}\r\n{kept_alive}\r\n"
        );
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        let response = blocking(move || connection.read_to_end()).await.to_lowercase();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("http/1.0 200") && head.contains("text/event-stream"), "{head}");
        assert!(!head.contains("transfer-encoding") && !head.contains("keep-alive"), "{head}");
        assert!(body.starts_with(": stream\n\nid: ") && body.ends_with("{\"rule\":\"cursor_unknown\"}\n\n"), "{body}");
    }
}
