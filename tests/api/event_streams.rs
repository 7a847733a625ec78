//! Tests of streams of events.

use std::collections::BTreeMap;

use parlance_domain::access::Permission;
use serde_json::json;
use support::{
    client::Client,
    database::TestDatabase,
    event_stream::{EventStream, StreamedEvent},
    raw_connection::RawConnection,
    service::TestService,
};

pub(crate) const EVENTS: &str = "/conversation/v1/events";
pub(crate) const STREAM: &str = "/conversation/v1/events/stream";

fn types(events: &[StreamedEvent]) -> Vec<&str> {
    events.iter().map(|event| event.event_type.as_str()).collect()
}

pub(crate) fn texts(events: &[StreamedEvent]) -> Vec<&str> {
    events.iter().map(|event| event.data["data"]["text"].as_str().unwrap_or("-")).collect()
}

pub(crate) fn messages_of(conversation: &str) -> String {
    format!("/conversation/v1/conversations/{conversation}/messages/stream")
}

pub(crate) async fn say(client: &Client, conversation: &str, text: &str) {
    client.add_message(conversation, text, "2026-01-31T09:30:00Z").await;
}

#[actix_web::test]
async fn a_stream_gives_what_was_and_then_what_comes() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut stream = client.open_stream(STREAM, None).await;
    assert_eq!((stream.status(), stream.header("content-type")), (200, "text/event-stream"));
    assert_eq!(stream.header("cache-control"), "no-store, no-transform", "a proxy that compresses keeps events back");
    assert_eq!(stream.header("x-accel-buffering"), "no");
    assert_eq!(types(&stream.take(1).await), ["conversation.created"]);
    for text in ["a", "b", "c"] {
        say(&client, &id, text).await;
    }
    let live = stream.take(3).await;
    assert_eq!(texts(&live), ["a", "b", "c"]);
    let polled = client.get(&format!("{EVENTS}?types=message.created")).await.ok();
    let streamed: Vec<_> = live.iter().map(|event| event.data.clone()).collect();
    assert_eq!(json!(streamed), polled["events"], "the data of an event is the event of a page");
    assert!(live.iter().all(|event| event.data["id"] == event.id && event.data["type"] == event.event_type));
}

#[actix_web::test]
async fn a_stream_resumes_after_the_last_event_and_misses_none() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    for text in ["a", "b", "c"] {
        say(&client, &id, text).await;
    }
    let first = client.open_stream(STREAM, None).await.take(2).await;
    let mut resumed = client.open_stream(&format!("{STREAM}?after=latest"), Some(&first[1].id)).await;
    assert_eq!(texts(&resumed.take(2).await), ["b", "c"]);
    let mut after = client.open_stream(&format!("{STREAM}?after={}", first[0].id), None).await;
    assert_eq!(texts(&after.take(3).await), ["a", "b", "c"]);
}

#[actix_web::test]
async fn a_stream_gives_only_the_requested_types_of_its_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let path = format!("{STREAM}?types=message.created");
    let mut stream = acme.open_stream(&path, None).await;
    let (mine, foreign) = (acme.upsert("call-1").await, globex.upsert("call-1").await);
    say(&globex, &foreign, "foreign").await;
    say(&acme, &mine, "mine").await;
    assert_eq!(texts(&stream.take(1).await), ["mine"]);
}

#[actix_web::test]
async fn every_subscriber_receives_every_event_in_order() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (first, second) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let latest = format!("{STREAM}?after=latest&types=message.created");
    let mut streams = Vec::new();
    for path in [&latest, &latest, &messages_of(&first), &messages_of(&second)] {
        let mut stream = client.open_stream(path, None).await;
        stream.next_frame().await.unwrap();
        streams.push(stream);
    }
    let expected: Vec<_> = (0..40).map(|number| format!("message {number}")).collect();
    for (number, text) in expected.iter().enumerate() {
        say(&client, if number % 2 == 0 { &first } else { &second }, text).await;
    }
    for stream in &mut streams[..2] {
        assert_eq!(texts(&stream.take(40).await), expected);
    }
    for (offset, stream) in streams[2..].iter_mut().enumerate() {
        let own: Vec<_> = expected.iter().skip(offset).step_by(2).collect();
        assert_eq!(texts(&stream.take(20).await), own.iter().map(|text| text.as_str()).collect::<Vec<_>>());
    }
}

#[actix_web::test]
async fn a_stream_whose_cursor_is_gone_says_so_and_ends() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut stream = client.open_stream(&format!("{STREAM}?after=1-0-1"), None).await;
    let reset = stream.next().await;
    assert_eq!((reset.event_type.as_str(), &reset.data), ("reset", &json!({"rule": "cursor_unknown"})));
    assert_eq!(stream.try_next().await, None);
    say(&client, &id, "later").await;
    let mut resumed = client.open_stream(STREAM, Some(&reset.id)).await;
    assert_eq!(texts(&resumed.take(1).await), ["later"], "the id of a reset is the present");
}

#[actix_web::test]
async fn a_stream_of_messages_begins_with_the_transcript() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (id, other) = (client.upsert("call-1").await, client.upsert("call-2").await);
    let said: Vec<_> = (0..120).map(|number| format!("message {number}")).collect();
    for text in &said {
        say(&client, &id, text).await;
    }
    let mut stream = client.open_stream(&messages_of(&id), None).await;
    let transcript = stream.take(120).await;
    assert_eq!(texts(&transcript), said);
    assert!(
        transcript.iter().all(|event| event.event_type == "message.created" && event.data["externalId"] == "call-1")
    );
    say(&client, &other, "elsewhere").await;
    say(&client, &id, "live").await;
    assert_eq!(texts(&stream.take(1).await), ["live"]);
    let mut resumed = client.open_stream(&messages_of(&id), Some(&transcript[117].id)).await;
    assert_eq!(texts(&resumed.take(3).await), ["message 118", "message 119", "live"]);
}

#[actix_web::test]
async fn a_stream_of_messages_gives_texts_that_were_masked_later() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut stream = client.open_stream(&messages_of(&id), None).await;
    for text in ["my card number is 5500", "0055", "5555", "5559"] {
        say(&client, &id, text).await;
    }
    // The last four digits of a card number stay.
    let expected = ["my card number is ****", "****", "****", "5559"].map(str::to_owned);
    let mut texts = BTreeMap::new();
    while texts.values().cloned().collect::<Vec<String>>() != expected {
        let event = stream.next().await;
        let data = &event.data["data"];
        texts.insert(data["messageId"].as_str().unwrap().to_owned(), data["text"].as_str().unwrap().to_owned());
    }
}

#[actix_web::test]
async fn a_stream_needs_a_conversation_a_permission_and_readable_parameters() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let refusals = [
        (messages_of("01JZX900000000000000000000"), None, 404, "path:conversationId exists"),
        (format!("{}?view=x", messages_of(&id)), None, 400, "query:view enum"),
        (messages_of(&id), Some("x"), 400, "header:last-event-id cursor"),
        (STREAM.to_owned(), Some("1-0"), 400, "header:last-event-id cursor"),
        (format!("{STREAM}?types=x"), None, 400, "query:types enum"),
    ];
    for (path, last_event_id, status, detail) in refusals {
        let answer = client.send(&reqwest::Method::GET, &path, |request| match last_event_id {
            Some(id) => request.header("last-event-id", id),
            None => request,
        });
        assert_eq!(answer.await.error_details(), (status, vec![detail.to_owned()]), "{path}");
    }
    let other = service.client("globex").await;
    assert_eq!(other.get(&messages_of(&id)).await.status, 404);
    let reader = service.client_with_permissions("acme", &[Permission::ReadConversations]).await;
    assert_eq!(reader.get(&format!("{STREAM}?types=vocabulary.created")).await.status, 403);
}

#[actix_web::test]
async fn a_stream_lasts_longer_than_a_request_may_and_is_not_compressed() {
    let settings = [("PARLANCE_REQUEST_TIMEOUT_MS", "500"), ("PARLANCE_MAX_IN_FLIGHT", "2")];
    let service = TestService::start_with(TestDatabase::sqlite(), &settings).await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut streams: Vec<EventStream> = Vec::new();
    for _ in 0..4 {
        let mut stream = client.open_stream(&format!("{STREAM}?after=latest"), None).await;
        stream.next_frame().await.unwrap();
        streams.push(stream);
    }
    // The wait is over the timeout, and four streams are more than the limit on requests in flight.
    let after = client.get(&format!("{EVENTS}?after=latest")).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    let waited = client.get(&format!("{EVENTS}?after={after}&wait=1")).await.ok();
    assert_eq!(waited["events"], json!([]));
    say(&client, &id, "after a while").await;
    for stream in &mut streams {
        assert_eq!(stream.header("content-encoding"), "");
        assert_eq!(texts(&stream.take(1).await), ["after a while"]);
    }
}

#[actix_web::test]
async fn a_request_that_waits_is_answered_by_the_first_event() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let after = client.get(&format!("{EVENTS}?after=latest")).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    let path = format!("{EVENTS}?after={after}&wait=30");
    let (page, ()) = tokio::join!(client.get(&path), say(&client, &id, "hello"));
    assert_eq!(page.ok()["events"][0]["data"]["text"], "hello");
}

#[actix_web::test]
async fn a_server_that_stops_ends_its_streams_and_spreads_the_reconnections() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let mut stream = client.open_stream(STREAM, None).await;
    stream.next_frame().await.unwrap();
    let after = client.get(&format!("{EVENTS}?after=latest")).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let credential = format!("svc-api-id: {}\r\nsvc-api-secret: {}", issued.id, issued.secret.reveal());
    let request = format!("GET {EVENTS}?after={after}&wait=30 HTTP/1.1\r\nhost: x\r\n{credential}\r\n\r\n");
    let mut connection = RawConnection::open(service.address());
    assert!(connection.send(request.as_bytes()));
    // The stream is the other one.
    service.wait_for_open_requests(2).await;
    let ((), retry) = tokio::join!(service.stop(), stream.next_frame());
    assert!(connection.read_response().contains(r#""events":[]"#));
    assert!(retry.unwrap().starts_with("retry: "));
    assert_eq!(stream.next_frame().await, None);
}

#[actix_web::test]
async fn the_settled_view_gives_a_message_once_enough_follows() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let mut all = client.open_stream(&format!("{STREAM}?view=settled&types=message.created"), None).await;
    all.next_frame().await.unwrap();
    for number in 0..4 {
        say(&client, &id, &format!("message {number}")).await;
    }
    let mut one = client.open_stream(&format!("{}?view=settled", messages_of(&id)), None).await;
    one.next_frame().await.unwrap();
    for number in 4..8 {
        say(&client, &id, &format!("message {number}")).await;
    }
    // Six messages follow the second one.
    assert_eq!(texts(&all.take(2).await), ["message 0", "message 1"]);
    assert_eq!(texts(&one.take(2).await), ["message 0", "message 1"]);
}
