//! Tests of spec §7: every error has the same envelope, whichever part of the server reports it.
//!
//! The client of the API tests also checks that the body and the header of every error have the same request id.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
};

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::Value;
use support::{
    client::{ApiResponse, conversation_body, message_body},
    database::TestDatabase,
    service::TestService,
};

const PATH: &str = "/conversation/v1/conversations";

#[actix_web::test]
async fn an_unknown_path_is_404() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for path in [
        "/nope",
        "/conversation/v1",
        "/conversation/v1/conversations/",
        "//conversation/v1/conversations",
        "/docs/nope",
    ] {
        assert_eq!(client.get(path).await.json()["error"]["message"], "Not Found", "{path}");
    }
}

#[actix_web::test]
async fn an_unsupported_method_is_405_with_the_allowed_methods() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let one = "/conversation/v1/conversations/A";
    for (path, allow) in [(PATH, "POST, GET, HEAD"), (one, "GET, HEAD, DELETE"), ("/health/live", "GET, HEAD")] {
        let methods = [Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS];
        for method in methods.into_iter().filter(|method| !allow.contains(method.as_str())) {
            let answer = client.send(&method, path, |request| request).await;
            assert_eq!((answer.status, answer.header("allow")), (405, allow), "{method} {path}");
            assert_eq!(answer.json()["error"]["message"], "Method Not Allowed");
        }
    }
}

#[actix_web::test]
async fn a_body_over_the_limit_is_413_however_it_is_sent() {
    let small_limit = [("PARLANCE_MAX_BODY_BYTES", "1000")];
    let service = TestService::start_with(TestDatabase::sqlite(), &small_limit).await;
    let client = service.client("acme").await;
    let mut body = conversation_body("call-1").to_string();
    body.push_str(&" ".repeat(1_000 - body.len()));
    assert_eq!(client.post_bytes(PATH, body.clone()).await.status, 200);
    body.push(' ');
    assert_eq!(client.post_bytes(PATH, body).await.error_details(), (413, vec![" max_bytes".into()]));
    assert_eq!(client.post_bytes(PATH, " ".repeat(1_000_000)).await.status, 413);
}

/// Sends a request, shuts down the sending side, and returns the status and the body of the response.
async fn exchange(service: &TestService, head: &str, rest: &str) -> (u16, Value) {
    let issued = service.issue_credential("acme", &Permission::ALL).await;
    let mut stream = TcpStream::connect(service.address()).unwrap();
    let credential = format!("svc-api-id: {}\r\nsvc-api-secret: {}\r\n", issued.id, issued.secret.reveal());
    write!(stream, "{head}\r\nHost: x\r\n{credential}{rest}").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap())
}

#[actix_web::test]
async fn a_truncated_body_is_400() {
    let service = TestService::start().await;
    for rest in ["content-length: 100\r\n\r\n{\"externalId\":", "transfer-encoding: chunked\r\n\r\n5\r\n{\"ext"] {
        let (status, body) = exchange(&service, &format!("POST {PATH} HTTP/1.1"), rest).await;
        assert_eq!((status, &body["error"]["details"][0]["rule"]), (400, &Value::from("complete")), "{rest}");
    }
}

#[actix_web::test]
async fn a_path_that_cannot_be_decoded_is_400_and_the_service_stays_up() {
    let service = TestService::start().await;
    let (status, body) = exchange(&service, "GET /conversation/v1/conversations/%FF HTTP/1.1", "\r\n").await;
    assert_eq!((status, &body["error"]["code"]), (400, &Value::from("400-01")));
    assert_eq!(service.client("acme").await.get("/health/live").await.status, 200);
}

/// The headers of a response that are the same for every request.
fn stable_headers(answer: &ApiResponse) -> Vec<(String, String)> {
    let variable = ["date", "x-request-id", "ratelimit"];
    let headers = answer.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let mut headers: Vec<_> = headers.filter(|(name, _)| !variable.contains(&name.as_str())).collect();
    headers.sort();
    headers
}

#[actix_web::test]
async fn head_returns_the_status_and_headers_of_get_without_the_body() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    client.add_message(&id, "hello", "2026-01-31T09:30:00Z").await;
    for path in [
        format!("{PATH}?externalId=call-1"),
        format!("{PATH}/{id}"),
        format!("{PATH}/{id}/messages"),
        format!("{PATH}/NONE"),
        "/conversation/v1/conversation/messages?externalId=call-1&format=csv".to_owned(),
        "/configuration/v1/custom-vocabularies".to_owned(),
        "/configuration/v1/redaction/redaction-entities".to_owned(),
        "/fileexporter/v1/static/feedfile".to_owned(),
        "/health/live".to_owned(),
        "/openapi.json".to_owned(),
        "/docs/".to_owned(),
        "/nope".to_owned(),
    ] {
        let get = client.get(&path).await;
        let head = client.send(&Method::HEAD, &path, |request| request).await;
        assert_eq!(
            (head.status, stable_headers(&head), head.text.as_str()),
            (get.status, stable_headers(&get), ""),
            "{path}"
        );
        assert_eq!(head.header("content-length"), get.text.len().to_string(), "{path}");
    }
}

#[actix_web::test]
async fn head_of_a_streamed_list_has_no_body_and_no_length() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let batch = |number: usize| {
        let messages = (0..300).map(|index| message_body(&format!("m{number}-{index}"), "2026-01-31T09:30:00Z"));
        serde_json::json!({"messages": messages.collect::<Vec<_>>()})
    };
    for number in 0..4 {
        assert_eq!(client.post(&format!("{PATH}/{id}/messages/batch"), &batch(number)).await.status, 200);
    }
    let head = client.send(&Method::HEAD, &format!("{PATH}/{id}/messages"), |request| request).await;
    assert_eq!((head.status, head.header("content-length"), head.text.as_str()), (200, "", ""));
}

#[actix_web::test]
async fn a_repeated_single_value_header_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let body = conversation_body("call-1").to_string();
    for (name, value) in [
        ("content-type", "application/json"),
        ("svc-api-id", "acme.01JZX900000000000000000000"),
        ("svc-api-secret", "hush-secret"),
        ("idempotency-key", "key-1"),
        ("authorization", "Bearer x"),
        ("last-event-id", "2a-0-9f3c1d2b7a60e411"),
    ] {
        let twice = |request: reqwest::RequestBuilder| match name {
            "svc-api-id" | "svc-api-secret" => request.header(name, value),
            _ => request.header(name, value).header(name, value),
        };
        let answer = client.send(&Method::POST, PATH, |request| twice(request).body(body.clone())).await;
        assert_eq!(answer.error_details(), (400, vec![format!("header:{name} repeated")]));
        assert!(!answer.text.contains(value), "{}", answer.text);
    }
    assert_eq!(client.get(&format!("{PATH}?externalId=call-1")).await.ok(), serde_json::json!({"items": []}));
}
