//! A client of the service. It validates every response against the OpenAPI document.

use std::{io::Read, net::SocketAddr, sync::Arc};

use reqwest::{Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};

use crate::{event_stream::EventStream, openapi_document::OpenApiDocument};

/// A client with a credential.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    id: String,
    secret: String,
    openapi_document: Arc<OpenApiDocument>,
}

/// A response of the service.
#[derive(Debug)]
pub struct ApiResponse {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it was received.
    pub bytes: Vec<u8>,
    /// The decompressed body as text.
    pub text: String,
}

/// A client without a credential.
#[must_use]
pub fn http_client() -> reqwest::Client {
    parlance::tls::install_provider();
    reqwest::Client::new()
}

impl Client {
    pub(crate) fn new(address: SocketAddr, id: &str, secret: &str, openapi_document: Arc<OpenApiDocument>) -> Self {
        let (id, secret) = (id.to_owned(), secret.to_owned());
        Self { http: http_client(), base: format!("http://{address}"), id, secret, openapi_document }
    }

    /// Sends a `GET` request.
    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send(&Method::GET, path, |request| request).await
    }

    /// Sends a `POST` request with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.send(&Method::POST, path, |request| request.json(body)).await
    }

    /// Sends a `DELETE` request.
    pub async fn delete(&self, path: &str) -> ApiResponse {
        self.send(&Method::DELETE, path, |request| request).await
    }

    /// Sends a `POST` request with a raw body.
    pub async fn post_bytes(&self, path: &str, body: impl Into<Vec<u8>>) -> ApiResponse {
        let body = body.into();
        self.send(&Method::POST, path, |request| request.header("content-type", "application/json").body(body)).await
    }

    /// Sends a request with the credential, after `customize` has changed it.
    pub async fn send(
        &self,
        method: &Method,
        path: &str,
        customize: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> ApiResponse {
        let request = self.http.request(method.clone(), format!("{}{path}", self.base));
        let request = request.header("svc-api-id", &self.id).header("svc-api-secret", &self.secret);
        let response = customize(request).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let is_compressed = headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip");
        let plain = if is_compressed { gunzip(&bytes) } else { bytes.clone() };
        let response = ApiResponse { status, headers, bytes, text: String::from_utf8_lossy(&plain).into_owned() };
        self.openapi_document.check_response(method.as_str(), path, &response);
        response
    }

    /// Opens a stream of events, resuming after an event if there is one.
    pub async fn open_stream(&self, path: &str, last_event_id: Option<&str>) -> EventStream {
        let request = self.http.get(format!("{}{path}", self.base));
        let request = request.header("svc-api-id", &self.id).header("svc-api-secret", &self.secret);
        let request = last_event_id.into_iter().fold(request, |request, id| request.header("last-event-id", id));
        EventStream::new(request.send().await.unwrap())
    }

    /// Creates or updates a conversation, and returns its id.
    pub async fn upsert(&self, external_id: &str) -> String {
        self.post("/conversation/v1/conversations", &conversation_body(external_id)).await.ok()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Adds a message, and returns its id.
    pub async fn add_message(&self, conversation: &str, text: &str, timestamp: &str) -> String {
        let path = format!("/conversation/v1/conversations/{conversation}/messages");
        self.post(&path, &message_body(text, timestamp)).await.ok()["id"].as_str().unwrap().to_owned()
    }
}

impl ApiResponse {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The JSON body of a response, whose status must be 200.
    #[must_use]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// The value of a header; empty if the header is missing.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The status and the details of an error, each detail as its pointer and its rule.
    #[must_use]
    pub fn error_details(&self) -> (u16, Vec<String>) {
        let body = self.json();
        let details = body["error"]["details"].as_array().cloned().unwrap_or_default();
        let describe =
            |detail: &Value| format!("{} {}", detail["pointer"].as_str().unwrap(), detail["rule"].as_str().unwrap());
        (self.status, details.iter().map(describe).collect())
    }
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

/// The body of a conversation with the required members.
#[must_use]
pub fn conversation_body(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}

/// The body of a message with the required members.
#[must_use]
pub fn message_body(text: &str, timestamp: &str) -> Value {
    json!({"text": text, "sender": {"role": "customer", "externalId": "customer-7"}, "timestamp": timestamp})
}
