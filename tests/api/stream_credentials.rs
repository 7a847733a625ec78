//! Tests of what a stream and its address do when the secret of their credential is replaced.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::json;
use support::{client::Client, event_stream::EventStream, service::TestService};

use crate::{
    event_streams::{STREAM, messages_of, say, texts},
    stream_addresses::{issue, open},
};

/// A client with a new credential, whose secret is replaced when the future is awaited. The secret before is kept for this
/// many seconds.
async fn client_before_rotation(service: &TestService, keep_seconds: u32) -> (Client, impl Future<Output = ()>) {
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let client = service.client_with_credential(issued.id.as_str(), issued.secret.reveal());
    let rotate = async move {
        service.rotate_credential(&issued.id, keep_seconds).await;
    };
    (client, rotate)
}

/// Opens the stream of all events, that of a conversation, and that of an address.
async fn streams(service: &TestService, client: &Client, conversation: &str) -> [EventStream; 3] {
    let issued = issue(client, &json!({"after": "latest"})).await;
    let by_address = open(service, &issued).await;
    let messages = client.open_stream(&messages_of(conversation), None).await;
    [client.open_stream(&format!("{STREAM}?after=latest"), None).await, messages, by_address]
}

#[actix_web::test]
async fn streams_end_when_the_secret_that_opened_them_is_no_longer_accepted() {
    let service = TestService::start().await;
    let (replaced, rotate_replaced) = client_before_rotation(&service, 0).await;
    let (kept, rotate_kept) = client_before_rotation(&service, 3_600).await;
    let id = replaced.upsert("call-1").await;
    let ending = streams(&service, &replaced, &id).await;
    let lasting = streams(&service, &kept, &id).await;
    rotate_replaced.await;
    rotate_kept.await;
    for mut stream in ending {
        assert_eq!(stream.try_next().await, None, "the next check ends the stream");
    }
    say(&kept, &id, "later").await;
    for mut stream in lasting {
        assert_eq!(texts(&stream.take(1).await), ["later"]);
    }
}

#[actix_web::test]
async fn an_address_opens_nothing_once_the_secret_that_asked_for_it_is_no_longer_accepted() {
    let service = TestService::start().await;
    let anonymous = service.client_with_credential("", "");
    for (keep_seconds, status) in [(0, 404), (3_600, 200)] {
        let (client, rotate) = client_before_rotation(&service, keep_seconds).await;
        let issued = issue(&client, &json!({})).await;
        rotate.await;
        let path = issued["streamingUrl"].as_str().unwrap();
        assert_eq!(anonymous.send(&Method::HEAD, path, |request| request).await.status, status);
        assert_eq!(open(&service, &issued).await.status(), status, "kept for {keep_seconds} seconds");
    }
}
