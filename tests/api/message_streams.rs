//! Tests of where a stream of one conversation's messages resumes.

use serde_json::json;
use support::{client::Client, event_stream::EventStream, service::TestService};

use crate::{
    event_streams::{EVENTS, STREAM, messages_of, say, texts},
    stream_addresses::{issue, open},
};

/// Creates two conversations, which have these messages by turns, and returns their ids.
async fn two_conversations(client: &Client) -> (String, String) {
    let (first, second) = (client.upsert("call-1").await, client.upsert("call-2").await);
    for (conversation, text) in [(&second, "a2"), (&first, "a1"), (&second, "b2"), (&first, "b1")] {
        say(client, conversation, text).await;
    }
    (first, second)
}

/// Opens the stream of a conversation's messages with a query.
async fn open_after(client: &Client, conversation: &str, after: &str) -> EventStream {
    client.open_stream(&format!("{}?after={after}", messages_of(conversation)), None).await
}

/// Checks that a stream says that its cursor is unknown and ends, and returns the id of the reset.
async fn expect_reset(mut stream: EventStream) -> String {
    let reset = stream.next().await;
    assert_eq!((reset.event_type.as_str(), &reset.data), ("reset", &json!({"rule": "cursor_unknown"})));
    assert_eq!(stream.try_next().await, None);
    reset.id
}

#[actix_web::test]
async fn an_id_of_another_transcript_is_unknown_and_skips_no_message() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (first, second) = two_conversations(&client).await;
    let foreign = client.open_stream(&messages_of(&first), None).await.next().await.id;
    let by_header = client.open_stream(&messages_of(&second), Some(&foreign)).await;
    let by_address = open(&service, &issue(&client, &json!({"conversationId": second, "after": foreign})).await).await;
    for stream in [by_header, open_after(&client, &second, &foreign).await, by_address] {
        assert_eq!(expect_reset(stream).await, "", "the client begins anew");
    }
    let mut anew = client.open_stream(&messages_of(&second), Some("")).await;
    assert_eq!(texts(&anew.take(2).await), ["a2", "b2"]);
    let mut own = client.open_stream(&messages_of(&first), Some(&foreign)).await;
    assert_eq!(texts(&own.take(1).await), ["b1"]);
}

#[actix_web::test]
async fn an_id_of_a_transcript_is_unknown_on_the_stream_of_the_tenant() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (first, _) = two_conversations(&client).await;
    let foreign = client.open_stream(&messages_of(&first), None).await.next().await.id;
    let by_query = client.open_stream(&format!("{STREAM}?after={foreign}"), None).await;
    expect_reset(by_query).await;
    let present = expect_reset(client.open_stream(STREAM, Some(&foreign)).await).await;
    say(&client, &first, "later").await;
    assert_eq!(texts(&client.open_stream(STREAM, Some(&present)).await.take(1).await), ["later"]);
}

#[actix_web::test]
async fn the_query_says_where_a_stream_of_messages_resumes_as_the_header_does() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (first, _) = two_conversations(&client).await;
    let transcript = client.open_stream(&messages_of(&first), None).await.take(2).await;
    let mut resumed = open_after(&client, &first, &transcript[0].id).await;
    assert_eq!(texts(&resumed.take(1).await), ["b1"]);
    let mut live = open_after(&client, &first, "latest").await;
    live.next_frame().await.unwrap();
    let cursor = client.get(&format!("{EVENTS}?after=latest")).await.ok()["nextCursor"].as_str().unwrap().to_owned();
    say(&client, &first, "c1").await;
    for stream in [&mut resumed, &mut live, &mut open_after(&client, &first, &cursor).await] {
        assert_eq!(texts(&stream.take(1).await), ["c1"]);
    }
    let path = format!("{}?after=latest", messages_of(&first));
    let mut header = client.open_stream(&path, Some(&transcript[0].id)).await;
    assert_eq!(texts(&header.take(2).await), ["b1", "c1"], "the header outweighs the query");
    for after in ["", "x", "oldest", "1-0-1~"] {
        let refused = client.get(&format!("{}?after={after}", messages_of(&first))).await;
        assert_eq!(refused.error_details(), (400, vec!["query:after cursor".to_owned()]), "{after}");
    }
}

#[actix_web::test]
async fn a_cursor_of_events_gives_on_each_stream_what_changed_after_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let (first, second) = two_conversations(&client).await;
    let mut stream = client.open_stream(&messages_of(&first), None).await;
    stream.take(2).await;
    say(&client, &second, "c2").await;
    say(&client, &first, "c1").await;
    let live = stream.next().await;
    say(&client, &first, "d1").await;
    say(&client, &second, "d2").await;
    let mut other = open_after(&client, &second, &live.id).await;
    assert_eq!(texts(&other.take(1).await), ["d2"]);
    expect_reset(open_after(&client, &second, "1-0-1").await).await;
}

#[actix_web::test]
async fn a_stream_that_gave_no_message_yet_resumes_before_the_first_one() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    // Such a message can be a part of a number, so the settled view holds it back for minutes.
    say(&client, &id, "5500").await;
    let mut stream = client.open_stream(&format!("{}?view=settled", messages_of(&id)), None).await;
    stream.next_frame().await.unwrap();
    let comment = stream.next_frame().await.unwrap();
    let last_id = comment.strip_prefix(": keep-alive\nid: ").unwrap();
    let mut resumed = client.open_stream(&messages_of(&id), Some(last_id)).await;
    assert_eq!(texts(&resumed.take(1).await), ["5500"]);
}
