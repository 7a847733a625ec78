//! Spec §7: every error has the same body, wherever it comes from. That the body names the request of the header is
//! held by the client for every answer of every test.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
};

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::Value;
use support::{client::conversation, database::TestDatabase, service::TestService};

const PATH: &str = "/conversation/v1/conversations";

#[actix_web::test]
async fn an_unknown_path_is_404() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for path in [
        "/",
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
async fn another_method_is_405_and_told_which_are_allowed() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (path, allow) in [(PATH, "POST, GET"), ("/conversation/v1/conversations/A", "GET"), ("/health/live", "GET")] {
        for method in [Method::DELETE, Method::PUT, Method::PATCH, Method::OPTIONS] {
            let answer = client.send(&method, path, |request| request).await;
            assert_eq!((answer.status, answer.header("allow")), (405, allow), "{method} {path}");
            assert_eq!(answer.json()["error"]["message"], "Method Not Allowed");
        }
    }
}

#[actix_web::test]
async fn a_body_over_the_limit_is_413_however_it_is_sent() {
    let small = [("PARLANCE_MAX_BODY_BYTES", "1000")];
    let service = TestService::over(TestDatabase::sqlite(), &small).await;
    let client = service.client("acme").await;
    let mut body = conversation("call-1").to_string();
    body.push_str(&" ".repeat(1_000 - body.len()));
    assert_eq!(client.post_bytes(PATH, body.clone()).await.status, 200);
    body.push(' ');
    assert_eq!(client.post_bytes(PATH, body).await.refusal(), (413, vec![" max_bytes".into()]));
    assert_eq!(client.post_bytes(PATH, " ".repeat(1_000_000)).await.status, 413);
}

/// What the service answers to bytes after which nothing more comes.
async fn answer_to(service: &TestService, head: &str, rest: &str) -> (u16, Value) {
    let issued = service.credential("acme", &Permission::ALL).await;
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
async fn a_body_that_is_cut_off_is_400() {
    let service = TestService::start().await;
    for rest in ["content-length: 100\r\n\r\n{\"externalId\":", "transfer-encoding: chunked\r\n\r\n5\r\n{\"ext"] {
        let (status, body) = answer_to(&service, &format!("POST {PATH} HTTP/1.1"), rest).await;
        assert_eq!((status, &body["error"]["details"][0]["rule"]), (400, &Value::from("complete")), "{rest}");
    }
}

#[actix_web::test]
async fn a_request_for_nothing_is_answered_and_the_service_lives_on() {
    let service = TestService::start().await;
    let (status, body) = answer_to(&service, "GET /conversation/v1/conversations/%FF HTTP/1.1", "\r\n").await;
    assert_eq!((status, &body["error"]["code"]), (400, &Value::from("400-01")));
    assert_eq!(service.client("acme").await.get("/health/live").await.status, 200);
}
