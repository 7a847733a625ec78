//! The OpenAPI document of the HTTP interface, and the validation of responses against it.

use parlance_adapters_http::{HttpSettings, openapi};
use serde_json::{Value, json};

use crate::client::ApiResponse;

/// The OpenAPI document of the HTTP interface.
pub struct OpenApiDocument(Value);

impl OpenApiDocument {
    /// The document that the service publishes.
    #[must_use]
    pub fn load() -> Self {
        let settings = HttpSettings::new("svc", 262_144).unwrap();
        Self(serde_json::to_value(openapi(&settings)).unwrap())
    }

    /// The document as JSON.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.0
    }

    /// Validates a response against the operation in the document. Requests outside the document may only get the
    /// status 308, 401, 404 or 405, except below `/docs`.
    ///
    /// # Panics
    /// If the response violates the document.
    pub fn check_response(&self, method: &str, path: &str, response: &ApiResponse) {
        let request_id = response.header("x-request-id");
        assert!(!request_id.is_empty(), "every response has x-request-id: {method} {path}");
        // The response to `HEAD` is that to `GET` without the body.
        let is_head = method == "HEAD";
        if is_head {
            assert!(response.text.is_empty(), "{method} {path} must not have a body");
        } else if response.status >= 400 {
            self.check_error(response, request_id);
        }
        let method = if is_head { "GET" } else { method };
        let path = path.split('?').next().unwrap();
        let Some(operation) = self.operation(method, path) else {
            let allowed = [308, 401, 404, 405].contains(&response.status) || path.starts_with("/docs");
            assert!(allowed, "{method} {path} is not in the OpenAPI document, but its status is {}", response.status);
            return;
        };
        let documented = &operation["responses"][response.status.to_string()];
        assert!(
            documented.is_object(),
            "{method} {path} has the undocumented status {}: {}",
            response.status,
            response.text
        );
        if !documented["content"].is_object() {
            assert!(response.text.is_empty(), "{method} {path} must not have a body with status {}", response.status);
            return;
        }
        let media_type = response.header("content-type").split(';').next().unwrap().to_owned();
        let content = &documented["content"][&media_type];
        assert!(content.is_object(), "{method} {path} has the undocumented media type {media_type}");
        if media_type == "application/json" && !is_head {
            self.check_body(&content["schema"], response);
        }
    }

    fn check_error(&self, response: &ApiResponse, request_id: &str) {
        self.check_body(&json!({"$ref": "#/components/schemas/ErrorBody"}), response);
        let error = &response.json()["error"];
        assert_eq!(error["requestId"], request_id, "the body and the header have the same request id");
        assert_eq!(error["code"], format!("{}-01", response.status));
    }

    fn check_body(&self, schema: &Value, response: &ApiResponse) {
        let mut schema = schema.clone();
        schema["components"] = self.0["components"].clone();
        let validator = jsonschema::draft202012::options().build(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(&response.json()).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "the response violates the OpenAPI document: {errors:?}");
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let paths = self.0["paths"].as_object().unwrap();
        let exact = paths.get(path);
        let template = || paths.iter().find(|(template, _)| matches_template(template, path)).map(|(_, item)| item);
        exact.or_else(template)?.get(method.to_ascii_lowercase())
    }
}

fn matches_template(template: &str, path: &str) -> bool {
    let (parts, segments): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    parts.len() == segments.len()
        && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment)
}
