//! The log: one line a request, and nothing in it that a caller chose.

use serde_json::{Value, json};

use crate::process::{Home, conversation};

#[actix_web::test]
async fn a_request_is_logged_with_its_id_tenant_route_status_and_duration() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&[]);
    let request = server.request(&credential, "/conversation/v1/conversations/NONE/messages?limit=5", None);
    let answer = request.send().await.unwrap();
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let line = server.wait_for("request");
    assert_eq!(
        (&line["request_id"], &line["tenant"], &line["route"], &line["method"], &line["status"]),
        (
            &json!(id),
            &json!("acme"),
            &json!("/conversation/v1/conversations/{conversationId}/messages"),
            &json!("GET"),
            &json!(404)
        )
    );
    assert!(line["duration_ms"].as_f64().is_some_and(|duration| duration > 0.0));
}

#[actix_web::test]
async fn nothing_that_a_caller_sends_is_logged() {
    let home = Home::new();
    let credential = home.credential();
    let mut server = home.serve(&["--log-level", "debug"]);
    let path = "/conversation/v1/conversations";
    let mut body = conversation("hush-call");
    body["customer"]["name"] = json!("hush-name");
    body["metadata"] = json!({"hush-key": "hush-value"});
    let created = server.request(&credential, path, Some(&body)).send().await.unwrap();
    let id = created.json::<Value>().await.unwrap()["id"].as_str().unwrap().to_owned();
    let message = json!({"text": "hush-text", "sender": {"role": "agent", "externalId": "hush-agent"}, "timestamp": "2026-01-31T09:30:00Z"});
    for (path, body) in [
        (format!("{path}/{id}/messages"), Some(message)),
        (format!("{path}?externalId=hush-query"), None),
        (format!("{path}/hush-path"), None),
        ("/hush-route".to_owned(), None),
        (path.to_owned(), Some(json!({"externalId": 7, "hush-member": "hush"}))),
        ("/conversation/v1/conversation/messages?externalId=hush-call".to_owned(), None),
    ] {
        server.request(&credential, &path, body.as_ref()).send().await.unwrap();
    }
    server.request(&json!({"apiId": "hush-id", "apiSecret": "hush-secret"}), path, None).send().await.unwrap();
    server.signal("TERM");
    let (_, log) = server.end();
    assert!(log.matches("\"request\"").count() >= 8, "{log}");
    assert!(!log.contains("hush") && !log.contains(credential["apiSecret"].as_str().unwrap()), "{log}");
}
