//! Tests of the limits on connections and on large responses.

use parlance_domain::access::{IssuedCredential, Permission};
use serde_json::json;
use support::{client::Client, raw_connection::RawConnection};

use crate::connections::{LIVE, PATH, blocking, head, service};

/// Creates a conversation with four megabytes of text and returns the request that lists its messages.
async fn large_list_request(client: &Client, credential: &IssuedCredential) -> String {
    list_request(client, credential, 50, &"all is well ".repeat(330)).await
}

/// Creates a conversation with twenty batches of `batch` messages of `text` and returns the request that lists them.
async fn list_request(client: &Client, credential: &IssuedCredential, batch: usize, text: &str) -> String {
    let id = client.upsert("call-1").await;
    let sender = json!({"role": "agent", "externalId": "agent-1"});
    let one = json!({"text": text, "sender": sender, "timestamp": "2026-01-31T09:30:00Z"});
    for _ in 0..20 {
        let batch = json!({"messages": vec![one.clone(); batch]});
        assert_eq!(client.post(&format!("{PATH}/{id}/messages/batch"), &batch).await.status, 200);
    }
    head(credential, "GET", &format!("{PATH}/{id}/messages"), "connection: close\r\n")
}

#[actix_web::test]
async fn a_client_that_does_not_read_its_response_is_disconnected() {
    let service = service(&[]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let client = service.client_with_credential(credential.id.as_str(), credential.secret.reveal());
    let request = large_list_request(&client, &credential).await;
    let mut complete = RawConnection::open(service.address());
    let full_length = {
        let request = request.clone();
        blocking(move || {
            complete.send(request.as_bytes());
            complete.read_to_end().len()
        })
        .await
    };
    let mut connection = RawConnection::open(service.address());
    connection.send(request.as_bytes());
    let deadline = std::time::Instant::now() + support::raw_connection::IO_TIMEOUT;
    // The client reads nothing until the server no longer counts the connection.
    while service.open_connections() > 0 {
        assert!(std::time::Instant::now() < deadline, "the connection is still open");
        actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(blocking(move || connection.read_to_end()).await.len() < full_length);
}

#[actix_web::test]
async fn large_responses_of_a_credential_are_limited_and_small_responses_are_not() {
    let service = service(&[
        ("PARLANCE_MAX_STREAMS_PER_CREDENTIAL", "2"),
        ("PARLANCE_MAX_IN_FLIGHT", "1"),
        ("PARLANCE_WRITE_TIMEOUT_SECONDS", "600"),
    ])
    .await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let client = service.client_with_credential(credential.id.as_str(), credential.secret.reveal());
    let request = large_list_request(&client, &credential).await;
    let mut unread: Vec<_> = (0..2).map(|_| RawConnection::open(service.address())).collect();
    for connection in &mut unread {
        connection.send(request.as_bytes());
        connection.read_first_byte();
    }
    let mut connection = RawConnection::open(service.address());
    connection.send(request.as_bytes());
    let refused = blocking(move || connection.read_response()).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"rule\":\"max_streams\""), "{refused}");
    assert_eq!(
        client.get(&format!("{PATH}?externalId=a")).await.status,
        200,
        "small responses of the same credential are not limited"
    );
}

#[actix_web::test]
async fn streams_of_long_messages_count_by_their_size() {
    let service = service(&[("PARLANCE_WRITE_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let client = service.client_with_credential(credential.id.as_str(), credential.secret.reveal());
    let request = list_request(&client, &credential, 1, &"all is well ".repeat(16_000)).await;
    // Each is opened when it is used: a connection without a request has only the header timeout.
    let mut unread = Vec::new();
    for _ in 0..16 {
        let mut connection = RawConnection::open(service.address());
        connection.send(request.as_bytes());
        connection.read_first_byte();
        unread.push(connection);
    }
    let mut last = unread.pop().unwrap();
    let refused = blocking(move || last.read_response()).await;
    assert!(refused.contains("\"rule\":\"max_streams\""), "{refused}");
}

#[actix_web::test]
async fn a_connection_over_the_address_limit_evicts_the_longest_waiting_connection() {
    let service =
        service(&[("PARLANCE_MAX_CONNECTIONS_PER_ADDRESS", "3"), ("PARLANCE_HEADER_TIMEOUT_SECONDS", "600")]).await;
    let mut silent = Vec::new();
    while silent.len() < 3 {
        silent.push(RawConnection::open(service.address()));
        // The server has accepted each before the next one is opened, so that the first has waited longest.
        while service.open_connections() < silent.len() {
            tokio::task::yield_now().await;
        }
    }
    let mut connection = RawConnection::open(service.address());
    connection.send(LIVE);
    let response = blocking(move || connection.read_response()).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    let mut first = silent.remove(0);
    assert_eq!(blocking(move || first.read_to_end()).await, "");
}

#[actix_web::test]
async fn over_the_connection_limit_health_is_served_and_other_requests_get_503() {
    let service = service(&[("PARLANCE_MAX_CONNECTIONS", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let waiting = head(&credential, "POST", PATH, "expect: 100-continue\r\ncontent-length: 9\r\n");
    let mut busy = RawConnection::open(service.address());
    busy.send(waiting.as_bytes());
    assert!(busy.read_response().starts_with("HTTP/1.1 100"));
    let exchange = async |request: Vec<u8>| {
        let mut connection = RawConnection::open(service.address());
        connection.send(&request);
        blocking(move || connection.read_to_end()).await
    };
    let refused = exchange(head(&credential, "GET", &format!("{PATH}?externalId=a"), "").into_bytes()).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
    let live = exchange(LIVE.to_vec()).await;
    assert!(live.starts_with("HTTP/1.1 200") && live.contains("connection: close"), "{live}");
}

#[actix_web::test]
async fn connections_of_a_credential_that_wait_for_a_response_are_limited() {
    let service =
        service(&[("PARLANCE_MAX_CONNECTIONS_PER_CREDENTIAL", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let request = head(&credential, "POST", PATH, "expect: 100-continue\r\ncontent-length: 9\r\n");
    let mut busy = RawConnection::open(service.address());
    busy.send(request.as_bytes());
    assert!(busy.read_response().starts_with("HTTP/1.1 100"));
    let mut connection = RawConnection::open(service.address());
    connection.send(head(&credential, "GET", &format!("{PATH}?externalId=a"), "").as_bytes());
    let refused = blocking(move || connection.read_response()).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"rule\":\"max_connections\""), "{refused}");
}
