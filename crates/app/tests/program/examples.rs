//! The examples of the interface's description, tried as they are against a fresh sandbox.

use reqwest::Method;
use serde_json::Value;
use support::client::http;

use crate::{process::Home, sandbox::greeting};

/// One operation of the description, with its examples.
struct Trial {
    name: String,
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
}

fn trial(path: &str, method: &str, operation: &Value) -> Trial {
    let (mut path, mut query) = (path.to_owned(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let Some(example) = parameter["example"].as_str() else { continue };
        let name = parameter["name"].as_str().unwrap();
        if parameter["in"] == "path" {
            path = path.replace(&format!("{{{name}}}"), example);
        } else {
            assert_eq!(parameter["in"], "query", "{name} has an example that cannot be tried");
            query.push((name.to_owned(), example.to_owned()));
        }
    }
    let content = &operation["requestBody"]["content"]["application/json"];
    let body = operation.get("requestBody").map(|_| content["example"].clone());
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    Trial { name: operation["operationId"].as_str().unwrap().to_owned(), method, path, query, body }
}

/// Every operation once, those that take something away last. What answers under a second path too shares what it works
/// on with the first, and a signed address is no example: it is an answer of another operation.
fn trials(description: &Value) -> Vec<Trial> {
    let paths = description["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |one| (path, one)));
    let trials = operations.map(|(path, (method, operation))| trial(path, method, operation));
    let second = ["ForAutoTranscribe", "OfList"];
    let mut trials: Vec<_> = trials
        .filter(|trial| trial.name != "collectFeedFile" && !second.iter().any(|suffix| trial.name.ends_with(suffix)))
        .collect();
    trials.sort_by_key(|trial| trial.method == Method::DELETE);
    trials
}

#[actix_web::test]
async fn every_example_of_the_description_works_in_a_fresh_sandbox() {
    let home = Home::new();
    let mut server = home.serve(&["--sandbox"]);
    let (credential, _) = greeting(&mut server);
    let at = format!("http://{}", server.address());
    let description: Value = http().get(format!("{at}/openapi.json")).send().await.unwrap().json().await.unwrap();
    let trials = trials(&description);
    assert!(trials.len() > 20, "{} operations", trials.len());
    for Trial { name, method, path, query, body } in trials {
        let mut request = http().request(method, format!("{at}{path}")).query(&query);
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
