//! How many connections and large answers there may be, and what becomes of one too many.

use parlance_domain::access::{IssuedCredential, Permission};
use serde_json::json;
use support::{client::Client, raw::RawConnection};

use crate::connections::{LIVE, PATH, blocking, head, service};

/// Fills a conversation with four megabytes of text, and gives the request that lists it.
async fn large_list(client: &Client, credential: &IssuedCredential) -> String {
    list_of(client, credential, 50, &"all is well ".repeat(330)).await
}

/// Fills a conversation with twenty batches of so many messages of this text, and gives the request that lists it.
async fn list_of(client: &Client, credential: &IssuedCredential, batch: usize, text: &str) -> String {
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
async fn a_client_that_does_not_read_its_answer_is_cut_off() {
    let service = service(&[]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let client = service.client_of(credential.id.as_str(), credential.secret.reveal());
    let request = large_list(&client, &credential).await;
    let mut reading = RawConnection::open(service.address());
    let whole = {
        let request = request.clone();
        blocking(move || {
            reading.send(request.as_bytes());
            reading.rest().len()
        })
        .await
    };
    let mut connection = RawConnection::open(service.address());
    connection.send(request.as_bytes());
    let deadline = std::time::Instant::now() + support::raw::PATIENCE;
    // Nothing of it is read until the server counts the connection no longer.
    while service.open_connections() > 0 {
        assert!(std::time::Instant::now() < deadline, "the connection is still open");
        actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(blocking(move || connection.rest()).await.len() < whole);
}

#[actix_web::test]
async fn a_credential_has_so_many_large_answers_under_way_and_others_are_served() {
    let service = service(&[
        ("PARLANCE_MAX_STREAMS_PER_CREDENTIAL", "2"),
        ("PARLANCE_MAX_IN_FLIGHT", "1"),
        ("PARLANCE_WRITE_TIMEOUT_SECONDS", "600"),
    ])
    .await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let client = service.client_of(credential.id.as_str(), credential.secret.reveal());
    let request = large_list(&client, &credential).await;
    let mut unread: Vec<_> = (0..2).map(|_| RawConnection::open(service.address())).collect();
    for connection in &mut unread {
        connection.send(request.as_bytes());
        connection.first_byte();
    }
    let mut connection = RawConnection::open(service.address());
    connection.send(request.as_bytes());
    let refused = blocking(move || connection.answer()).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"rule\":\"max_streams\""), "{refused}");
    assert_eq!(
        client.get(&format!("{PATH}?externalId=a")).await.status,
        200,
        "small answers go on, of the same credential"
    );
}

#[actix_web::test]
async fn streams_of_long_messages_count_by_what_they_hold() {
    let service = service(&[("PARLANCE_WRITE_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let client = service.client_of(credential.id.as_str(), credential.secret.reveal());
    let request = list_of(&client, &credential, 1, &"all is well ".repeat(16_000)).await;
    let mut unread: Vec<_> = (0..16).map(|_| RawConnection::open(service.address())).collect();
    for connection in &mut unread {
        connection.send(request.as_bytes());
        connection.first_byte();
    }
    let mut last = unread.pop().unwrap();
    let refused = blocking(move || last.answer()).await;
    assert!(refused.contains("\"rule\":\"max_streams\""), "{refused}");
}

#[actix_web::test]
async fn one_connection_too_many_of_an_address_takes_the_place_of_the_longest_waiting() {
    let service =
        service(&[("PARLANCE_MAX_CONNECTIONS_PER_ADDRESS", "3"), ("PARLANCE_HEADER_TIMEOUT_SECONDS", "600")]).await;
    let mut silent: Vec<_> = (0..10).map(|_| RawConnection::open(service.address())).collect();
    let mut connection = RawConnection::open(service.address());
    connection.send(LIVE);
    let said = blocking(move || connection.answer()).await;
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let mut first = silent.remove(0);
    assert_eq!(blocking(move || first.rest()).await, "");
}

#[actix_web::test]
async fn beyond_all_connections_health_is_answered_and_others_are_told_why_not() {
    let service = service(&[("PARLANCE_MAX_CONNECTIONS", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let waiting = head(&credential, "POST", PATH, "expect: 100-continue\r\ncontent-length: 9\r\n");
    let mut busy = RawConnection::open(service.address());
    busy.send(waiting.as_bytes());
    assert!(busy.answer().starts_with("HTTP/1.1 100"));
    let ask = async |request: Vec<u8>| {
        let mut connection = RawConnection::open(service.address());
        connection.send(&request);
        blocking(move || connection.rest()).await
    };
    let refused = ask(head(&credential, "GET", &format!("{PATH}?externalId=a"), "").into_bytes()).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
    let live = ask(LIVE.to_vec()).await;
    assert!(live.starts_with("HTTP/1.1 200") && live.contains("connection: close"), "{live}");
}

#[actix_web::test]
async fn a_credential_has_so_many_connections_that_wait_for_their_answers() {
    let service =
        service(&[("PARLANCE_MAX_CONNECTIONS_PER_CREDENTIAL", "1"), ("PARLANCE_BODY_TIMEOUT_SECONDS", "600")]).await;
    let credential = service.credential("acme", &Permission::ALL).await;
    let ask = head(&credential, "POST", PATH, "expect: 100-continue\r\ncontent-length: 9\r\n");
    let mut busy = RawConnection::open(service.address());
    busy.send(ask.as_bytes());
    assert!(busy.answer().starts_with("HTTP/1.1 100"));
    let mut connection = RawConnection::open(service.address());
    connection.send(head(&credential, "GET", &format!("{PATH}?externalId=a"), "").as_bytes());
    let refused = blocking(move || connection.answer()).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"rule\":\"max_connections\""), "{refused}");
}
