//! Connections that keep the server waiting, ask for too much at once, or say two things at the same time.

use parlance_domain::access::{IssuedCredential, Permission};
use support::{client::conversation, database::TestDatabase, raw::RawConnection, service::TestService};

pub(crate) const PATH: &str = "/conversation/v1/conversations";
pub(crate) const LIVE: &[u8] = b"GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n";

/// A service that waits for its clients for a second at most, but for these settings.
pub(crate) async fn service(settings: &[(&str, &str)]) -> TestService {
    let short = [
        ("PARLANCE_HEADER_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_IDLE_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_BODY_TIMEOUT_SECONDS", "1"),
        ("PARLANCE_WRITE_TIMEOUT_SECONDS", "1"),
    ];
    let given = |name: &str| settings.iter().any(|(given, _)| *given == name);
    let short = short.into_iter().filter(|(name, _)| !given(name));
    let settings: Vec<_> = settings.iter().copied().chain(short).collect();
    TestService::over(TestDatabase::sqlite(), &settings).await
}

/// Does what waits for the server on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    actix_web::rt::task::spawn_blocking(work).await.unwrap()
}

/// The head of a request with a credential.
pub(crate) fn head(credential: &IssuedCredential, method: &str, path: &str, fields: &str) -> String {
    let (id, secret) = (&credential.id, credential.secret.reveal());
    format!("{method} {path} HTTP/1.1\r\nhost: a\r\nsvc-api-id: {id}\r\nsvc-api-secret: {secret}\r\n{fields}\r\n")
}

#[actix_web::test]
async fn every_head_has_the_same_time_to_arrive() {
    let service = service(&[]).await;
    for requests in [0, 1, 9] {
        let mut connection = RawConnection::open(service.address());
        let said = blocking(move || {
            for _ in 0..requests {
                connection.send(LIVE);
                assert!(connection.answer().starts_with("HTTP/1.1 200"));
            }
            connection.send(b"G");
            connection.rest()
        });
        let said = said.await;
        assert!(said.starts_with("HTTP/1.1 408") && said.contains("\"rule\":\"in_time\""), "after {requests}: {said}");
    }
}

#[actix_web::test]
async fn a_connection_that_never_sends_a_byte_is_closed_without_a_word() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    assert_eq!(blocking(move || connection.rest()).await, "");
}

#[actix_web::test]
async fn a_body_that_nobody_reads_has_its_time_as_well() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    connection.send(b"POST /nowhere HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab");
    let said = blocking(move || connection.rest()).await;
    assert!(said.starts_with("HTTP/1.1 404") && said.to_lowercase().contains("connection: close"), "{said}");
}

#[actix_web::test]
async fn pipelined_requests_are_answered_in_order() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    let said = blocking(move || {
        connection.send(&[LIVE, b"GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n", LIVE].concat().repeat(20));
        connection.finish();
        connection.rest()
    });
    let said = said.await;
    let statuses: Vec<_> = said.match_indices("HTTP/1.1 ").map(|(at, _)| &said[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["200", "404", "200"].repeat(20));
}

#[actix_web::test]
async fn requests_of_one_packet_are_answered_though_nothing_follows() {
    let service = service(&[("PARLANCE_IDLE_TIMEOUT_SECONDS", "600")]).await;
    for count in [2, 3] {
        let mut connection = RawConnection::open(service.address());
        let answers = blocking(move || {
            connection.send(&LIVE.repeat(count));
            (0..count).map(|_| connection.answer()).filter(|said| said.starts_with("HTTP/1.1 200")).count()
        });
        assert_eq!(answers.await, count);
    }
}

#[actix_web::test]
async fn a_client_that_never_closes_loses_its_connection_all_the_same() {
    let service = service(&[]).await;
    let (silent, mut begun) = (RawConnection::open(service.address()), RawConnection::open(service.address()));
    begun.send(b"G");
    let deadline = std::time::Instant::now() + support::raw::PATIENCE;
    while service.open_connections() > 0 {
        assert!(std::time::Instant::now() < deadline, "{} connections are open", service.open_connections());
        actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    drop((silent, begun));
}

#[actix_web::test]
async fn chunks_that_are_none_are_refused_however_they_come() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
    for pieces in [vec![head.clone() + "zz\r\n"], vec![head.clone(), "zz\r\n".to_owned()]] {
        let mut connection = RawConnection::open(service.address());
        let said = blocking(move || {
            for piece in pieces {
                connection.send(piece.as_bytes());
            }
            connection.answer()
        });
        let said = said.await;
        assert!(said.starts_with("HTTP/1.1 400"), "{said}");
    }
}

#[actix_web::test]
async fn a_client_that_says_that_it_sends_nothing_more_is_answered() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    connection.send(LIVE);
    connection.finish();
    assert!(blocking(move || connection.rest()).await.starts_with("HTTP/1.1 200"));
}

#[actix_web::test]
async fn an_offer_of_another_protocol_changes_nothing() {
    let service = service(&[("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    for (number, fields) in [
        "upgrade: websocket\r\n",
        "upgrade: websocket\r\nconnection: upgrade\r\n",
        "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n",
    ]
    .into_iter()
    .enumerate()
    {
        let body = conversation(&format!("call-{number}")).to_string();
        let fields = format!("{fields}content-length: {}\r\n", body.len());
        let request = head(&credential, "POST", PATH, &fields) + &body;
        let mut connection = RawConnection::open(service.address());
        let said = blocking(move || {
            connection.send(request.as_bytes());
            let said = connection.answer();
            connection.send(LIVE);
            assert!(connection.answer().starts_with("HTTP/1.1 200"), "the connection goes on");
            said
        });
        let said = said.await;
        assert!(said.starts_with("HTTP/1.1 200") && !said.to_lowercase().contains("connection: upgrade"), "{said}");
    }
}

#[actix_web::test]
async fn a_client_that_asks_before_it_sends_a_body_is_told_at_once_that_it_is_refused() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &[Permission::ReadConversations]).await;
    let writer = service.credential("acme", &Permission::ALL).await;
    let ask = |credential: &IssuedCredential, length: usize| {
        head(credential, "POST", PATH, &format!("expect: 100-continue\r\ncontent-length: {length}\r\n"))
    };
    let stranger = format!("POST {PATH} HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n");
    for (request, status) in [(stranger, "401"), (ask(&credential, 9), "403"), (ask(&writer, 1_000_000), "413")] {
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        let said = blocking(move || connection.rest()).await;
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
        assert!(said.to_lowercase().contains("connection: close"), "what follows may be a body or not: {said}");
    }
}

#[actix_web::test]
async fn a_body_in_chunks_may_carry_little_beside_itself() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let send = async |extension: usize, trailer: &str| {
        let body = conversation("call-1").to_string();
        let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
        let body = format!("{:x};{}\r\n{body}\r\n0\r\n{trailer}\r\n", body.len(), "x".repeat(extension));
        let mut connection = RawConnection::open(service.address());
        blocking(move || {
            connection.send(head.as_bytes());
            connection.send(body.as_bytes());
            connection.answer()
        })
        .await
    };
    assert!(send(100, "checksum: 7\r\n").await.starts_with("HTTP/1.1 200"));
    assert!(send(20_000, "").await.starts_with("HTTP/1.1 400"));
}

#[actix_web::test]
async fn a_chunk_extension_of_ten_megabytes_is_not_read_to_its_end() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let head = head(&credential, "POST", PATH, "transfer-encoding: chunked\r\n");
    let mut connection = RawConnection::open(service.address());
    let taken = blocking(move || {
        connection.send(head.as_bytes());
        connection.send(b"1;");
        (0..160).take_while(|_| connection.send(&vec![b'x'; 65_536])).count()
    });
    assert!(taken.await < 160, "the server has read all of it");
}

#[actix_web::test]
async fn a_head_that_could_be_read_in_two_ways_is_refused_in_the_usual_envelope() {
    let service = service(&[]).await;
    for fields in [
        "content-length: 3\r\ntransfer-encoding: chunked\r\n",
        "content-length: 3\r\ncontent-length: 4\r\n",
        "host: b\r\n",
    ] {
        let request = format!("POST /health/live HTTP/1.1\r\nhost: a\r\n{fields}\r\n");
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        let said = blocking(move || connection.rest()).await;
        assert!(said.starts_with("HTTP/1.1 400") && said.contains("\"code\":\"400-01\""), "{said}");
    }
}

#[actix_web::test]
async fn a_head_that_is_too_large_is_refused_in_the_usual_envelope() {
    let service = service(&[]).await;
    let mut connection = RawConnection::open(service.address());
    let request = format!("GET /health/live HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "x".repeat(200_000));
    let said = blocking(move || {
        connection.send(request.as_bytes());
        connection.rest()
    });
    let said = said.await;
    assert!(said.starts_with("HTTP/1.1 431") && said.contains("\"code\":\"431-01\""), "{said}");
}

#[actix_web::test]
async fn who_is_refused_before_its_body_is_read_gets_the_answer() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let request = head(&credential, "POST", PATH, "content-length: 2000000\r\n");
    let mut connection = RawConnection::open(service.address());
    let said = blocking(move || {
        connection.send(request.as_bytes());
        connection.send(&vec![b'x'; 2_000_000]);
        connection.rest()
    });
    assert!(said.await.starts_with("HTTP/1.1 413"));
}
