//! Tests of requests from pages of other origins.

use reqwest::{Method, Response};
use serde_json::json;
use support::{client::http_client, database::TestDatabase, service::TestService};

const PATH: &str = "/conversation/v1/conversations";
const ALLOWED: &str = "https://desk.example";

async fn service() -> TestService {
    let origins = format!("{ALLOWED},http://localhost:3000");
    TestService::start_with(TestDatabase::sqlite(), &[("PARLANCE_CORS_ORIGINS", &origins)]).await
}

async fn preflight(service: &TestService, origin: &str) -> Response {
    let request = http_client().request(Method::OPTIONS, format!("http://{}{PATH}", service.address()));
    let request = request.header("origin", origin).header("access-control-request-method", "POST");
    request.send().await.unwrap()
}

fn header<'response>(response: &'response Response, name: &str) -> &'response str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[actix_web::test]
async fn a_page_of_an_allowed_origin_may_send_a_credential_and_read_the_answer() {
    let service = service().await;
    let answer = preflight(&service, ALLOWED).await;
    assert_eq!((answer.status().as_u16(), header(&answer, "access-control-allow-origin")), (204, ALLOWED));
    let headers = header(&answer, "access-control-allow-headers");
    assert!(
        ["svc-api-id", "svc-api-secret", "content-type", "last-event-id"].iter().all(|name| headers.contains(name))
    );
    assert!(header(&answer, "access-control-allow-methods").contains("POST"));
    assert_eq!(header(&answer, "access-control-allow-credentials"), "");
    let client = service.client("acme").await;
    for path in [format!("{PATH}?externalId=a"), format!("{PATH}/x")] {
        let answer = client.send(&Method::GET, &path, |request| request.header("origin", ALLOWED)).await;
        assert_eq!(answer.header("access-control-allow-origin"), ALLOWED, "{path}");
        assert!(answer.header("access-control-expose-headers").contains("x-request-id"));
        assert_eq!(answer.header("vary"), "origin");
    }
}

#[actix_web::test]
async fn a_page_of_an_allowed_origin_reads_a_stream() {
    let service = service().await;
    let client = service.client("acme").await;
    let issued = client.post("/conversation/v1/streams", &json!({})).await.json();
    let address = format!("http://{}{}", service.address(), issued["streamingUrl"].as_str().unwrap());
    let answer = http_client().get(address).header("origin", "http://localhost:3000").send().await.unwrap();
    assert_eq!((answer.status().as_u16(), header(&answer, "content-type")), (200, "text/event-stream"));
    assert_eq!(header(&answer, "access-control-allow-origin"), "http://localhost:3000");
}

#[actix_web::test]
async fn a_page_of_another_origin_cannot_read_an_answer() {
    let (service, default) = (service().await, TestService::start().await);
    for (service, origin) in [
        (&service, "https://evil.example"),
        (&service, "https://desk.example.evil"),
        (&service, "null"),
        (&default, ALLOWED),
    ] {
        let answer = preflight(service, origin).await;
        assert_eq!((answer.status().as_u16(), header(&answer, "access-control-allow-origin")), (401, ""), "{origin}");
        let client = service.client("acme").await;
        let path = format!("{PATH}?externalId=a");
        let answer = client.send(&Method::GET, &path, |request| request.header("origin", origin)).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, ""), "{origin}");
    }
}
