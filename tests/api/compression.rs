//! Tests of gzip compression: only large responses, only if the client accepts gzip, and never a response that may
//! hold a secret.

use reqwest::Method;
use support::{
    client::{ApiResponse, Client, message_body},
    service::TestService,
};

const CONVERSATIONS: &str = "/conversation/v1/conversations";

async fn get(client: &Client, path: &str, accepted: &str) -> ApiResponse {
    client.send(&Method::GET, path, |request| request.header("accept-encoding", accepted)).await
}

/// Creates a conversation with `count` messages and returns the path of its messages.
async fn create_messages(client: &Client, count: usize) -> String {
    let path = format!("{CONVERSATIONS}/{}/messages", client.upsert("call-1").await);
    let numbered_message = |number| message_body(&format!("message number {number}"), "2026-01-31T09:30:00Z");
    let batch = serde_json::json!({"messages": (0..count).map(numbered_message).collect::<Vec<_>>()});
    assert_eq!(client.post(&format!("{path}/batch"), &batch).await.status, 200);
    path
}

#[actix_web::test]
async fn a_large_response_is_compressed_if_the_client_accepts_gzip() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = create_messages(&client, 300).await;
    let (plain, compressed) = (client.get(&path).await, get(&client, &path, "br;q=0.5, gzip").await);
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    assert_eq!((compressed.header("content-encoding"), compressed.header("vary")), ("gzip", "accept-encoding"));
    assert_eq!(compressed.header("content-length"), compressed.bytes.len().to_string());
    assert!(compressed.bytes.len() * 5 < plain.bytes.len());
    assert_eq!(compressed.text, plain.text);
}

#[actix_web::test]
async fn a_response_is_not_compressed_if_the_client_does_not_accept_gzip() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = create_messages(&client, 300).await;
    for accepted in ["identity", "gzip;q=0", "br", "*;q=0", "identity;q=0", "nonsense, ,"] {
        let answer = get(&client, &path, accepted).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (200, ""), "{accepted}");
    }
    assert_eq!(get(&client, &path, "gzip, identity;q=0").await.header("content-encoding"), "gzip");
}

#[actix_web::test]
async fn small_responses_errors_and_searches_are_never_compressed() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = create_messages(&client, 3).await;
    let search = format!("{CONVERSATIONS}?externalId=call-1");
    for path in [&path, &search, "/nope", "/health/ready"] {
        let answer = get(&client, path, "gzip").await;
        assert_eq!((answer.header("content-encoding"), answer.header("vary")), ("", ""), "{path}");
    }
    // The metadata alone makes the response larger than the minimum size for compression.
    let mut large = support::client::conversation_body("call-1");
    large["metadata"] = serde_json::json!({"a": "x".repeat(1_000), "b": "y".repeat(1_000)});
    assert_eq!(client.post(CONVERSATIONS, &large).await.status, 200);
    let found = get(&client, &search, "gzip").await;
    assert!(found.bytes.len() > 2_000 && found.header("content-encoding").is_empty());
}

#[actix_web::test]
async fn a_streamed_transcript_is_not_compressed() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for _ in 0..4 {
        create_messages(&client, 300).await;
    }
    let transcript = get(&client, "/conversation/v1/conversation/messages?externalId=call-1&format=txt", "gzip").await;
    assert_eq!((transcript.header("content-encoding"), transcript.text.lines().count()), ("", 1_200));
}

#[actix_web::test]
async fn the_etag_of_a_compressed_export_also_matches_the_uncompressed_export() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = "/configuration/v1/custom-vocabularies/export?engine=pronunciation";
    for number in 0..30 {
        let entry = serde_json::json!({"phrase": format!("phrase number {number}"), "soundsLike": ["a b c"]});
        assert_eq!(client.post("/configuration/v1/custom-vocabularies", &entry).await.status, 201);
    }
    let (plain, compressed) = (client.get(path).await, get(&client, path, "gzip").await);
    assert_eq!(compressed.header("content-encoding"), "gzip");
    let weak = compressed.header("etag").to_owned();
    assert_eq!(weak, format!("W/{}", plain.header("etag")));
    let not_modified = client.send(&Method::GET, path, |request| request.header("if-none-match", &weak)).await;
    assert_eq!(not_modified.status, 304);
}

#[actix_web::test]
async fn the_openapi_document_and_swagger_ui_are_compressed_and_have_etags() {
    let service = TestService::start().await;
    let anonymous = service.client_with_credential("", "");
    for path in ["/openapi.json", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css"] {
        let (plain, compressed) = (anonymous.get(path).await, get(&anonymous, path, "gzip").await);
        assert_eq!(compressed.header("content-encoding"), "gzip", "{path}");
        assert!(compressed.bytes.len() * 2 < plain.bytes.len() && compressed.text == plain.text, "{path}");
        let tag = compressed.header("etag").to_owned();
        let not_modified = anonymous.send(&Method::GET, path, |request| request.header("if-none-match", &tag)).await;
        assert_eq!((not_modified.status, not_modified.header("vary")), (304, "accept-encoding"), "{path}");
    }
}
