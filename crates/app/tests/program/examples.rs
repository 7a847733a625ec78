//! Tests that the examples of the OpenAPI document work against a fresh sandbox.

use reqwest::Method;
use serde_json::Value;
use support::client::http_client;

use crate::{process::TestEnvironment, sandbox::read_greeting};

/// An operation of the OpenAPI document, with its example parameters and body.
struct ExampleRequest {
    name: String,
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
}

fn example_request(path: &str, method: &str, operation: &Value) -> ExampleRequest {
    let (mut path, mut query) = (path.to_owned(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let Some(example) = parameter["example"].as_str() else { continue };
        let name = parameter["name"].as_str().unwrap();
        if parameter["in"] == "path" {
            path = path.replace(&format!("{{{name}}}"), example);
        } else {
            assert_eq!(parameter["in"], "query", "the example of {name} is neither in the path nor in the query");
            query.push((name.to_owned(), example.to_owned()));
        }
    }
    let content = &operation["requestBody"]["content"]["application/json"];
    let body = operation.get("requestBody").map(|_| content["example"].clone());
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    ExampleRequest { name: operation["operationId"].as_str().unwrap().to_owned(), method, path, query, body }
}

/// The operations without a request: another operation returns the URLs of two of them and the token of another, and the
/// sandbox has no receiver of webhooks for the others.
const NOT_CALLED: [&str; 5] = ["collectFeedFile", "openStream", "replaceRetention", "testWebhook", "redeliverWebhook"];

/// Returns one request for each operation, with deletions last. Operations on a second path are left out, because they
/// use the resources of the first path. Those in [`NOT_CALLED`] are left out too.
fn example_requests(description: &Value) -> Vec<ExampleRequest> {
    let paths = description["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |entry| (path, entry)));
    let requests = operations.map(|(path, (method, operation))| example_request(path, method, operation));
    let second_path_suffixes = ["ForAutoTranscribe", "OfList"];
    let mut requests: Vec<_> = requests
        .filter(|request| {
            !NOT_CALLED.contains(&request.name.as_str())
                && !second_path_suffixes.iter().any(|suffix| request.name.ends_with(suffix))
        })
        .collect();
    requests.sort_by_key(|request| request.method == Method::DELETE);
    requests
}

#[actix_web::test]
async fn every_example_of_the_openapi_document_works_in_a_fresh_sandbox() {
    let env = TestEnvironment::new();
    let mut server = env.serve(&["--sandbox"]);
    let (credential, _) = read_greeting(&mut server);
    let at = format!("http://{}", server.address());
    let description: Value =
        http_client().get(format!("{at}/openapi.json")).send().await.unwrap().json().await.unwrap();
    let requests = example_requests(&description);
    assert!(requests.len() > 20, "only {} operations", requests.len());
    for ExampleRequest { name, method, path, query, body } in requests {
        let mut request = http_client().request(method, format!("{at}{path}")).query(&query);
        for (header, member) in [("svc-api-id", "apiId"), ("svc-api-secret", "apiSecret")] {
            request = request.header(header, credential[member].as_str().unwrap());
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        assert!(status.is_success(), "{name} {path}: {status} {}", answer.text().await.unwrap());
    }
}
