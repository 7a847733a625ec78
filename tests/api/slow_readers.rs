//! Tests that a reader of a stream that pauses costs others nothing and misses nothing.

use std::time::Duration;

use parlance_domain::access::Permission;
use serde_json::json;
use support::{client::message_body, database::TestDatabase, service::TestService};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

const STREAM: &str = "/conversation/v1/events/stream";

/// A mark in letters: digits could be masked as those of a card number.
fn marker(batch: usize, number: usize) -> String {
    let letter = |index: usize| char::from(b"abcdefghij"[index]);
    format!("({}-{})", letter(batch), letter(number))
}

/// Reads a response until it contains `end`.
async fn read_until(connection: &mut TcpStream, end: &str) -> String {
    let mut received = Vec::new();
    while !String::from_utf8_lossy(received.get(received.len().saturating_sub(100_000)..).unwrap_or_default())
        .contains(end)
    {
        let read = connection.read_buf(&mut received);
        assert_ne!(timeout(Duration::from_mins(1), read).await.unwrap().unwrap(), 0, "the stream ended");
    }
    String::from_utf8_lossy(&received).into_owned()
}

#[actix_web::test]
async fn a_reader_that_pauses_receives_every_event_afterwards_and_holds_up_no_other() {
    const BATCHES: usize = 10;
    let settings = [("PARLANCE_WRITE_TIMEOUT_SECONDS", "3600"), ("PARLANCE_REQUEST_TIMEOUT_MS", "60000")];
    let service = TestService::start_with(TestDatabase::sqlite(), &settings).await;
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let (key, secret) = (credential.id.as_str(), credential.secret.reveal());
    let client = service.client_with_credential(key, secret);
    let id = client.upsert("call-1").await;
    // A small buffer of the receiver, so that the server cannot send ahead.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut paused = socket.connect(service.address()).await.unwrap();
    let path = format!("{STREAM}?types=message.created");
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nsvc-api-id: {key}\r\nsvc-api-secret: {secret}\r\n\r\n");
    paused.write_all(request.as_bytes()).await.unwrap();
    read_until(&mut paused, ": stream").await;
    let mut reading = client.open_stream(&path, None).await;
    let text = "x".repeat(20_000);
    for batch in 0..BATCHES {
        let message = |number| message_body(&format!("{} {text}", marker(batch, number)), "2026-01-31T09:30:00Z");
        let messages: Vec<_> = (0..10).map(message).collect();
        let path = format!("/conversation/v1/conversations/{id}/messages/batch");
        assert_eq!(client.post(&path, &json!({"messages": messages})).await.status, 200);
        assert_eq!(reading.take(10).await.len(), 10);
    }
    let received = read_until(&mut paused, &marker(BATCHES - 1, 9)).await;
    // The sizes of the chunks are lines of their own, and the data of an event has no line end.
    let is_size = |line: &&str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_hexdigit());
    let received: String = received.split("\r\n").filter(|line| !is_size(line)).collect();
    let positions = (0..BATCHES).flat_map(|batch| (0..10).map(move |number| marker(batch, number)));
    let positions: Vec<_> = positions.map(|marker| received.find(&marker).expect(&marker)).collect();
    assert!(positions.is_sorted(), "{positions:?}");
}
