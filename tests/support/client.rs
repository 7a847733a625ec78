//! A client of the service, which holds every answer to the description of the interface.

use std::{io::Read, net::SocketAddr, sync::Arc};

use reqwest::{Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};

use crate::description::Description;

/// A client with a credential.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    id: String,
    secret: String,
    description: Arc<Description>,
}

/// What the service answered.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub bytes: Vec<u8>,
    /// The body as text, no longer compressed.
    pub text: String,
}

/// A client without a credential.
#[must_use]
pub fn http() -> reqwest::Client {
    parlance::tls::install_provider();
    reqwest::Client::new()
}

impl Client {
    pub(crate) fn new(address: SocketAddr, id: &str, secret: &str, description: Arc<Description>) -> Self {
        let (id, secret) = (id.to_owned(), secret.to_owned());
        Self { http: http(), base: format!("http://{address}"), id, secret, description }
    }

    /// Gets a path.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(&Method::GET, path, |request| request).await
    }

    /// Posts a value.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&Method::POST, path, |request| request.json(body)).await
    }

    /// Deletes what is at a path.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(&Method::DELETE, path, |request| request).await
    }

    /// Posts bytes as they are.
    pub async fn post_bytes(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let body = body.into();
        self.send(&Method::POST, path, |request| request.header("content-type", "application/json").body(body)).await
    }

    /// Sends what `shape` makes of a request with the credential.
    pub async fn send(
        &self,
        method: &Method,
        path: &str,
        shape: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Answer {
        let request = self.http.request(method.clone(), format!("{}{path}", self.base));
        let request = request.header("svc-api-id", &self.id).header("svc-api-secret", &self.secret);
        let response = shape(request).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let is_compressed = headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip");
        let plain = if is_compressed { unzipped(&bytes) } else { bytes.clone() };
        let answer = Answer { status, headers, bytes, text: String::from_utf8_lossy(&plain).into_owned() };
        self.description.check(method.as_str(), path, &answer);
        answer
    }

    /// Creates or updates a conversation and gives its id.
    pub async fn upsert(&self, external_id: &str) -> String {
        self.post("/conversation/v1/conversations", &conversation(external_id)).await.ok()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Adds a message and gives its id.
    pub async fn say(&self, conversation: &str, text: &str, timestamp: &str) -> String {
        let path = format!("/conversation/v1/conversations/{conversation}/messages");
        self.post(&path, &message(text, timestamp)).await.ok()["id"].as_str().unwrap().to_owned()
    }
}

impl Answer {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The body of a success.
    #[must_use]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.json()
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// What exactly is wrong: the status, then each pointer with its rule.
    #[must_use]
    pub fn refusal(&self) -> (u16, Vec<String>) {
        let body = self.json();
        let details = body["error"]["details"].as_array().cloned().unwrap_or_default();
        let said =
            |detail: &Value| format!("{} {}", detail["pointer"].as_str().unwrap(), detail["rule"].as_str().unwrap());
        (self.status, details.iter().map(said).collect())
    }
}

fn unzipped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

/// A conversation with all that is required.
#[must_use]
pub fn conversation(external_id: &str) -> Value {
    json!({"externalId": external_id, "customer": {"externalId": "customer-7"}, "timestamp": "2026-01-31T09:30:00Z"})
}

/// A message with all that is required.
#[must_use]
pub fn message(text: &str, timestamp: &str) -> Value {
    json!({"text": text, "sender": {"role": "customer", "externalId": "customer-7"}, "timestamp": timestamp})
}
