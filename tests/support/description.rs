//! The description of the interface, as a judge of answers.

use parlance_adapters_http::{HttpSettings, openapi};
use serde_json::{Value, json};

use crate::client::Answer;

/// The OpenAPI document of the interface.
pub struct Description(Value);

impl Description {
    /// The document that the service itself gives.
    #[must_use]
    pub fn read() -> Self {
        let settings = HttpSettings::new("svc", 262_144).unwrap();
        Self(serde_json::to_value(openapi(&settings)).unwrap())
    }

    /// The document as JSON.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.0
    }

    /// Fails where an answer is not one that the document promises for this operation. What is no operation of the
    /// document may only be answered by 404, 405 or, without a credential, 401.
    pub fn check(&self, method: &str, path: &str, answer: &Answer) {
        let request_id = answer.header("x-request-id");
        assert!(!request_id.is_empty(), "every answer carries x-request-id: {method} {path}");
        // A `HEAD` is answered as a `GET` is, without the body.
        let is_head = method == "HEAD";
        if is_head {
            assert!(answer.text.is_empty(), "{method} {path} may not answer a body");
        } else if answer.status >= 400 {
            self.check_error(answer, request_id);
        }
        let method = if is_head { "GET" } else { method };
        let path = path.split('?').next().unwrap();
        let Some(operation) = self.operation(method, path) else {
            let allowed = [308, 401, 404, 405].contains(&answer.status) || path.starts_with("/docs");
            assert!(allowed, "{method} {path} is not in the description but was answered {}", answer.status);
            return;
        };
        let promised = &operation["responses"][answer.status.to_string()];
        assert!(promised.is_object(), "{method} {path} may not answer {}: {}", answer.status, answer.text);
        if !promised["content"].is_object() {
            assert!(answer.text.is_empty(), "{method} {path} may not answer a body with {}", answer.status);
            return;
        }
        let media_type = answer.header("content-type").split(';').next().unwrap().to_owned();
        let content = &promised["content"][&media_type];
        assert!(content.is_object(), "{method} {path} may not answer {media_type}");
        if media_type == "application/json" && !is_head {
            self.check_body(&content["schema"], answer);
        }
    }

    fn check_error(&self, answer: &Answer, request_id: &str) {
        self.check_body(&json!({"$ref": "#/components/schemas/ErrorBody"}), answer);
        let error = &answer.json()["error"];
        assert_eq!(error["requestId"], request_id, "the body and the header name one request");
        assert_eq!(error["code"], format!("{}-01", answer.status));
    }

    fn check_body(&self, schema: &Value, answer: &Answer) {
        let mut schema = schema.clone();
        schema["components"] = self.0["components"].clone();
        let validator = jsonschema::draft202012::options().build(&schema).unwrap();
        let broken: Vec<_> = validator.iter_errors(&answer.json()).map(|error| error.to_string()).collect();
        assert!(broken.is_empty(), "the answer does not fit its description: {broken:?}");
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let paths = self.0["paths"].as_object().unwrap();
        let exact = paths.get(path);
        let template = || paths.iter().find(|(template, _)| fits(template, path)).map(|(_, item)| item);
        exact.or_else(template)?.get(method.to_ascii_lowercase())
    }
}

fn fits(template: &str, path: &str) -> bool {
    let (parts, given): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    parts.len() == given.len() && parts.iter().zip(&given).all(|(part, given)| part.starts_with('{') || part == given)
}
